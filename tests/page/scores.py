"""Lighthouse's scores of the page: `python -m tests.page.scores [RUNS]` on a quiet machine.

The scores of performance depend on the machine, so no test asserts them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.page.screenshots import demo
from tests.page.tools import FOLDER, install

FORMS = {"desktop": ("--preset=desktop",), "mobile": ()}
TIMELESS = ("accessibility", "best-practices", "seo")


def scores(url: str, form: str, *options: str) -> dict[str, int]:
    """Return the scores, from 0 to 100, by category. options: of lighthouse's command."""
    chromium = shutil.which("chromium")
    assert chromium, "Debian's package chromium is missing; .ci/packages.txt lists it"
    program = install(FOLDER / "lighthouse") / ".bin/lighthouse"
    command: list[str | Path] = [
        program, url, *FORMS[form], *options, "--quiet", "--output=json",
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ]  # fmt: skip
    environment = {**os.environ, "CHROME_PATH": chromium}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
    categories = json.loads(done.stdout)["categories"].values()
    return {category["id"]: round(100 * category["score"]) for category in categories}


def main() -> None:
    """Print the scores of the demo's start page, per run."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with demo() as (base_url, _, _):
        for form in FORMS:
            for _ in range(runs):
                print(form, scores(f"{base_url}/", form))


if __name__ == "__main__":
    main()
