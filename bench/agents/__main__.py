"""Count what answers cost an agent: python -m bench.agents [--against PATH].

Replays the tasks of tasks.jsonl over MCP, and prints for each kind of question how many answers
were found, the means of calls and kilobytes of results, and the searches that returned nothing. An
agent follows a recorded strategy, and decides only from the list of tools and from results. A weak
agent searches once for the longest words of the question. Two more tables say why questions took
more than one call, and what each tool returned.

`--folder DIR` replays questions made from the documents of a folder instead.
`--against PATH` first replays them with another checkout of orgctx, in a database of its own.
`--calls TEXT` prints each call for the questions that contain the text.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import orjson

from bench import retrieval
from bench.agents.folder import tasks_of
from bench.agents.organization import NUMBER, records
from bench.agents.replay import COLUMNS, Outcome, causes, replay, rows, tools
from bench.agents.session import Json, Send
from bench.agents.tasks import tasks
from bench.cases import Case
from bench.load_generator import exchange
from bench.prepare import Prepared, by, command, environment, issue_key
from bench.report import table
from bench.server_process import ORGCTX, ServerProcess, running
from orgctx.demo import identities, organization
from orgctx.embedded import servers

DATA_DIR = Path(".orgctx/agents")
DEMO = ["--organization", identities.SLUG, "--by", str(identities.DEMO_ADMIN_ID)]
GENERATED = by(NUMBER)


def main() -> int:
    options = _options()
    for checkout in filter(None, (options.against, Path())):
        outcomes = list(_of_folder(options.folder) if options.folder else _outcomes(checkout))
        print(f"## {'this' if checkout == Path() else 'other'} checkout\n")
        for organization_name in dict.fromkeys(each.task.organization for each in outcomes):
            chosen = [each for each in outcomes if each.task.organization == organization_name]
            print("\n".join(table([organization_name, *COLUMNS], rows(chosen))), end="\n\n")
        if not options.folder:
            print("\n".join(table(["both", *COLUMNS], [[*rows(outcomes)][-1]])), end="\n\n")
        print("\n".join(table(["more than one call", "questions"], causes(outcomes))), end="\n\n")
        print("\n".join(table(["tool", "calls", "KB a call"], tools(outcomes))), end="\n\n")
        for outcome in outcomes:
            _print(outcome, options.calls)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--folder", type=Path, metavar="DIR", help="documents to ask about")
    data.add_argument("--against", type=Path, metavar="PATH", help="another checkout of orgctx")
    parser.add_argument("--calls", metavar="TEXT", help="print the calls of these questions")
    return parser.parse_args()


def _print(outcome: Outcome, text: str | None) -> None:
    """Print a question without an answer, and its calls if the question contains the text."""
    if not outcome.is_found or (text is not None and text in outcome.task.question):
        state = "found" if outcome.is_found else "not found"
        print(f"{state}, {outcome.session.result_bytes:,} bytes: {outcome.task.question}")
        for call in outcome.session.calls:
            arguments = orjson.dumps(call.arguments).decode()
            print(f"    {call.result_bytes:,} bytes: {call.tool} {arguments}")


def _outcomes(checkout: Path) -> Iterator[Outcome]:
    with (
        _prepared(checkout) as (data, keys),
        running(ORGCTX["orgctx"], data, "", checkout) as server,
    ):
        for name, key in keys.items():
            chosen = [task for task in tasks() if task.organization == name]
            yield from replay(chosen, _send(server, key))


def _of_folder(folder: Path) -> Iterator[Outcome]:
    with (
        retrieval.prepared([folder], DATA_DIR) as (data, texts),
        running(ORGCTX["orgctx"], data, "") as server,
    ):
        yield from replay(tasks_of(texts), _send(server, data.key))


def _send(server: ServerProcess, key: str) -> Send:
    def send(method: str, params: Json) -> Json:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        request = Case(method, "/api/mcp", body=orjson.dumps(body)).request(key)
        _, _, answer = exchange(server.address, request)
        result: Json = orjson.loads(answer)["result"]
        return result

    return send


@contextmanager
def _prepared(checkout: Path) -> Iterator[tuple[Prepared, dict[str, str]]]:
    """Run PostgreSQL and Redis with both organizations. Yields also a key of each.

    A later run finds the data, unless the records or the schema have changed.
    """
    bundle = b"\n".join(map(orjson.dumps, [*organization.records(), *records(tasks())]))
    schema = b"".join(file.read_bytes() for file in sorted(checkout.glob("sql/schema/*.sql")))
    folder = DATA_DIR / sha256(schema + bundle).hexdigest()[:16]
    stored = folder / "keys.json"
    with servers(folder) as started:
        variables = environment(started.database_url, started.redis_url)
        if not stored.exists():
            print(f"Loading {len(bundle):,} bytes ...", file=sys.stderr)
            stored.write_bytes(orjson.dumps(_load(bundle, variables, checkout)))
        keys = orjson.loads(stored.read_bytes())
        yield Prepared(started.database_url, started.redis_url, "", variables), keys


def _load(bundle: bytes, variables: dict[str, str], checkout: Path) -> dict[str, str]:
    """Load the bundle with the commands of a checkout. Returns the keys by organization."""
    command(variables, "migrate", checkout=checkout)
    with NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(bundle)
        file.flush()
        command(variables, "load", file.name, checkout=checkout)
    approve = ("sources", "approve")
    command(variables, *approve, *DEMO, *organization.APPROVED, checkout=checkout)
    command(variables, *approve, "--all", *GENERATED, checkout=checkout)
    return {"demo": issue_key(variables, DEMO), "generated": issue_key(variables, GENERATED)}


if __name__ == "__main__":
    sys.exit(main())
