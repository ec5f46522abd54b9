"""A question on the screen: where it stands below the table, and with which keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from porto_cli.term import BOLD, DIM, Line, Screen, cells, folded, padded, width_of
from porto_cli.term.controls import BELOW_CHOICES, Control, Key, Menu, On, hints
from porto_cli.term.prompt import Above, signs_of

QUESTION, LEAST_QUESTION, MOST_QUESTION = 8, 5, 14
"""Rows that a question keeps below the table, whatever is asked, on a screen of
:data:`ROWS`, on the lowest and on the highest; a longer menu scrolls."""
ROWS = 24
"""Rows from which on a question gets one of each four more."""
_GAP = 3
"""Columns at least in front of keys."""


class Framed:
    """A question with the scene above it, its choices or text below it, and its keys."""

    def __init__(
        self,
        question: str,
        asked: Control,
        keys: Callable[..., Sequence[Key]],
        above: Above | None = None,
        *,
        is_staged: bool,
    ) -> None:
        """``keys`` returns all of them, with those of more ``boards`` or without. A question on a
        stage has all rows of the screen that the scene ``above`` it leaves.
        """
        self.asked, self.keys, self.above, self.is_staged = asked, keys, above, is_staged
        self.title = [("? ", BOLD), (question, BOLD)]
        self._known: dict[tuple[Screen, int, str], tuple[list[Line], list[str], bool]] = {}

    def scene(self, screen: Screen, rows: int) -> list[Line]:
        """Draw the scene, and the question with most keys."""
        return self._drawn(screen, rows)[0]

    def choices(self, screen: Screen, rows: int) -> list[Line]:
        """Draw what is below the question, on a stage in all rows that are left; the last one
        always has what Enter does.
        """
        lines, named, _ = self._drawn(screen, rows)
        room = max(1, rows - len(lines) - (self.asked.on is On.TEXT) - 1)
        drawn = self.asked.lines(screen, room)[:room]
        blanks = [Line()] * (room - len(drawn) if self.is_staged else 0)
        return [*drawn, *blanks, last_row(self.asked.enter(), named, screen.width - 1)]

    def has_boards(self, screen: Screen, rows: int) -> bool:
        """Return whether there are boards of others to show, as not all are in sight."""
        return self._drawn(screen, rows)[2]

    def turn(self) -> None:
        """Show the boards of the next player."""
        if turn := getattr(self.above, "turn", None):
            turn()
        self._known.clear()

    def _drawn(self, screen: Screen, rows: int) -> tuple[list[Line], list[str], bool]:
        """Return what is above the choices, the keys below them, and whether there are boards to
        turn to. It is drawn once for what the choices show on the table.
        """
        given = screen, rows, self.asked.move_shown()
        if given not in self._known:
            self._known[given] = self._draw(*given)
        return self._known[given]

    def _draw(self, screen: Screen, rows: int, move: str) -> tuple[list[Line], list[str], bool]:
        """See :meth:`_drawn`."""
        asking = folded(self.title, screen.width, 2)
        scene = self._scene(self.above, screen, rows, move, len(asking)) if self.above else []
        # Only what has drawn itself knows that.
        boards = getattr(self.above, "turns", False)
        named = hints(self.keys(boards=boards))
        below = [one for one in named if one.split()[0] in BELOW_CHOICES]
        behind = [one for one in named if one not in below]
        last = with_keys(asking[-1:], behind, screen.width - 1)
        return [*scene, *asking[:-1], last], below, boards

    def _scene(self, above: Above, screen: Screen, rows: int, move: str, asking: int) -> list[Line]:
        """Draw the scene above a question of so many rows (``asking``)."""
        # Below the question are at least a choice or a text, what Enter does, a line.
        kept = question_rows(rows)
        whole = asking + self.asked.most_rows(screen.width)
        if getattr(above, "fills", False):
            kept = min(kept, max(QUESTION, whole))
        room = rows - max(kept, asking + 3)
        # What is idle on the table gives its rows to a list whose moves would scroll.
        signs = signs_of(self.asked.given) if isinstance(self.asked, Menu) else []
        scene = above.lines(screen, room, move, max(0, whole - kept - len(signs)))
        # So does what is empty: at its end, or where nothing shows on it, anywhere.
        first = -1 if self.asked.shows_moves else 0
        while len(scene) + whole > rows and [] in scene[first:]:
            del scene[-1 - scene[::-1].index([])]
        return scene + [Line()] * (len(scene) + whole < rows and scene[-1:] != [[]])


def question_rows(rows: int) -> int:
    """Return how many of the rows of a screen a question keeps."""
    if rows < ROWS:
        return max(LEAST_QUESTION, min(QUESTION, rows * 3 // 8))
    return min(MOST_QUESTION, QUESTION + (rows - ROWS) // 4)


def with_keys(ways: Iterable[Line], keys: Sequence[str], width: int) -> Line:
    """Return a line with keys at the right, the first one at the edge, so that each is always in
    the same place: the first of some ``ways`` to say it that leaves room for all of them, before
    any of them gives way.
    """
    ways, found = [*ways], Line()
    for count in range(len(keys), -1, -1):
        named = ", ".join(reversed(keys[:count]))
        for found in ways:
            room = width - cells(named)
            if width_of(found) + _GAP * bool(named) <= room:
                return [*padded(found, room), (named, DIM)]
    return found


def last_row(does: str, keys: Sequence[str], width: int) -> Line:
    """Return the row below a question: what Enter does, in fewer words if need be, and the keys."""
    return with_keys(([(f"  {one}", BOLD)] for one in _shorter(does)), keys, width)


def _shorter(does: str) -> Iterator[str]:
    """Yield a sentence like ``Enter: build red-1 (2 VP: free)``, and what is left of it without its
    last phrases, one after the other; then with ``r1`` for ``red-1``, as it is typed, at last its
    first words.
    """
    yield does
    what, colon, said = does.partition(": ")
    for end in reversed([one.start() for one in re.finditer(r" \(|[,:;] ", said)]):
        closed = ")" * (said[:end].count("(") - said[:end].count(")"))
        yield f"{what}{colon}{said[:end]}{closed}"
    does = re.sub(r"\b([a-z])[a-z]+-(?=\d)", r"\1", does)
    yield does
    if what != "Enter":
        yield what
    words = does.split()
    yield from (f"{' '.join(words[:count])} …" for count in range(len(words) - 1, 1, -1))
