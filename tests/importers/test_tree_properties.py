"""Rules that the import of any folder follows, tested with generated files.

It loads no draft, deletes nothing that it could not read, and reports what it leaves out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orgctx.importers import Existing, Report, StoredItem
from tests.importers.conftest import convert, markdown, rows
from tests.support.thorough import examples

# Ways to exclude a text: front matter, or a name. A word in the text identifies it.
KEPT_BACK = rows("texts", "head_keeps_a_text_back")
PUBLIC = (
    "", "---\ntitle: Open\n---\n", "---\ndraft: false\n---\n", "+++\ntitle = 'Open'\n+++\n",
    "----\nrope: true\n----\n", "---\ndate: 2020-01-01\n---\n", "---\nno rule\n",
)  # fmt: skip
BROKEN = (
    b"\xff",
    b"---\na: [\n---\n",
    b"a\0b",
    b"---\n" + b"- " * 40 + b"\n---\n",
    b"+++\n=\n+++\n",
    b"---js\n{draft: true}\n---\n",
    b"---\ndraft: true\n\n",
)
FOLDERS = ("", "a/", "a/b/", "_drafts/", "_x/", ".hidden/")
NAMES = ("one", "two", "three", "four", "_part", ".dot")
ENDINGS = (".md", ".mdx", ".markdown", ".txt", ".rst", ".png", "")
QUICK = examples(25)


@st.composite
def files(draw: Any) -> dict[str, bytes]:
    """A tree of files. Exactly the texts that are kept back contain SECRET."""
    tree: dict[str, bytes] = {}
    for number in range(draw(st.integers(0, 8))):
        folder, name, ending = (draw(st.sampled_from(s)) for s in (FOLDERS, NAMES, ENDINGS))
        is_hidden = folder.startswith(("_", ".")) or name.startswith(("_", "."))
        kind = draw(st.sampled_from(("open", "kept", "broken")))
        if kind == "broken":
            content = draw(st.sampled_from(BROKEN))
        else:
            head = draw(st.sampled_from(KEPT_BACK if kind == "kept" else PUBLIC))
            word = "SECRET" if is_hidden or kind == "kept" else "open"
            content = f"{head}\n{word} text {number}\n".encode()
        tree[f"{folder}{name}{ending}"] = content
    return tree


@dataclass
class Store:
    """What a database keeps after a load."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    suppressed: set[str] = field(default_factory=set)

    def existing(self) -> Existing:
        def item(id_: str, data: dict[str, Any]) -> StoredItem:
            digest = sha256(data["content"].encode()).digest()
            return StoredItem(data["title"], digest, id_ in self.suppressed)

        def carry(_: str, new: str) -> bool:
            self.suppressed.add(new)
            return True

        items = {id_: item(id_, data) for id_, data in self.items.items()}
        content = {id_: data["content"] for id_, data in self.items.items()}.__getitem__
        ids = frozenset(items)
        return Existing(ids=ids, items=items, content=content, carry_suppression=carry)

    def load(self, tree: dict[str, bytes], **options: Any) -> tuple[Report, int]:
        """Import a tree. Returns the report and the number of records that changed."""
        report, changes = Report(), 0
        with TemporaryDirectory() as folder:
            for name, content in tree.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            existing = self.existing()
            records = convert(markdown, Path(folder), report, existing=existing, **options)
        for record in records:
            data = record["data"]
            if record["type"] == "delete":
                changes += self.items.pop(data["id"], None) is not None
            elif record["type"] == "knowledge":
                timeless = {k: v for k, v in data.items() if k not in ("createdAt", "updatedAt")}
                timeless.pop("sourceLabel")
                changes += self.items.get(data["id"]) != timeless
                self.items[data["id"]] = timeless
        return report, changes

    def texts(self, is_read: Callable[[str, dict[str, Any]], bool]) -> str:
        return "".join(d["content"] for id_, d in self.items.items() if is_read(id_, d))


@QUICK
@given(tree=files(), drafts=st.booleans())
def test_draft_is_never_public(tree: dict[str, bytes], drafts: bool) -> None:
    store = Store()
    store.load(tree, include_drafts=drafts)
    assert "SECRET" not in store.texts(lambda _, data: data["visibility"] == "public")


@QUICK
@given(tree=files())
def test_every_file_is_loaded_or_reported(tree: dict[str, bytes]) -> None:
    store = Store()
    report, _ = store.load(tree)
    skipped = sum(skip.count for skip in report.skipped.values())
    hidden = [name for name in tree if name.startswith(".hidden/")]
    # The report counts a hidden folder once.
    reported = len(tree) - len(hidden) + bool(hidden)
    assert len(store.items) + skipped + report.refused_count == reported


@QUICK
@given(tree=files(), data=st.data())
def test_unreadable_file_is_not_deleted(tree: dict[str, bytes], data: Any) -> None:
    store = Store()
    store.load(tree)
    before = dict(store.items)
    broken = data.draw(st.sets(st.sampled_from(sorted(tree) or ["none.md"])))
    store.load({**tree, **dict.fromkeys(broken, BROKEN[0])}, allow_empty=True)
    assert store.items == before


@QUICK
@given(tree=files(), data=st.data())
def test_suppressed_text_stays_so_under_any_name(tree: dict[str, bytes], data: Any) -> None:
    store = Store()
    store.load(tree)
    if not store.items:
        return
    chosen = data.draw(st.sampled_from(sorted(store.items)))
    store.suppressed.add(chosen)
    secret = store.items[chosen]["content"].strip()
    renamed = {f"moved/{name}": content for name, content in tree.items()}
    store.load(renamed)
    assert secret not in store.texts(lambda id_, _: id_ not in store.suppressed)
