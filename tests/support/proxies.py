"""Run nginx and Caddy with the configurations in `deploy/proxies`, on free ports."""

import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.processes import ROOT, free_port
from tests.support.service import Running
from tests.support.waiting import until

CADDY = ["--adapter", "caddyfile", "--config"]
CHECKS = {
    "nginx": ["nginx", "-t", "-c"],
    "caddy": ["caddy", "validate", *CADDY],
}
COMMANDS = {
    "nginx": ["nginx", "-c"],
    "caddy": ["caddy", "run", *CADDY],
}
# From 2.5 on, Caddy warns that setting this header is needless. The example sets it for older ones.
NEEDLESS = 'default behavior is to pass headers to the upstream"}'
PROGRAMS = {".conf": "nginx", "": "caddy"}


def program(name: str) -> str:
    """Return the program that an example configures."""
    return PROGRAMS[Path(name).suffix]


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60)


def write_example(name: str, directory: Path, places: Mapping[str, str], public: int) -> Path:
    """Write an example for this machine. Returns its path.

    Changes only ports, paths and TLS, which is removed. places: maps addresses of the example to
    addresses on this machine. public: the port on which it listens.
    """
    text = (ROOT / "deploy/proxies" / name).read_text()
    for given, place in places.items():
        assert given in text, given
        text = text.replace(given, place)
    if program(name) == "nginx":
        text = re.sub(r"listen \d+( ssl http2)?;", f"listen 127.0.0.1:{public};", text)
        text = re.sub(r"^ *ssl_.*;\n", "", text, flags=re.MULTILINE)
        paths = "".join(
            f"{kind}_temp_path {directory}/{name}-{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        text = (
            f"pid {directory}/{name}.pid;\ndaemon off;\nworker_processes 1;\nerror_log stderr;\n"
            f"events {{ worker_connections 2048; }}\nhttp {{\naccess_log off;\n{paths}{text}}}\n"
        )
    else:
        text = text.replace("{\n", "{\n\tadmin off\n", 1)
        text = text.replace("{$ORGCTX_HOST:context.example}", f"http://127.0.0.1:{public}")
        desk = f"http://desk.example:{public}"
        text = text.replace("{$ORGCTX_DESK_HOST:http://desk.invalid}", desk)
    path = directory / name
    path.write_text(text)
    return path


@contextmanager
def proxied(name: str, directory: Path, places: Mapping[str, str]) -> Iterator[Running]:
    """Run an example while the block runs. places: as in `write_example`."""
    public = free_port()
    path = write_example(name, directory, places, public)
    checked = run(*CHECKS[program(name)], path)
    assert checked.returncode == 0, checked.stderr
    warnings = [line for line in checked.stderr.splitlines() if "warn" in line.lower()]
    assert not [line for line in warnings if not line.endswith(NEEDLESS)]
    log = directory / f"{name}.log"
    with (
        log.open("ab") as errors,
        subprocess.Popen([*COMMANDS[program(name)], str(path)], stderr=errors) as process,
    ):
        proxy = Running(public, process)
        try:
            until(lambda: process.poll() is not None or proxy.get("/healthz").status == 200)
            assert process.poll() is None, log.read_text()
            yield proxy
        finally:
            process.send_signal(signal.SIGTERM)
