"""What the server's start leaves behind for its workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PATCH = """
from importlib import metadata
look, looks = metadata.entry_points, []
metadata.entry_points = counting = lambda **sought: looks.append(sought) or look(**sought)
from orgctx.server import cooperative
cooperative.patch()
from gevent import monkey
assert all(monkey.is_module_patched(name) for name in ("socket", "ssl", "threading", "time"))
assert metadata.entry_points is counting
print(len(looks))
"""
SUBSCRIBER = """
def note(event):
    print(type(event).__name__)
"""
START = """
import gc
from orgctx import gunicorn
assert not gc.isenabled()
gunicorn.when_ready(None)
assert gc.isenabled()
assert gc.get_freeze_count() > len(gc.get_objects())
"""
PLACES = {
    "ORGCTX_DATABASE_URL": "postgresql://nobody@127.0.0.1/none",
    "ORGCTX_REDIS_URL": "redis://127.0.0.1:1",
}


def test_metadata_are_read_once_and_each_subscriber_to_gevents_patches_is_called(
    tmp_path: Path,
) -> None:
    (tmp_path / "subscriber.py").write_text(SUBSCRIBER)
    (known := tmp_path / "subscriber-1.dist-info").mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: subscriber\nVersion: 1\n")
    (known / "entry_points.txt").write_text(
        "[gevent.plugins.monkey.did_patch_all]\nnote = subscriber:note\n"
    )
    assert _printed(PATCH, PYTHONPATH=str(tmp_path)) == ["GeventDidPatchAllEvent", "1"]


def test_garbage_is_collected_after_the_start_and_what_was_loaded_is_left_in_place() -> None:
    assert _printed(START, **PLACES) == []


def _printed(program: str, **environment: str) -> list[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
