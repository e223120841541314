"""Dendron: hierarchies and vaults of dendron.yml that are not published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import Site, below, folder_path, texts

FILES = ("dendron.yml",)
ALL = "root"


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of a workspace. Raises ImportRejected."""
    config = config_files.members(root / name)
    vaults = dict(_vaults(config))
    for folder, vault in vaults.items():
        if vault.get("visibility") == "private":
            site.exclude(f"excluded by {name}", below(folder, lambda _: True))
    publishing = _mapping(config.get("publishing")) or _mapping(config.get("site"))
    published = texts(publishing.get("siteHierarchies"))
    if published and published[0] != ALL:
        site.exclude(f"excluded by {name}", lambda path: _hierarchy(path) not in published)
    hierarchies = _mapping(publishing.get("hierarchy") or publishing.get("config"))
    for folder, vault in vaults.items() if hierarchies else ():
        site.set_defaults(
            below(folder, _Unpublished(hierarchies, _name(folder, vault))), {"published": False}
        )


class _Unpublished:
    """Matches the notes that are published only if they say so."""

    def __init__(self, hierarchies: dict[str, Any], vault: str) -> None:
        self._hierarchies = hierarchies
        self._vault = vault

    def __call__(self, path: str) -> bool:
        root = _mapping(self._hierarchies.get(ALL, {"publishByDefault": True}))
        hierarchy = root | _mapping(self._hierarchies.get(_hierarchy(path)))
        value = hierarchy.get("publishByDefault")
        return not (value.get(self._vault) if isinstance(value, dict) else value)


def _vaults(config: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the vaults by folder; without any, the workspace is one."""
    vaults = _mapping(config.get("workspace")).get("vaults") or config.get("vaults")
    for vault in vaults if isinstance(vaults, list) and vaults else [{"fsPath": "."}]:
        if isinstance(vault, dict):
            yield folder_path(vault.get("fsPath"), "."), vault


def _name(folder: str, vault: dict[str, Any]) -> str:
    return str(vault.get("name") or folder.rpartition("/")[2])


def _hierarchy(path: str) -> str:
    """Return the first part of a note's name, such as `proj` of `vault/proj.plan.md`."""
    return path.rpartition("/")[2].partition(".")[0]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
