"""Small git repositories that git itself makes, and the dates that it reports."""

import os
import subprocess
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
}  # fmt: skip


def git(folder: Path, *arguments: object, day: int = 1) -> str:
    """Run git in a folder, as if on a day of 2024."""
    month, date = divmod(day - 1, 28)
    time = f"2024-{month + 1:02}-{date + 1:02}T00:00:00Z"
    environment = {**os.environ, **IDENTITY, "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
    result = subprocess.run(
        ["git", *map(str, arguments)],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return result.stdout


def commit(folder: Path, day: int, **files: str) -> None:
    """Write files, named for their stem, and commit everything."""
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", f"day {day}", day=day)


def logged(folder: Path, path: str) -> tuple[int, int]:
    """When git says that a path was first and last committed."""
    times = [
        int(line)
        for line in git(
            folder, "log", "--full-history", "--no-merges", "--format=%ct", "--", path
        ).split()
    ]
    return min(times), max(times)
