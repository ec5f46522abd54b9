"""The table above a question: the same rows in the same place, whatever is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import NamedTuple

from porto_cli.core import enumerated
from porto_cli.paper import SIGNS, Chunk, Flow, put
from porto_cli.seam import IDLE, SEEN, News, Short
from porto_cli.term import (
    BOLD,
    PLAIN,
    Line,
    Screen,
    cells,
    cut_line,
    flow,
    folded,
    text_of,
    width_of,
    wrapped,
)
from porto_cli.term.prompt import (
    TABLE_KEY,
)

# A game says once what can be seen of its table, as panes (``Pane``). Each pane has one or more
# forms with a fixed number of rows, and every form has a rank. While there are rows left, the forms
# get theirs in the order of their ranks; that is the only rule for what gives way. So the size of
# the terminal and the number of players decide where everything is, and no phase, move or hint
# does. A form can be one that only a narrow screen needs, or only what was built so far.

HEAD = 11
"""Columns of the labels at the left."""
MARGIN = 1
_FEW_ROWS, _MORE_ROWS = 2, 4
"""Rows of the pane for the last move, hints and notes, on a low screen and on a high one."""
_LOW, _HIGH = 14, 24
"""Rows above the question, with fewer of which a list that scrolls gets one of these; and from
which a screen is high."""

Draw = Callable[[Screen], list[Line]]


class PaneForm(NamedTuple):
    """One way to show a part of the table.

    ``rank``    forms get their rows in this order, the lowest first
    ``rows``    how many rows it has
    ``draw``    what fills them
    ``built``   it shows all that players have built
    ``needed``  whether this screen needs it, because a smaller form cannot show all
    ``urgent``  it may take a row from what happened last
    ``steady``  its rank while more than usual is said, so that it stays; 0 for none
    ``idle``    the decision of now can do without it: its rows go to a list that would scroll
    """

    rank: int
    rows: int
    draw: Draw
    built: bool = False
    needed: Callable[[Screen], bool] = lambda screen: True
    urgent: bool = False
    steady: int = 0
    idle: bool = False


NOTES = 100
"""The rank of the notes of a score sheet, behind which a table gives way after the end."""
Pane = Sequence[PaneForm]
"""A part of the table, in its forms, from the smallest to the largest."""

Panes = Callable[[str, int], Sequence[Pane]]
"""Returns the table, from top to bottom: with what a move would change (empty for none), and with
the boards of the player who sits so many seats behind the reader.
"""


@dataclass(eq=False)
class Scene:
    """The table above a question, with what happened last, see
    :class:`~porto_cli.term.prompt.Above`.

    ``title``   how far the game is, and what else always has to be seen, the most important first
    ``panes``   the table
    ``news``    what happened since the reader's last move
    ``spoken``  whose turn it is and what matters of the table in sentences, for those who hear it
    ``boards``  how many players have boards that are not all shown on a low screen
    ``turns``   whether the boards of another player can be shown, as not all were drawn
    ``why``     why the game is over, if it is
    ``preview`` what a move that is not made yet would change and bring, in a few words and in
                fewer: at the right of the title, or in the last row; none if that is nothing
    ``said``    what is said besides what happened
    ``note``    a hint, in place of the news
    """

    title: Sequence[str]
    panes: Panes
    news: Sequence[News]
    spoken: Callable[[], Iterable[str]]
    boards: int = 0
    why: str = ""
    preview: Callable[[str], Sequence[str]] = lambda move: ()
    said: Sequence[str] = ()
    note: str = ""
    turns: bool = field(default=False, init=False)
    _turned: int = 0
    _wanted: dict[tuple[int, int], int] = field(default_factory=dict)

    def turn(self) -> None:
        """Show the boards of the next player, where there is somebody else."""
        self._turned = (self._turned + 1) % max(1, self.boards)

    def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
        """Return at most so many rows, with what a move would change: as many as the table has, and
        as what happened needs, which no move changes. Where more are ``wanted`` for the question,
        what is idle gives them, then what happened last. What was idle for one question stays away
        for all of a decision.
        """
        size = screen.width, rows
        idle = self._wanted[size] = max(wanted, self._wanted.get(size, 0))
        inner = screen._replace(width=screen.width - 2 * MARGIN)
        said = sum(len(wrapped(one, inner.width)) for one in self.said)
        usual = min(_MORE_ROWS if rows >= _HIGH else _FEW_ROWS, max(0, rows - 1))
        last = max(usual, min(said, rows // 2, rows - 1))
        gives = int(last > max(1, said))
        panes = self.panes(move, self._turned)
        forms = fit(panes, max(0, rows - 1 - usual), inner, last - usual, gives, idle)
        self.turns = self.boards > 1 and len(forms) > 0 and not any(one.built for one in forms)
        table = drawn(forms, inner)
        *_, beyond = _headed(self.title, (), screen.width)
        needs = len(self._last(inner.width, rows, beyond))
        least = last if said or self.note or rows >= _LOW else usual // 2
        last = max(0, rows - 1 - len(table))
        last = min(max(last - wanted, least), max(_FEW_ROWS, needs), last)
        preview = self.preview(move)
        head, beside, more = _headed(self.title, preview, screen.width)
        # What happened gives way to the preview; a hint, and what was said, do not.
        is_below = not beside and last and not (self.note or self.said)
        whole = [one for one in preview if cells(one) <= inner.width] or preview
        lowest: list[Line] = [[(one, BOLD)] for one in whole[:1] if is_below]
        last -= len(lowest)
        # Nothing shows the rest of what is only said here.
        rest = MORE if self.note else "" if self.said else REST
        told = self._last(inner.width, last, more)
        if told and (needs > last or text_of(told[-1]).endswith(REST)):
            # What is free below the table is for them.
            while table and not table[-1]:
                table.pop()
                last += 1
            told = self._last(inner.width, last, more)
        found = exactly(told, last, inner.width, rest)
        title = cut_line([(f" {head}", _TITLE)], screen.width)
        right = ((beside and f"{beside} ").rjust(screen.width - width_of(title)), _TITLE)
        below = (
            cut_line([(" " * MARGIN, PLAIN), *line] if line else line, screen.width)
            for line in (*table, *found, *lowest)
        )
        lines = [[*title, right], *below][: max(0, rows)]
        if screen.ascii:
            return [[(text.translate(_ASCII), style) for text, style in line] for line in lines]
        return lines

    @property
    def built(self) -> Sequence[Pane]:
        """What the players have built."""
        return [[form for form in pane if form.built] for pane in self.panes("", 0)]

    def sentences(self) -> Iterable[str]:
        """Return what happened, whose turn it is, and what matters of the table."""
        happened = [*self._happened()]
        return (*self.said, *happened, *(one for one in self.spoken() if one not in happened))

    def _happened(self) -> Iterator[str]:
        return (sentence for one in self.news for sentence in one.full)

    def _last(self, width: int, rows: int, more: Sequence[str]) -> list[Line]:
        """Return the hint; or what was said, on lines of its own, and what happened, with the rest
        of the title: in full, in short, or as much of it as fits. What weighs least is left out
        first, and the oldest of it, and it is said where that is, unless the table shows it. One
        alone may be too long.
        """
        if self.note:
            return _whole(self.note, width, rows)
        turns = [sorted(news.short, key=lambda one: one.weight) for news in self.news]
        short = [one for news in self.news for one in news.short]
        # Why the game ends is in the title, and is news in the turn in which that is sure.
        known = {one.text for one in short}.union(self._happened())
        more = [one for one in more if one not in known]
        places = range(len(short))
        # What weighs most of everybody's last turn stays the longest.
        ends = {one.who: one for turn in turns for one in turn if one.weight > SEEN}.values()
        least = sorted(places, key=lambda nth: (short[nth] in ends, short[nth].weight, nth))
        cuts = [([*more, *self._happened()], ""), ([*more, *joined(short)], "")]
        # The title has its rest again as soon as no move is pointed at, so that needs no mark.
        cuts += [(joined(short), "")] * bool(short)
        # What the table shows as well is not missed; and half of it would say something else.
        table = [sum(one.weight <= weight for one in short) for weight in (IDLE, SEEN)]
        for count in sorted({*table, *places[table[-1] :]}.intersection(places[1:])):
            rest = REST if count > table[-1] else ""
            cuts.append((joined(short[nth] for nth in sorted(least[count:])), rest))
        said = [line for one in self.said for line in wrapped(one, width)]
        ways = [[*said, *_set(some, width, rest)] for some, rest in cuts]
        if said:
            ways += [_marked(said, width, REST)] * bool(self.news) + [said]
        return first_that_fits(ways, rows)


_COUNTED = re.compile(r"\w+ (?=\d|an? |the )")
"""A verb before a number or an article, which is not said twice: ``loaded 2 corn, Rui 1 sugar``."""


def joined(told: Iterable[Short]) -> list[str]:
    """Return news in sentences; those about one player behind each other are one, and what others
    did as well goes on with that.
    """
    found, before = list[str](), ""
    for who, some in groupby(told, lambda one: one.who):
        texts = [one.text for one in some]
        if not all(text.startswith(f"{who} ") for text in texts):
            found, before = [*found, *texts], ""
            continue
        acts = [text.removeprefix(who).strip(" .") for text in texts]
        verbs = [counted[0] if (counted := _COUNTED.match(act)) else "" for act in acts]
        # What there is once, like a role, is done by nobody else.
        both = zip(acts, verbs, strict=True)
        alike = ["" if act.startswith(f"{verb}the ") else verb for act, verb in both]
        goes_on = {*alike} == {before} != {""}
        did = [
            act.removeprefix(verb) if verb == said else act
            for act, verb, said in zip(acts, verbs, [before * goes_on, *verbs], strict=False)
        ]
        if goes_on:
            name = "you" if who == "You" else who
            found[-1] = f"{found[-1].removesuffix('.')}, {name} {enumerated(did)}."
        else:
            found.append(f"{who} {enumerated(did)}.")
        before = alike[-1]
    return found


def _set(sentences: Sequence[str], width: int, rest: str) -> list[Line]:
    """Set sentences one behind the other, and what says where the rest is."""
    return _marked(wrapped(" ".join(sentences), width) if sentences else [], width, rest)


def _marked(lines: list[Line], width: int, rest: str) -> list[Line]:
    """Return lines with what says where the rest is behind them, which stays together."""
    end = flow([[(rest, PLAIN)]], width, first=[*lines[-1], (" ", PLAIN)]) if rest else lines[-1:]
    return [*lines[:-1], *end]


_TITLE = "bold reverse"
REST, MORE = "(press = for more)", "(press ! for more)"
"""What shows the rest of news, and of a hint, where not all fit."""
_ASCII = {**SIGNS, ord("…"): "~"}
"""Signs as letters of the same width."""


def _headed(
    title: Sequence[str], preview: Sequence[str], width: int
) -> tuple[str, str, Sequence[str]]:
    """Return as many sentences of a title as fit into a row, at least the first one; the preview if
    it fits beside that; and the rest of the title. All but the first sentence give way to the
    preview.
    """
    for beside in (*preview, ""):
        for count in range(len(title), 0, -1):
            said = " ".join(title[:count])
            if cells(f" {said}   {beside} " if beside else f" {said}") <= width:
                return said, beside, title[count:]
    return title[0], "", title[1:]


def _whole(text: str, width: int, rows: int) -> list[Line]:
    """Return as many of the first sentences of a text as fit into so many rows, and what shows
    more where that fits behind them. Only the first one can be cut: where a phrase of it ends, and
    never within parentheses.
    """
    first, *others = re.split(r"(?<=[.!?]) (?=[A-Z])", text)
    whole = ([first, *others[:count]] for count in range(len(others), -1, -1))
    ends = (end.start() for sign in (r" ", r"[,:;] | \(") for end in re.finditer(sign, first))
    parts = (first[:end] for end in [*ends][::-1])
    cut = ([f"{one} …"] for one in parts if one.count("(") == one.count(")"))
    ways = (_set(one, width, more) for one in chain(whole, cut) for more in (MORE, ""))
    return first_that_fits(ways, rows)


def fit(
    panes: Sequence[Pane],
    rows: int,
    screen: Screen,
    more_said: int = 0,
    more_if_urgent: int = 0,
    wanted: int = 0,
) -> list[PaneForm]:
    """Return the forms of a table in at most so many rows, or some more if that is urgent: they get
    theirs by their ranks, while there are any; what is left is for what happened last. What is said
    now needs some of them (``more_said``) that it does not need usually. What is idle gives way,
    the highest rank first, while more rows are ``wanted`` below than are left.
    """
    granted = _granted(panes, rows, screen, more_if_urgent)
    if more_said:
        usual = granted
        ways = (_held(pane, usual.get(nth)) for nth, pane in enumerate(panes))
        for held in zip(*ways, strict=True):
            granted = _granted(held, rows - more_said, screen, more_if_urgent)
            if all(nth in granted for nth in usual if held[nth] is not panes[nth]):
                break
    left = max(0, rows - more_said - sum(form.rows for form in granted.values()))
    for nth, form in sorted(granted.items(), key=lambda one: -one[1].rank):
        if form.idle and wanted > left:
            left += granted.pop(nth).rows
    return [granted[nth] for nth in sorted(granted)]


def drawn(forms: Iterable[PaneForm], screen: Screen) -> list[Line]:
    """Draw the forms of a table below each other."""
    return [line for form in forms for line in exactly(form.draw(screen), form.rows, screen.width)]


def _held(pane: Pane, usual: PaneForm | None) -> tuple[Pane, Pane, Pane]:
    """Return how a pane can be held while more is said, each way freer than the one before: where
    its usual form is a steady one or larger, that alone, then without the forms below the steady
    one; else, and last, as it is.
    """
    steady = next((nth for nth, form in enumerate(pane) if form.steady), len(pane))
    if usual is None or not any(form is usual for form in pane[steady:]):
        return pane, pane, pane
    rank, (first, *larger) = pane[steady].steady, pane[steady:]
    return [usual._replace(rank=rank)], [first._replace(rank=rank), *larger], pane


def _granted(
    panes: Sequence[Pane], rows: int, screen: Screen, more_if_urgent: int
) -> dict[int, PaneForm]:
    """Return the form that each pane has in so many rows, if it has any, by its place."""
    granted: dict[int, PaneForm] = {}
    left = rows
    ranked = [(form.rank, nth, form) for nth, pane in enumerate(panes) for form in pane]
    for _, nth, form in sorted(ranked, key=lambda one: one[:2]):
        more = form.rows - (granted[nth].rows if nth in granted else 0)
        if more <= left + more_if_urgent * form.urgent and form.needed(screen):
            granted[nth] = form
            left -= more
    return granted


def exactly(lines: list[Line], rows: int, width: int, key: str = f"({TABLE_KEY})") -> list[Line]:
    """Return lines in exactly so many rows; a mark behind the last whole word says that there would
    be more, and which ``key`` shows it.
    """
    if len(lines) <= rows:
        return [*lines, *([Line()] * (rows - len(lines)))]
    if not rows:
        return []
    *others, last = lines[:rows]
    mark = f" … {key}".rstrip()
    return [*others, [*folded(last, width - cells(mark))[0], (mark, PLAIN)]]


def first_that_fits(ways: Iterable[list[Line]], rows: int) -> list[Line]:
    """Return the first of some ways to draw the same that fits into so many rows, else the last."""
    found: list[Line] = []
    for found in ways:
        if len(found) <= rows:
            break
    return found


def row(label: str, *ways: Iterable[Chunk], gap: int = 2, rows: int = 1) -> Draw:
    """Return what draws a labeled row: in the first of some ways that fits, or else the last."""
    first: Chunk = [(label.ljust(HEAD), BOLD)]
    flows = [Flow([*chunks], gap, first, HEAD) for chunks in ways]

    def draw(screen: Screen) -> list[Line]:
        return first_that_fits((put([one], screen) for one in flows), rows)

    return draw
