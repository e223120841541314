"""What commands print while they work."""

import pytest

from orgctx.cli import output


def test_bar_prints_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(output.progress_bar([1, 2], "Quick")) == [1, 2]
    monkeypatch.setattr(output, "LINE_SECONDS", 0)
    with output.progress_bar(total=100, unit="B"):
        assert list(output.progress_bar([1, 2], "Indexing chats")) == [1, 2]
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("0%|")
    assert "Quick" not in str(lines)
    assert [line[:20] for line in lines[1:]] == [
        f"Indexing chats: {share}%" for share in ("  0", " 50", "100")
    ]
    assert all("<" in line and line.isprintable() for line in lines)
