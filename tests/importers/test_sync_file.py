"""`orgctx sync` rejects a file with an error that names the line, the key and what is accepted."""

import re
from pathlib import Path

import pytest

from orgctx.cli.importing import command
from orgctx.cli.sync import keys, read
from orgctx.imports import catalog
from tests.importers.conftest import Write
from tests.support.deployment import Deployment
from tests.support.processes import ROOT

COMMANDS = {row.name: command(row) for row in catalog.IMPORTERS}
VALID = {
    "kind": '"folder"',
    "organization": '"acme"',
    "source": '"docs:a"',
    "path": '"a"',
}


def text_of(**values: str | None) -> str:
    """A file with one import: a valid one, except for these values; None leaves a key out."""
    table = {**VALID, **{key.replace("_", "-"): value for key, value in values.items()}}
    return "[[import]]\n" + "".join(f"{key} = {value}\n" for key, value in table.items() if value)


INVALID: dict[str | bytes, str] = {
    b"\xff": "is not TOML: ",
    "": "must hold tables [[import]] with the keys of an import each",
    "import = 1": "must hold tables [[import]]",
    "[[imports]]": "must hold tables [[import]]",
    "[[import]\n": "is not TOML: Expected ']]' at the end of an array declaration (at line 1",
    "[" * 100_000: "is not TOML: ",
    "[[import]]\nsource = 1": "import 1: kind: use one of",
    text_of(kind='"git"'): f"import 1: kind: use one of {', '.join(sorted(COMMANDS))}"[:70],
    text_of(source=None): "import 1: Missing option '--source'",
    text_of(path=None): "import 1: Missing argument 'PATH'",
    text_of(yes="1"): "import 1: yes: use true or false",
    text_of(exlude='["a"]'): "import 1: unknown key 'exlude'; did you mean 'exclude'?",
    text_of(dry_run="true"): "import 1: unknown key 'dry-run'",
    text_of(minutes="99999"): "import 1: Invalid value for '--minutes': 99999 is not in the range",
    text_of(**{"as": '"wiki"'}): "Invalid value for '--as': 'wiki' is not one of 'docs', 'notes'",
    text_of(label='"a\\nb"'): "Invalid value for '--label': Use 1 to",
    text_of(label='"a\\u0000b"'): "Invalid value for '--label': Use 1 to",
    text_of(label="1979-05-27"): "import 1: label: use a string",
    text_of(exclude="[1.5]"): "import 1: exclude: use a string or a list of strings",
    text_of(path="[]"): "import 1: path: use a string",
    text_of(kind='"x"', path="[]"): "import 1: Missing argument 'FILE...'",
    text_of() + text_of(): "import 2: docs:a (acme) has another import; a source has only one",
}


def test_invalid_file_is_rejected_by_place(acme: Deployment, write: Write) -> None:
    for text, error in INVALID.items():
        result = acme.cli("sync", write("sync.toml", text))
        assert (result.exit_code, result.stdout) == (1, "")
        assert error in result.stderr
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]


def test_file_that_is_missing_is_rejected(acme: Deployment) -> None:
    missing = acme.cli("sync", "missing.toml")
    assert missing.stderr == (
        "Error: missing.toml: No such file or directory. Check the path and its permissions.\n"
    )


@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_every_key_reaches_the_command(kind: str, tmp_path: Path) -> None:
    """The command parses what the file makes of each of its keys, which are all its options."""
    built = COMMANDS[kind]
    names = {parameter.name for parameter in built.params} - {"dry_run", "as_bundle", "as_json"}
    (tmp_path / "a").mkdir()
    file = tmp_path / "sync.toml"
    samples = {"as": '"notes"', "source": '"docs:a"', "path": '"a"'}
    values = {
        key: samples.get(key) or ("true" if getattr(parameter, "is_flag", False) else '"1"')
        for key, parameter in keys(built).items()
    }
    lines = [f"{key} = {value}" for key, value in {"kind": f'"{kind}"', **values}.items()]
    file.write_text("[[import]]\n" + "\n".join(lines))
    (entry,) = read(file)
    if kind == "x":
        (tmp_path / "a").rmdir()
        (tmp_path / "a").write_text("")
    context = built.make_context(kind, [*entry.arguments])
    given_names = {
        name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"
    }
    assert given_names == names


def test_page_shows_a_valid_file(tmp_path: Path) -> None:
    page = (ROOT / "docs/operations/sync.md").read_text()
    (example,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "sync.toml"
    file.write_text(example)
    assert len(read(file)) == example.count("[[import]]")
