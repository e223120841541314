"""`orgctx sync` rejects a file with an error that names the line, the key and what is accepted."""

import re
from pathlib import Path

import pytest

from orgctx.cli.importing import command
from orgctx.cli.sync.plan import keys, read
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
    "every": '"15m"',
}


def text_of(**values: str | None) -> str:
    """A file with one import: a valid one, except for these values; None leaves a key out."""
    table = {**VALID, **{key.replace("_", "-"): value for key, value in values.items()}}
    return "[[import]]\n" + "".join(f"{key} = {value}\n" for key, value in table.items() if value)


INVALID = {
    "": "no imports; write [[import]] above the keys of each",
    "import = 1": "import: write [[import]] above the keys of each import",
    "[[imports]]": "unknown key 'imports'; did you mean 'import'? Accepted: import",
    "[[import]\n": "not TOML: Expected ']]' at the end of an array declaration (at line 1",
    "[" * 100_000: "not TOML: ",
    "[[import]]\nevery = 1": "line 1: kind: use a string",
    text_of(kind='"git"'): f"line 1: kind: use one of {', '.join(sorted(COMMANDS))}"[:70],
    text_of(every=None): "line 1: add the missing every",
    text_of(source=None, path=None): "line 1: add the missing path, source",
    text_of(every="0", yes="1", prun="1", path=None): "\n  line 1: yes: use true or false",
    text_of(exlude='["a"]'): "line 1: unknown key 'exlude'; did you mean 'exclude'? Accepted: all",
    text_of(dry_run="true"): "line 1: unknown key 'dry-run'. Accepted: allow-empty, as, create",
    text_of(every='"1 week"'): "line 1: every: use a number of seconds, or a string such as '15m'",
    text_of(every="true"): "every: use",
    text_of(every="0"): "every: use",
    text_of(every="1.5"): "every: use",
    text_of(every='"99999d"'): "at most 715,827,882 seconds",
    text_of(minutes="0"): "line 1: minutes: 0 is not in the range 1<=x<=10080",
    text_of(**{"as": '"wiki"'}): "line 1: as: 'wiki' is not one of 'docs', 'notes'",
    text_of(label='"a\\nb"'): "line 1: label: Use 1 to",
    text_of(label='"a\\u0000b"'): "line 1: label: use a string",
    text_of(label="1979-05-27"): "line 1: label: use a string",
    text_of(exclude="[1.5]"): "line 1: exclude: use a string or a list of strings",
    text_of(path="[]"): "line 1: path: use a string",
    text_of(kind='"x"', path="[]"): "line 1: path: use at least one string",
    "#\n\n" + text_of() + text_of(): "line 9: docs:a (acme) has another import; a source has on",
    text_of(every="0") + "\n" + text_of(source='"docs:b"', path="1.5"): "line 8: path: use a",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("text", "error"), INVALID.items(), ids=range(len(INVALID)))
def test_invalid_file_is_rejected_by_place(
    acme: Deployment, write: Write, text: str, error: str
) -> None:
    file = write("sync.toml", text)
    result = acme.cli("sync", file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {file} is not valid. Correct these places:\n  ")
    assert error in result.stderr
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]


def test_file_that_is_not_text_is_rejected(acme: Deployment, write: Write) -> None:
    assert "not TOML" in acme.cli("sync", write("sync.toml", b"\xff")).stderr
    missing = acme.cli("sync", "missing.toml")
    assert missing.stderr == (
        "Error: missing.toml: No such file or directory. Check the path and its permissions.\n"
    )


@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_every_option_of_an_import_is_a_key(kind: str) -> None:
    options = {parameter.name for parameter in COMMANDS[kind].params}
    keyed = {parameter.name for parameter in keys(COMMANDS[kind]).values()}
    assert options - keyed == {"dry_run", "as_bundle", "as_json"}


@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_every_key_reaches_the_command(kind: str, tmp_path: Path) -> None:
    """The command parses what the file makes of each of its keys."""
    built = COMMANDS[kind]
    (tmp_path / "a").mkdir()
    file = tmp_path / "sync.toml"
    samples = {"as": '"notes"', "source": '"docs:a"', "path": '"a"'}
    values = {
        key: samples.get(key) or ("true" if getattr(parameter, "is_flag", False) else '"1"')
        for key, parameter in keys(built).items()
    }
    if "history" in values:
        (tmp_path / "1").mkdir()
    own = {"kind": f'"{kind}"', "every": "1"}
    lines = [f"{key} = {value}" for key, value in {**own, **values}.items()]
    file.write_text("[[import]]\n" + "\n".join(lines))
    (entry,) = read(file)
    if kind == "x":
        (tmp_path / "a").rmdir()
        (tmp_path / "a").write_text("")
    context = built.make_context(kind, [*entry.arguments[1:]])
    given_names = {
        name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"
    }
    assert given_names == {parameter.name for parameter in keys(built).values()}


def test_page_shows_a_valid_file(tmp_path: Path) -> None:
    page = (ROOT / "docs/operations/sync.md").read_text()
    (example,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "sync.toml"
    file.write_text(example)
    assert len(read(file)) == example.count("[[import]]")
