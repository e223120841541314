"""A fault explains the failures in its window, and the seed decides the order of faults."""

from functools import partial
from math import inf
from pathlib import Path
from threading import Event

import pytest

from tests.gameday import faults
from tests.gameday.faults import Fault, Faults, Part
from tests.soak.report import write


def parts(events: list[str]) -> list[Part]:
    return [
        Part(name, partial(events.append, f"-{name}"), partial(events.append, f"+{name}"), 2)
        for name in "abcde"
    ]


def test_faults_explain_failures_from_the_kill_until_the_window_closes() -> None:
    schedule = Faults(parts([]), 1, lambda: True)
    fault = Fault(schedule._parts[0], began_at=10, restarted_at=13)
    schedule.all.append(fault)
    for since, until, is_explained in (
        (8, 9.9, False), (9, 10, True), (12, 12.5, True), (14.9, 30, True), (15.1, 15.2, False),
    ):  # fmt: skip
        assert (schedule.at(since, until) is fault) == is_explained
    fault.restarted_at = inf
    assert schedule.at(10_000, 10_001) is fault


def test_faults_kill_each_part_once_in_the_order_of_the_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(faults, "DOWN_SECONDS", (0.0, 0.0))
    orders = []
    for seed in (1, 1, 2):
        events: list[str] = []
        Faults(parts(events), seed, lambda: True).run(Event(), 0)
        assert sorted(events[::2]) == [f"-{name}" for name in "abcde"]
        assert [event[1] for event in events[::2]] == [event[1] for event in events[1::2]]
        orders.append(events)
    assert orders[0] == orders[1] != orders[2]


def test_summary_is_written_outside_the_tree_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree, temporary, told = tmp_path / "tree", tmp_path / "temporary", tmp_path / "told/it.md"
    for folder in (tree, temporary):
        folder.mkdir()
    monkeypatch.chdir(tree)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    write("gameday", ["a line"], [])
    write("gameday", ["a line"], [], told)
    (path,) = temporary.rglob("*.md")
    assert path.read_text() == told.read_text()
    assert str(path) in capsys.readouterr().err
    assert not [*tree.iterdir()]
