"""Check that an address is free, because a server would retry it many times."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from orgctx.cli.errors import CommandError

ADVICE = {
    errno.EADDRINUSE: "is taken: end what listens there, or choose another",
    errno.EACCES: "is not for this user: choose a port above 1023, or another place",
    errno.EADDRNOTAVAIL: "is no address of this machine: choose one that is, such as 0.0.0.0",
}


def check_free(addresses: Iterable[str]) -> None:
    """Raise CommandError unless a server may listen at all of these. addresses: HOST:PORT,
    unix:PATH or fd://NUMBER."""
    with ExitStack() as probes:
        for address in addresses:
            _check(address, probes)


def _check(address: str, probes: ExitStack) -> None:
    """probes: keeps the port, so that no later address may be the same."""
    try:
        if address.startswith("unix:"):
            _check_path(Path(address.removeprefix("unix:")))
        elif address.startswith("fd://"):
            _check_descriptor(int(address.removeprefix("fd://")))
        else:
            _bind(address, probes)
    except socket.gaierror as error:
        raise CommandError(f"cannot listen on {address}: {error.strerror}") from None
    except OSError as error:
        raise refusal(address, error) from None


def refusal(address: str, error: OSError) -> CommandError:
    """The error for the operator. address: as given."""
    advice = ADVICE.get(error.errno or 0, f"cannot be listened on: {error.strerror}")
    return CommandError(f"{address} {advice}")


def _bind(address: str, probes: ExitStack) -> None:
    host, _, port = address.rpartition(":")
    for family, kind, _, _, place in socket.getaddrinfo(
        host.strip("[]") or "0.0.0.0",  # noqa: S104
        port,
        type=socket.SOCK_STREAM,
        flags=socket.AI_PASSIVE,
    )[:1]:
        probe = probes.enter_context(socket.socket(family, kind))
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(place)
        # Otherwise the same address could be bound again.
        probe.listen()


def _check_descriptor(number: int) -> None:
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))


def _check_path(path: Path) -> None:
    """Raise if somebody listens on the socket, because gunicorn would replace it."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    elif path.exists():
        raise OSError(errno.EEXIST, f"{path} is a file")
    if not os.access(path.parent, os.W_OK):
        raise OSError(errno.ENOENT, f"{path.parent} is no directory that this user may write to")
