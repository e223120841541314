"""Rules that the import of any folder follows, tested with generated files.

It loads no draft, and reports what it leaves out.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orgctx.importers import Report
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


def load(tree: dict[str, bytes], report: Report, **options: Any) -> list[dict[str, Any]]:
    """Write the files of a tree, and return the records that an import makes of them."""
    with TemporaryDirectory() as folder:
        for name, content in tree.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        records = convert(markdown, Path(folder), report, **options)
    return [record for record in records if record["type"] != "source"]


@QUICK
@given(tree=files(), drafts=st.booleans())
def test_draft_is_never_public(tree: dict[str, bytes], drafts: bool) -> None:
    items = [record["data"] for record in load(tree, Report(), include_drafts=drafts)]
    assert not [
        data for data in items if "SECRET" in data["content"] and data["visibility"] == "public"
    ]


@QUICK
@given(tree=files())
def test_every_file_is_loaded_or_reported(tree: dict[str, bytes]) -> None:
    report = Report()
    loaded = len(load(tree, report))
    skipped = sum(skip.count for skip in report.skipped.values())
    hidden = [name for name in tree if name.startswith(".hidden/")]
    # The report counts a hidden folder once.
    reported = len(tree) - len(hidden) + bool(hidden)
    assert loaded + skipped + report.refused_count == reported
