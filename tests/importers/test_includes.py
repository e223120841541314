"""Includes, shortcodes and MDX: what a page shows is stored, and nothing private with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from orgctx.importers import Report
from orgctx.importers.markdown import includes
from tests.importers.conftest import Run, Write, imported, markdown, unchanged

CODE = "# --8<-- [start:main]\ndef main():\n    pass\n# --8<-- [end:main]\n\nmain()\n"
RUST = (
    "use std;\n// ANCHOR: all\nfn one() {}\n// ANCHOR: two\nfn two() {}\n// ANCHOR_END: two\n"
    "// ANCHOR_END: all\n"
)


def contents(folder: Path, **options: bool) -> tuple[dict[str, str], Report]:
    items, report = imported(markdown, folder, **options)
    return {data["title"]: data["content"] for data in items}, report


def text_of(write: Write, page: str, name: str = "page.md", **files: str) -> tuple[str, Report]:
    """The content of a page that is imported with files beside it, and the report."""
    for file, text in files.items():
        write(f"docs/{file.replace('__', '/').replace('_', '.', 1)}", text)
    folder = write(f"docs/{name}", page).parent
    texts, report = contents(folder)
    return texts["page"], report


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ('--8<-- "a.py"', "def main():\n    pass\n\nmain()"),
        ('--8<-- "a.py:main"', "def main():\n    pass"),
        ("-8<- 'a.py:2:3'", "def main():\n    pass"),
        ('--8<-- "a.py::2"', "def main():"),
        ('--8<-- "a.py:6"', "main()"),
        ('--8<-- "a.py:-1:"', "main()"),
        ('--8<-- "a.py:2:2,6:6"', "def main():\nmain()"),
        ('    --8<-- "a.py:main"', "    def main():\n        pass"),
        ("--8<--\na.py:main\n; b.py\n\na.py:6\n--8<--", "def main():\n    pass\n\nmain()"),
        (';--8<-- "a.py"', '--8<-- "a.py"'),
        ('```python\n--8<-- "docs/a.py:main"\n```', "```python\ndef main():\n    pass\n```"),
        ("One\n<!-- --8<-- [start:x] -->\nTwo", "One\nTwo"),
    ],
)
def test_snippet_of_mkdocs_is_inserted(write: Write, snippet: str, text: str) -> None:
    content, report = text_of(write, snippet, a_py=CODE)
    assert content == text
    assert not any("not included" in reason for reason in report.skipped)


def test_snippet_is_found_below_any_base_path(write: Write) -> None:
    write("docs/parts/x/note.md", "Found")
    content, report = text_of(write, '--8<-- "x/note.md"')
    assert content == "Found"
    assert report.repaired["includes found by the end of their path"] == 1
    write("docs/other/x/note.md", "Another")
    content, report = text_of(write, '--8<-- "x/note.md"')
    assert content == "[not included: x/note.md]"


@pytest.mark.parametrize(
    ("include", "text"),
    [
        ("{{#include a.rs:3}}", "fn one() {}"),
        ("{{#include a.rs:3:5}}", "fn one() {}\n// ANCHOR: two\nfn two() {}"),
        ("{{#include a.rs::1}}", "use std;"),
        ("{{#include a.rs:7:}}", "// ANCHOR_END: all"),
        ("{{#include a.rs:all}}", "fn one() {}\nfn two() {}"),
        ("```rust\n{{#rustdoc_include a.rs:two}}\n```", "```rust\nfn two() {}\n```"),
        ("{{#playground b.rs editable}}", "```rust,editable\nfn b() {}\n```\n"),
        (r"\{{#include a.rs}}", "{{#include a.rs}}"),
        ("{{#title Two}}\nText", "\nText"),
        ("{{#include ../docs/sub/c.md}}", "C: D"),
    ],
)
def test_include_of_mdbook_is_inserted(write: Write, include: str, text: str) -> None:
    write("docs/sub/d.txt", "D")
    write("docs/sub/c.md", "C: {{#include d.txt}}")
    content, report = text_of(write, include.replace("../docs/", ""), a_rs=RUST, b_rs="fn b() {}\n")
    assert content == text
    assert not any("not included" in reason for reason in report.skipped)


@pytest.mark.parametrize(
    ("include", "mark", "reason"),
    [
        ("{{#include none.md}}", "[not included: none.md]", "no such file in the folder"),
        ("{{#include ../out.md}}", "[not included: ../out.md]", "no such file in the folder"),
        ('--8<-- "/etc/passwd"', "[not included: /etc/passwd]", "no such file in the folder"),
        ("{{#include link.md}}", "[not included: link.md]", "no such file in the folder"),
        ("{{#include .hidden.md}}", "[not included: .hidden.md]", "no such file in the folder"),
        ("{{#include page.md}}", "[not included: page.md]", "a file that includes itself"),
        ("{{#include zloop.txt}}", "[not included: page.md]", "a file that includes itself"),
        ("{{#include a.md:nothing}}", "[not included: a.md]", "no such section or lines"),
        ('--8<-- "https://a.b/c.md"', "[not included: https://a.b/c.md]", "an address"),
        ("{{#include bytes.bin}}", "[not included: bytes.bin]", "an unreadable file"),
        ("{{#include large.txt}}", "[not included: large.txt]", includes.TOO_MUCH),
    ],
)  # fmt: skip
def test_missing_include_is_marked(write: Write, include: str, mark: str, reason: str) -> None:
    (write("docs/a.md", "A").parent / "link.md").symlink_to(write("out.md", "Outside"))
    write("docs/.hidden.md", "Hidden")
    write("docs/zloop.txt", "{{#include page.md}}")
    write("docs/bytes.bin", b"\xff\xfe\x00")
    write("docs/large.txt", "x" * (includes.MAX_FILE_BYTES + 1))
    content, report = text_of(write, f"Before\n\n{include}\n\nAfter")
    assert content == f"Before\n\n{mark}\n\nAfter"
    assert report.skipped[f"not included: {reason}"].examples[0].startswith("page.md: ")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("draft.md", "---\ndraft: true\n---\nSECRET"),
        ("snippets/draft.md", "---\ndraft: true\n---\nSECRET"),
        ("_draft.md", "---\nprivate: true\n---\nSECRET"),
        ("team.md", "---\nvisibility: team\n---\nSECRET"),
        ("broken.md", "---\ntitle: [\n---\nSECRET"),
        ("_drafts/plan.md", "SECRET"),
        ("_private/plan.txt", "SECRET"),
        ("excluded/plan.md", "SECRET"),
        ("later.md", "---\ndate: 2999/01/01\n---\nSECRET"),
    ],
)
def test_private_file_is_never_included(write: Write, path: str, text: str) -> None:
    write("site/mkdocs.yml", "docs_dir: docs\nexclude_docs: excluded/\n")
    write(f"site/docs/{path}", text)
    write("site/docs/one.md", f'--8<-- "docs/{path}"\n\nOne')
    write("site/docs/two.md", f"{{{{#include {path}}}}}\n\nTwo")
    write("site/docs/three.md", f'{{{{< include "{path}" >}}}}\n\nThree')
    write("site/docs/four.mdx", f"import Part from './{path}'\n\n<Part />\n\nFour")
    folder = write("site/docs/index.md", "# Home\n").parents[1]
    texts, report = contents(folder)
    assert set(texts) - {"team"} == {"one", "two", "three", "four", "Home"}
    public = [text for title, text in texts.items() if title != "team"]
    assert "SECRET" not in "".join(public)
    reasons = ("not included: a private file", "not included: an unreadable file")
    count = sum(report.skipped[reason].count for reason in reasons if reason in report.skipped)
    assert count == 3 + path.endswith(".md")
    drafts, _ = imported(markdown, folder, include_drafts=True)
    assert not [d for d in drafts if d["visibility"] == "public" and "SECRET" in d["content"]]


def test_part_that_is_no_page_is_included(write: Write) -> None:
    write("docs/_note.md", "---\ntitle: Note\n---\nNote")
    write("docs/mkdocs.yml", "docs_dir: .\nexclude_docs: includes/\n")
    write("docs/includes/tip.md", "Tip\n")
    content, report = text_of(write, '--8<-- "_note.md"\n--8<-- "includes/tip.md"')
    assert content == "Note\nTip"
    assert report.repaired["includes replaced by the file"] == 2


def test_includes_are_bounded(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        write(f"docs/chain{number}.txt", f"{number} {{{{#include chain{number + 1}.txt}}}}")
    for number in range(12):
        twice = f"{{{{#include tree{number + 1}.txt}}}}\n" * 2
        write(f"docs/tree{number}.txt", twice)
    write("docs/tree12.txt", "leaf")
    content, report = text_of(write, "{{#include chain0.txt}}")
    assert content == " ".join(map(str, range(10))) + " [not included: chain10.txt]"
    content, report = text_of(write, "{{#include tree4.txt}}\n")
    assert content.count("leaf") <= includes.MOST_FILES
    assert report.skipped[f"not included: {includes.TOO_MUCH}"].count > 0
    monkeypatch.setattr(includes, "MAX_LENGTH", 10)
    write("docs/eight.txt", "12345678")
    content, _ = text_of(write, "{{#include eight.txt}} {{#include eight.txt}}")
    assert content == "12345678 [not included: eight.txt]"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('See [docks]({{< ref "docks.md#east" >}}).', "See [docks](docks.md#east)."),
        ('[a]({{% relref path="/a" %}})', "[a](/a)"),
        (
            '{{< figure src="a.png" alt="A pier" title="Pier" caption="By Ada" >}}',
            "![A pier](a.png) Pier By Ada",
        ),
        ("{{< note >}}\nMind the gap.\n{{< /note >}}", "\nMind the gap.\n"),
        ('{{% tab name="Linux" %}}\nRun\n{{% /tab %}}', "**Linux**\n\nRun\n"),
        ('{{< details "More" >}}text{{< /details >}}', "**More**\ntext"),
        ("{{< highlight go >}}\nx := 1\n{{< /highlight >}}", "```go\n\nx := 1\n\n```"),
        ('{{< tooltip text="pods" id=pod >}}', "pods"),
        ("{{< youtube abc123 >}}", "https://www.youtube.com/watch?v=abc123"),
        ('{{< include "part.md" >}}', "Part"),
        ('{{% readfile file="/docs/part.md" %}}', "Part"),
        ('{{< code_sample file="conf.yaml" >}}', "```yaml\na: 1\n```"),
        ("```yaml\n{{< readfile file=conf.yaml >}}\n```", "```yaml\na: 1\n```"),
        ('{{< param "pier_name" >}}', "East"),
        ('{{</* ref "a" */>}} and {{%/* b */%}}', '{{< ref "a" >}} and {{% b %}}'),
        ("```\n{{< note >}}\n```\n`{{< note >}}`", "```\n{{< note >}}\n```\n`{{< note >}}`"),
        ("a {{% comment %}}SECRET {{< x >}}{{% /comment %}} b", "a  b"),
        ("{{ .Values.name }} {{<", "{{ .Values.name }} {{<"),
    ],
)
def test_shortcode_of_hugo_is_replaced(write: Write, page: str, text: str) -> None:
    front = "---\ntitle: page\npier_name: East\n---\n"
    content, report = text_of(write, front + page, part_md="Part\n", conf_yaml="a: 1\n")
    assert content == text
    assert "shortcode without text, marked" not in report.skipped


def test_unknown_shortcode_is_marked(run: Run, write: Write) -> None:
    folder = write("docs/a.md", "# A {{< new >}}\n\n{{< chart\n  data=1 >}}\n").parent
    report = run("markdown", folder, source="docs:main").json()
    assert report["skipped"]["shortcode without text, marked"] == {
        "count": 2,
        "examples": ["a.md: new", "a.md: chart"],
    }
    assert unchanged(run("markdown", folder, source="docs:main").json())
    texts, _ = contents(folder)
    assert texts == {"A": "# A [shortcode: new]\n\n[shortcode: chart data=1]\n"}


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("import A from 'a'\nimport {\n  B,\n} from \"b\"\n\nexport const x = [\n  1\n]\n\nT", "T"),
        ("export function f() {\n\n  return 1;\n}\n\n# Text", "# Text"),
        ("import './style.css'\n\n<A />\n\nimport B from 'b'", "<A />\n\nimport B from 'b'"),
        ("import duties are low.\n\nexport them.", "import duties are low.\n\nexport them."),
        ("export const open = {\n\nText", "export const open = {\n\nText"),
        ("import Part from './_part.mdx';\n\n<Part kind=\"x\" />\n", "Part\n"),
        ("import Part from '@site/docs/_part.mdx';\n\n<Part/>", "Part"),
    ],
)  # fmt: skip
def test_imports_of_mdx_are_dropped(write: Write, page: str, text: str) -> None:
    write("docs/_part.mdx", "Part\n")
    for name in ("page.mdx", "page.md"):
        content, _ = text_of(write, "---\ntitle: page\n---\n" + page, name)
        assert content == text
