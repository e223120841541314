"""Which errors a fault excuses, and that a seed decides the order."""

from __future__ import annotations

from math import inf
from threading import Event

import pytest

from tests.gameday import faults
from tests.gameday.faults import Fault, Faults, Part


def parts(seen: list[str]) -> list[Part]:
    return [
        Part(name, "", lambda name=name: seen.append(f"-{name}"),  # type: ignore[misc]
             lambda name=name: seen.append(f"+{name}"), 2)  # type: ignore[misc]
        for name in "abcde"
    ]  # fmt: skip


def test_an_error_is_excused_from_the_kill_until_the_window_closes() -> None:
    found = Faults(parts([]), 1, lambda: True)
    fault = Fault(found._parts[0], began=10, restarted=13)
    found.all.append(fault)
    for since, until, is_excused in (
        (8, 9.9, False), (9, 10, True), (12, 12.5, True), (14.9, 30, True), (15.1, 15.2, False),
    ):  # fmt: skip
        assert (found.excuse(since, until) is fault) == is_excused
    fault.restarted = inf
    assert found.excuse(10_000, 10_001) is fault


def test_each_part_is_lost_once_in_the_order_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "AWAY_SECONDS", (0.0, 0.0))
    orders = []
    for seed in (1, 1, 2):
        seen: list[str] = []
        script = Faults(parts(seen), seed, lambda: True)
        script.run(Event(), 0)
        assert sorted(seen[::2]) == [f"-{name}" for name in "abcde"]
        assert [one[1] for one in seen[::2]] == [one[1] for one in seen[1::2]]
        orders.append(seen)
    assert orders[0] == orders[1] != orders[2]
