"""Run the load of the soak on a fleet of its own, check every answer and print a summary.

Each part of the fleet is killed and restarted once; the seed decides the order.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.gameday.faults import Faults
from tests.gameday.stage import Stage, stage
from tests.soak import world
from tests.soak.__main__ import rows
from tests.soak.answers import Answers
from tests.soak.changes import Changes
from tests.soak.clients import Clients
from tests.soak.requests import exchange, requests
from tests.soak.run import alongside, learn
from tests.support.written import written

CLIENTS = 8
ANSWER_PAUSE, CHANGE_PAUSE = 0.001, 0.5  # seconds after each answer, and after each change


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gameday", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        written.begin(folder / "written")
        with stage(folder) as fleet:
            return gameday(fleet, folder, 60 * options.minutes, options.seed)


def gameday(fleet: Stage, folder: Path, seconds: float, seed: int) -> int:
    """Run a game day on an empty fleet. Returns 1 if an answer was wrong or a write was lost."""
    world.prepare(fleet.deployment, folder)
    changes, faults = Changes(fleet.deployment, folder), Faults(fleet.parts(), seed, fleet.is_ready)
    address = ("127.0.0.1", fleet.balancer.port)
    clients = Clients(address, Answers(), changes, requests(), faults.tolerates)
    learn(clients)
    changes.may_fail = lambda begin, end: faults.at(begin, end) is not None
    began_at = monotonic()

    def is_over() -> bool:
        return faults.is_over and monotonic() > began_at + seconds

    with alongside(
        lambda ended: changes.run(ended, CHANGE_PAUSE), lambda ended: faults.run(ended, seconds)
    ):
        clients.run(CLIENTS, is_over, ANSWER_PAUSE)
    fleet.await_ready()
    lost = [*lost_writes(clients)]
    print(*rows(clients), f"changes: {dict(sorted(changes.done.items()))}", sep="\n")
    print(*(fault.summary(began_at) for fault in faults.all), sep="\n")
    print(f"confirmed writes lost: {len(lost)}", *clients.errors, *lost[:20], sep="\n")
    return 1 if clients.errors or lost else 0


def lost_writes(clients: Clients) -> Iterable[str]:
    """Yield the answers that do not show the last confirmed state."""
    connection = clients.connection()
    for holder in clients.changes.lasting:
        state = clients.changes.states[holder.marker].newest
        for request in clients.requests:
            answer = exchange(connection, request, holder.key)
            if answer != clients.answers.of(holder.reader, state, request):
                yield f"{request} of {holder.reader} in {state}: {answer[0]}"
    connection.close()


if __name__ == "__main__":
    sys.exit(main())
