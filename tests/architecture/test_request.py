"""docs/architecture.md lists the functions of a request in the order in which they are called."""

import re
import sys
from types import FrameType
from typing import Any

from tests.architecture.modules import PACKAGE
from tests.support import factories as make
from tests.support.deployment import Deployment

STEP = re.compile(r"^\d+\. `orgctx/(\S+)` `([\w.]+)`", re.MULTILINE)
MOST = 20


def documented() -> list[tuple[str, str]]:
    text = PACKAGE.with_name("docs").joinpath("architecture.md").read_text("utf-8")
    return STEP.findall(text)


def test_architecture_names_the_functions_of_a_request(acme: Deployment) -> None:
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            name = code.co_qualname.rpartition("<locals>.")[2]
            called.append((code.co_filename.removeprefix(f"{PACKAGE}/"), name))

    with acme.client(acme.issue_key(make.ACME, make.OWNER)) as client:
        # The first two requests look up the caller and open connections.
        for _ in range(2):
            client.get("/api/v1/people?q=ada")
        sys.setprofile(note)
        try:
            response = client.get("/api/v1/people?q=ada")
        finally:
            sys.setprofile(None)
    assert response.status_code == 200
    assert 10 < len(documented()) <= MOST
    calls = iter(called)
    for step in documented():
        assert step in calls, f"docs/architecture.md: {step} is not called, or not in this order"
