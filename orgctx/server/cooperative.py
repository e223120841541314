"""Let the standard library's blocking calls give way to other greenlets."""

from __future__ import annotations

from importlib import metadata

from gevent import monkey


def patch() -> None:
    """Apply all of gevent's patches.

    gevent looks for subscribers to each of its 25 events, and each look reads what every installed
    package says about itself, so that is read once for all of them.
    """
    look, found = metadata.entry_points, metadata.entry_points()
    metadata.entry_points = found.select
    try:
        monkey.patch_all()
    finally:
        metadata.entry_points = look
