"""`python -m tests.docs.diagrams` draws the mermaid diagrams of `docs/` for the site.

Needs Chromium, and mermaid from npm. `make site` needs neither, because the drawings are committed.
"""

import subprocess
import tarfile
import tempfile
from pathlib import Path

from deploy.site.diagrams import DRAWINGS, FENCE, drawing_path
from tests.docs.pages import ROOT
from tests.page.browser import chromium

MERMAID = "mermaid@12.3.0"
# htmlLabels: false makes labels SVG text; the colors are those of the site.
DRAW = """async ([id, source]) => {
    mermaid.initialize({
        startOnLoad: false, deterministicIds: true, theme: "base", htmlLabels: false,
        flowchart: { htmlLabels: false, useMaxWidth: true }, fontFamily: "inherit",
        themeVariables: {
            primaryColor: "#e0f2f1", primaryBorderColor: "#00897b", primaryTextColor: "#1b2b2a",
            lineColor: "#00897b", clusterBkg: "#f4faf9", clusterBorder: "#80cbc4",
            edgeLabelBackground: "#ffffff", fontSize: "14px",
        },
    });
    return (await mermaid.render(id, source)).svg;
}"""


def main() -> None:
    """Draw all diagrams, and remove drawings without a diagram."""
    pages = [path.read_text("utf-8") for path in ROOT.glob("docs/**/*.md")]
    sources = [source for page in pages for source in FENCE.findall(page)]
    DRAWINGS.mkdir(exist_ok=True)
    for path in {*DRAWINGS.glob("*.svg")} - {drawing_path(source) for source in sources}:
        path.unlink()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        command = ("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder)
        subprocess.run([*command, MERMAID], check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).iterdir()
        with tarfile.open(archive) as package:
            package.extract("package/dist/mermaid.min.js", folder, filter="data")
        page = browser.new_page()
        page.set_content("<!doctype html><body></body>")
        page.add_script_tag(path=Path(folder) / "package/dist/mermaid.min.js")
        for source in sources:
            path = drawing_path(source)
            svg = page.evaluate(DRAW, [f"diagram-{path.stem}", source])
            path.write_text(svg + "\n", "utf-8")
    print(f"{len(sources)} drawings in {DRAWINGS}")


if __name__ == "__main__":
    main()
