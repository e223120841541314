"""Check that the server can listen on its addresses, because gunicorn would retry many times."""

import errno
import os
import socket
import stat
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from orgctx.cli.errors import CommandError

ADVICE = {
    errno.EADDRINUSE: "The address is in use; stop the other process or choose another address.",
    errno.EACCES: "This user may not listen there; use a port above 1023 or another path.",
    errno.EADDRNOTAVAIL: "This machine does not have the address; use one of its own or 0.0.0.0.",
}


def check_free(addresses: Iterable[str]) -> None:
    """Raise CommandError unless the server can listen on all addresses.

    Args:
        addresses: each is HOST:PORT, unix:PATH or fd://NUMBER.
    """
    with ExitStack() as probes:
        for address in addresses:
            _check(address, probes)


def _check(address: str, probes: ExitStack) -> None:
    """Raise CommandError unless the server can listen on an address.

    probes: keeps the port bound, so that a repeated address fails.
    """
    try:
        if address.startswith("unix:"):
            _check_path(Path(address.removeprefix("unix:")))
        elif address.startswith("fd://"):
            if not stat.S_ISSOCK(os.fstat(int(address.removeprefix("fd://"))).st_mode):
                raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))
        else:
            _bind(address, probes)
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, f"{error.strerror}.")
        raise CommandError(f"Cannot listen on {address}. {advice}") from None


def _bind(address: str, probes: ExitStack) -> None:
    host, _, port = address.rpartition(":")
    family, kind, _, _, endpoint = socket.getaddrinfo(
        host.strip("[]") or "0.0.0.0",  # noqa: S104
        port,
        type=socket.SOCK_STREAM,
        flags=socket.AI_PASSIVE,
    )[0]
    probe = probes.enter_context(socket.socket(family, kind))
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(endpoint)
    # SO_REUSEADDR lets another socket bind the address until one listens.
    probe.listen()


def _check_path(path: Path) -> None:
    """Raise OSError if a process listens on the socket: gunicorn would replace it."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    elif path.exists():
        raise OSError(errno.EEXIST, f"{path} is not a socket")
    if not os.access(path.parent, os.W_OK):
        raise OSError(errno.ENOENT, f"{path.parent} is not a directory that this user may write to")
