"""Run `uv pip install`, else `pip install` and print how far it is: install.py OPTIONS."""

import re
import shutil
import subprocess
import sys

PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off")
# A terminal shows one line that changes; a log gets few lines.
EVERY = 1 if sys.stdout.isatty() else 25
START, END = ("\r\033[K", "") if sys.stdout.isatty() else ("", "\n")


def main() -> int:
    """Install, and return the exit status."""
    if uv := shutil.which("uv"):
        # uv does not read pip's configuration, such as its index.
        command = [uv, "pip", "install", "--quiet", "--python", sys.executable, *sys.argv[1:]]
        if subprocess.call(command) == 0:  # noqa: S603
            return 0
    count = 0
    command = [*PIP, *sys.argv[1:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pip:  # noqa: S603
        assert pip.stdout is not None
        for line in pip.stdout:
            if re.match(r"(Collecting|Processing) ", line):
                count += 1
                if count % EVERY == 0:
                    show(f"Collected {count} packages ...")
            elif line.startswith("Installing collected packages"):
                show(f"Installing {count} packages ...")
            elif line.startswith("Successfully installed"):
                show(f"Installed {count} packages.")
    if START:
        print()
    return pip.returncode


def show(text: str) -> None:
    print(START + text, end=END, flush=True)


if __name__ == "__main__":
    sys.exit(main())
