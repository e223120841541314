"""Configurations of clients, for `orgctx connect`, the desk and the page: clients.toml."""

import re
import tomllib
from importlib.resources import files
from typing import NamedTuple

VARIABLE = "ORGCTX_API_KEY"
PLACEHOLDER = "PASTE_THE_API_KEY"
EXAMPLE = "https://orgctx.example"
# These characters need no escaping in JSON, TOML, Python, TypeScript or a shell.
BASE_URL = re.compile(r"https?://[A-Za-z0-9._~:/%\[\]-]+")
# The path in the configurations for each interface.
PATHS = {"api": "/api/v1", "mcp": "/api/mcp"}


class Client(NamedTuple):
    title: str
    format: str  # json, toml, sh, py or ts
    place: str  # where the configuration goes
    text: str
    note: str = ""  # what else remains to do

    @property
    def instruction(self) -> str:
        """What to do with the configuration."""
        key = f"; set {VARIABLE} to the API key" if VARIABLE in self.text else ""
        if PLACEHOLDER in self.text:  # the client expands no variable
            key = f"; replace {PLACEHOLDER} with the API key"
        return f"{self.place}{key}. {self.note}".strip()


CLIENTS = {
    name: Client(**table)
    for name, table in tomllib.loads(
        files("orgctx").joinpath("clients.toml").read_text("utf-8")
    ).items()
}


def configuration(client: str, base_url: str) -> str:
    """Return a configuration. client: a key of CLIENTS. base_url: matches BASE_URL."""
    return CLIENTS[client].text.replace(EXAMPLE, base_url)


def works_with(client: str, access: str) -> bool:
    """Return whether a client can use a key. access: of the key, api, mcp or both."""
    return access not in PATHS or PATHS[access] in CLIENTS[client].text
