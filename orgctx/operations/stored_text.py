"""Compute on stored texts without keeping the worker busy.

This is the only module that does: a text may be long, and made to be slow. A text is folded once,
then compared with `in` and `find`, which take linear time. A tool examines at most MOST_CHARACTERS,
and lets other greenlets run after each SLICE_CHARACTERS, of which the slowest take about 15 ms. A
request that is past its deadline gives up there. Longer comparisons belong to SQL.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from typing import NamedTuple

from orgctx.schemas.text import SEPARATOR, UNSPACED, fold, utf16_length
from orgctx.stores.deadline import Deadline, let_others_run

SLICE_CHARACTERS = 4_096
MOST_CHARACTERS = 1_000_000
# A line costs as much as so many more characters.
LINE_CHARACTERS = 32
# A text is folded in pieces, so that a match can be traced back to the characters of the text.
PIECE_CHARACTERS, BOUNDARY_CHARACTERS = 256, 64
# Between these characters, a text can be folded in two parts: the first has some width and is no
# white space, the second is a letter or digit that is no part of another one.
BOUNDARY = re.compile(r"(?<=[^\W_])(?=[^\W\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc])")


class TextWork:
    """The work of one tool call on stored texts, as far as it is allowed."""

    __slots__ = ("_deadline", "_since_switch", "left")

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._since_switch = 0
        self.left = MOST_CHARACTERS

    def spend(self, count: int) -> bool:
        """Count characters before they are examined; return whether they may be.

        Lets other greenlets run after SLICE_CHARACTERS. Raises RequestTimeout past the deadline.
        """
        if count > self.left:
            return False
        self.left -= count
        self._since_switch += count
        if self._since_switch >= SLICE_CHARACTERS:
            self._since_switch = 0
            let_others_run()
            self._deadline.left()
        return True

    def pieces(self, text: str) -> Iterator[str]:
        """Yield the text in pieces that can be folded one by one, as far as it may be examined."""
        start = 0
        while start < len(text):
            near = start + PIECE_CHARACTERS
            boundary = BOUNDARY.search(text, near, near + BOUNDARY_CHARACTERS)
            end = boundary.start() if boundary else near
            piece = text[start:end]
            if not self.spend(len(piece)):
                return
            yield piece
            start = end

    def lines(self, text: str) -> Iterator[str]:
        """Yield the lines of a text, as far as it may be examined."""
        start = 0
        while start <= len(text):
            end = text.find("\n", start)
            line = text[start : end if end >= 0 else len(text)]
            if not self.spend(len(line) + LINE_CHARACTERS):
                return
            yield line
            start += len(line) + 1


# What a word is made of, in a script with spaces; and how many letters a form has after the stem.
LETTER = re.compile(f"[^{SEPARATOR}{UNSPACED}]")
LETTERS, MOST_ENDING = re.compile(f"{LETTER.pattern}*"), 4
FENCE = re.compile(r" {0,3}(```|~~~)")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(?=\S)")


class Heading(NamedTuple):
    """A heading of a Markdown text. title: the rest of its line. start: of the line, in units."""

    level: int
    title: str
    start: int


def headings(text: str, work: TextWork) -> Iterator[Heading]:
    """Yield the headings of a Markdown text, without those in code, as far as `work` allows."""
    start, fence = 0, None
    for line in work.lines(text):
        mark = FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None and (match := HEADING.match(line)):
            yield Heading(len(match[1]), line[match.end() :], start)
        start += 1 + utf16_length(line)


class Match(NamedTuple):
    """Where a term is in a text, in code points."""

    start: int
    end: int


class Occurrence(NamedTuple):
    """Where a word is in a folded text: `word`, `form` of it, or `inside` a longer word."""

    start: int
    end: int
    kind: str


def occurrences(folded: str, word: str, stem: str, work: TextWork) -> Iterator[Occurrence]:
    """Yield where a folded text has a word, its forms, or longer words with its stem.

    word, stem: folded too.
    """
    place = folded.find(stem)
    # Finding is at least 16 times as fast as folding.
    while place >= 0 and work.spend(1) and stem:
        end = place + len(stem)
        # After a space or a sign, letters are another word.
        goes_on = LETTER.match(stem[-1])
        rest = LETTERS.match(folded, end, end + MOST_ENDING + 1) if goes_on else None
        end += len(rest[0]) if rest else 0
        kind = "word" if folded[place:end] == word else "form"
        if end - place - len(stem) > MOST_ENDING or (place and LETTER.match(folded[place - 1])):
            kind = "inside"
        yield Occurrence(place, end, kind)
        place = folded.find(stem, place + 1)
    work.spend(len(folded) // 16)


class Folded:
    """A text that is folded once, to find any number of terms in it, as far as `work` allows."""

    def __init__(self, text: str, work: TextWork) -> None:
        self._work = work
        self._pieces: list[str] = []
        # Where each piece starts, in the text and folded.
        self._starts, self._folded_starts = [0], [0]
        parts, last = [], ""
        for piece in work.pieces(text):
            part = fold(piece)
            if part[:1] == last == " ":
                # A long run of white space.
                part = part[1:]
            last = part[-1:] or last
            self._pieces.append(piece)
            parts.append(part)
            self._starts.append(self._starts[-1] + len(piece))
            self._folded_starts.append(self._folded_starts[-1] + len(part))
        self.folded = "".join(parts)

    def __contains__(self, term: str) -> bool:
        return self._place(fold(term), 0) >= 0

    def find(self, term: str, most: int, start: int = 0) -> Iterator[Match]:
        """Yield at most `most` matches of a term that begin at `start` or later, in order.

        Matches do not overlap.
        """
        wanted = fold(term)
        place = self._folded_starts[bisect(self._starts, start) - 1]
        while most and wanted and (place := self._place(wanted, place)) >= 0:
            match = Match(self._original(place), self._end(place + len(wanted)))
            if match.start >= start:
                most -= 1
                yield match
            place += len(wanted)

    def _place(self, wanted: str, start: int) -> int:
        """Return where a folded term is next, or -1."""
        place = self.folded.find(wanted, start)
        examined = (place if place >= 0 else len(self.folded)) - start
        # Finding is at least 16 times as fast as folding.
        return place if self._work.spend(examined // 16 + 1) else -1

    def _original(self, place: int) -> int:
        """Return which character of the text became the folded one at a place."""
        start, piece, place = self._piece(place)
        index = self._folded_to(piece, place)
        # White space between Chinese or Japanese characters is left out.
        is_space = fold(piece)[place] == " "
        while index + 1 < len(piece) and not (is_space or fold(piece[index]).strip()):
            index += 1
        return start + min(index, len(piece) - 1)

    def _end(self, place: int) -> int:
        """Return where the characters end that became the folded ones before a place."""
        start, piece, last = self._piece(place - 1)
        # A mark belongs to its letter, and one character may become two.
        return max(start + self._folded_to(piece, last + 1), self._original(place - 1) + 1)

    def _piece(self, place: int) -> tuple[int, str, int]:
        """Return the start and text of the piece with a folded character, and its place in it."""
        number = bisect(self._folded_starts, place, hi=len(self._pieces)) - 1
        return self._starts[number], self._pieces[number], place - self._folded_starts[number]

    def _folded_to(self, piece: str, count: int) -> int:
        """Return how many characters of a piece become at most `count` folded ones."""
        # Each step of the bisection folds a part of the piece.
        self._work.spend(4 * len(piece))
        lengths = range(1, len(piece) + 1)
        return bisect(lengths, count, key=lambda length: len(fold(piece[:length])))
