"""Questions to people who play: which of the legal moves, asked part by part, see
:class:`porto_cli.words.Option`; and what lies on a real table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from porto_cli.core import InvalidMoveError
from porto_cli.core.chance import TypedChance
from porto_cli.term import (
    BOLD,
    PLAIN,
    Line,
    padded,
    text_of,
    width_of,
    wrapped,
)
from porto_cli.term.prompt import (
    HINT_KEY,
    Asker,
    CancelledError,
    Choice,
    HintedError,
    asked,
    labeled,
)
from porto_cli.words import Option, groups, score_of

# -- Asking for one of the legal moves, part by part, see ``porto_cli.words.Option``


class Offer(NamedTuple):
    """What a player whose turn it is can do now: each entry asks what is still open, and plays."""

    question: str
    entries: list[Choice[Callable[[], object]]]
    rules: tuple[str, ...]
    at_once: Callable[[], object] | None = None
    """Asks with a form, where what else there is to do is needed only by who backs out."""
    fills: bool = False
    """The form begins as a hint says."""


OTHER_KEY = "c"
"""What is typed to begin with a later part."""
_WIDEST = 34
"""Columns of an answer up to which what it brings is set in a column of its own."""


Follow = Callable[[Sequence[Option]], object]
"""Is told which moves are left, before each question about them and after the last one."""


def ask(asker: Asker, options: Sequence[Option], nth: int = 0, follow: Follow = bool) -> list[str]:
    """Ask for one of these moves, part by part as far as they differ, and for what goes on with it.

    Backing out goes one part back. Returns the moves of the turn in the notation. Raises what the
    asker and ``follow`` raise.
    """
    follow(options)
    try:
        return _asked_for(asker, _hinted_first(options, asker), nth, follow)
    except HintedError:
        return ask(asker, options, nth, follow)


def _hinted_first(options: Sequence[Option], asker: Asker) -> Sequence[Option]:
    hinted = asker.hinted
    return sorted(options, key=lambda one: not one.can_be(hinted)) if hinted else options


def _asked_for(asker: Asker, options: Sequence[Option], nth: int, follow: Follow) -> list[str]:
    one = options[0]
    if one.form and all(each.form is one.form for each in options):
        return [one.form(asker)]
    if len(options) == 1 and not one.why_not:
        then = [each._replace(made=one.turn) for each in one.then]
        return [one.move, *(ask(asker, then) if then else ())]
    answers = groups(options, nth)
    if len(answers) == 1 and not one.why_not:
        return ask(asker, options, nth + 1, follow)
    choices = [*entries(answers, nth), *_other_ways(options, nth)]
    part = one.part(nth)
    put, goes_on, rules = partial(follow, options), partial(_goes_on, asker, follow), part.rules
    return asked(asker, part.question, choices, goes_on, rules=rules, search=True, put=put)


Answer = tuple[Callable[[Asker, Sequence[Option], int, Follow], list[str]], Sequence[Option], int]
"""What asks for one of some moves, from one of their parts on."""


def _goes_on(asker: Asker, follow: Follow, answer: Answer) -> list[str]:
    then, options, nth = answer
    return then(asker, options, nth, follow)


def entries(answers: Sequence[Sequence[Option]], nth: int = 0) -> list[Choice[Answer]]:
    """Return the groups of some moves as answers: each says what it brings, unless that is the same
    for all of them.
    """
    listed = [group[0] for group in answers if not (group[0].why_not or group[0].rare)]
    legal = [one.part(nth).label for one in listed]
    widest = max(map(width_of, legal), default=0)
    brings = [_brings(group, nth) for group in answers]
    first = answers[0][0]
    alike = all((one.vp, one.note) == (first.vp, first.note) for group in answers for one in group)
    if nth and len(answers) > 1 and first.note and alike:
        # The answer before this question has told it.
        brings = [("", "") for _ in answers]
    scores, found = max(len(score) for score, _ in brings), []
    for group, (score, details) in zip(answers, brings, strict=True):
        part = group[0].part(nth)
        scored = [*padded(part.label, min(widest, _WIDEST) + 2), (score.rjust(scores), BOLD)]
        label = scored if score else part.label
        answer: Answer = (_explain if group[0].why_not else ask, group, nth + 1)
        moves = [one.turn for one in group if not one.why_not]
        enter = "Enter: see why not" if group[0].why_not else _enter(group, nth)
        name = text_of(part.label).partition("(")[0].strip()
        keys, shows = (part.also, part.key, part.note), (details, name)
        # What cannot be chosen is found by its key, if it has one; else it is listed.
        is_hidden = bool(group[0].why_not and part.key) or all(one.rare for one in group)
        found.append(Choice(label, answer, *keys, moves, is_hidden, enter, *shows))
    return found


def _enter(group: Sequence[Option], nth: int) -> str:
    """Say what Enter does: the move that it makes; or what is asked next, see :func:`ask`. What it
    brings stands in the line that is pointed at.
    """
    one = group[0]
    if one.form:
        return f"Enter: {text_of(one.part(nth).label)}"
    if len(group) == 1 and not one.then:
        return f"Enter: {one.move}"
    at = nth + 1
    while len(group) > 1 and len(groups(group, at)) == 1:
        at += 1
    following = one.part(at) if len(group) > 1 else one.then[0].part(0)
    if following.question == one.part(nth).question:
        return ""
    asks = re.match(r"(Which \w+|Where|What|How)\b", following.question)
    return f"Enter: choose {asks[1].replace('Which', 'the').lower()}" if asks else "Enter: go on"


def _brings(group: Sequence[Option], nth: int) -> tuple[str, str]:
    """Return what a move scores, or what moves score at most; and, if they all bring the same, the
    details: the words that are not asked for after this part, what else it brings.
    """
    # What cannot be chosen brings nothing.
    group = [one for one in group if not one.why_not] or group
    one = group[0]
    score = score_of(group)
    if any((other.vp, other.note) != (one.vp, one.note) for other in group):
        return score, ""
    # Of several moves only what none of them is asked about; of one what the table then shows.
    alone = one.does or text_of(one.shown)
    words = alone if len(group) == 1 else text_of(one.short)
    later = range(nth + 1, 0 if one.form else len(one.parts))
    is_open = any(len(groups(group, at)) == 1 for at in later)
    said = [words] * is_open + [text_of(one.note)]
    return score, ": ".join(filter(None, said))


def _other_ways(options: Sequence[Option], nth: int) -> Iterator[Choice[Answer]]:
    """Offer to begin with a later part, where one can."""
    for at in range(nth + 1, max(len(one.parts) for one in options)):
        if len(groups(options, at)) > 1 and options[0].part(at).first:
            turned = [_with_first(one, at, nth) for one in options if at < len(one.parts)]
            yield labeled(options[0].part(at).first, (ask, turned, nth), OTHER_KEY)


def _with_first(option: Option, at: int, nth: int) -> Option:
    rest = [part for place, part in enumerate(option.parts) if place != at]
    return option._replace(parts=(*rest[:nth], option.parts[at]._replace(first=""), *rest[nth:]))


def _explain(asker: Asker, options: Sequence[Option], nth: int, follow: Follow) -> list[str]:
    """Show why a move is not legal, and ask again."""
    asker.show(
        lambda screen: [line for one in options[0].why_not for line in wrapped(one, screen.width)]
    )
    raise CancelledError


def answer_to(options: Sequence[Option], move: str) -> str:
    """Return the answer that leads to one of some moves, in what is asked about them, in short."""
    one = next(one for one in options if one.can_be(move))
    nth = next((at for at in range(len(one.parts)) if len(groups(options, at)) > 1), 0)
    part = one.part(nth)
    label = " ".join(text_of(part.label).split())
    return part.key if label.startswith(f"{part.key} ") else re.split(r":| \(", label)[0]


def offer(
    player: str,
    options: Sequence[Option],
    asker: Asker,
    play: Callable[[Sequence[str]], object],
    follow: Follow = bool,
    said: str = "",
) -> Offer:
    """Return the question of a player's turn, and what can be answered, here and in the questions
    that follow, see :func:`ask`: first what leads to the hinted move. ``play`` is given the moves
    of the answer, as texts. Where a hint was asked for, which is ``said`` so, its move comes first,
    with what belongs to it: in place of the choice that plays it, whose key still finds it, or as
    one more.
    """
    if not options:
        return Offer(f"{player} is to move.", [], ())
    hinted, options = asker.hinted, _hinted_first(options, asker)
    one = options[0]
    # Where there is one thing to do, or one place to do it, it is not asked about.
    begins = one.parts[0].at_once and not one.form and len(options) > 1
    later = range(1, len(one.parts) * begins)
    nth = next((at for at in later if len(groups(options, at)) > 1), 0)
    part = one.part(nth)
    answers: list[Choice[Any]] = entries(groups(options, nth), nth)
    if len(options) == 1 and not one.form:
        only = [*one.shown, (" (nothing else is possible)", PLAIN)]
        answers = [answers[0]._replace(label=only, brings=text_of(one.note))]

    def played(answer: Answer) -> None:
        play(_goes_on(asker, follow, answer))

    found = [one._replace(value=partial(played, one.value)) for one in answers]
    at_once = found[0].value if one.parts[0].at_once and one.form else None
    if at_once:
        found[0] = found[0]._replace(key=found[0].key or "1")
    if said:
        # It counts the contracts that a build meets.
        moves = [hinted, *(each.move for each in one.then[:1])]
        is_one = one.move == hinted and not one.then and [*found[0].moves] == [one.turn]
        does = f"Enter takes the hint: {'; '.join(moves)}"
        keys = f"{found[0].also} {found[0].key}" if is_one else ""
        label: Line = [("Take the hint: ", BOLD), (said, PLAIN)]
        take = Choice(label, partial(play, moves), keys, HINT_KEY, "", (hinted,), enter=does)
        found = [take, *found[is_one:]]
    return Offer(part.question, found, part.rules, at_once, one.counts is not None)


# -- What lies on a real table, and what came up there


def write(
    asker: Asker, question: str, read: Callable[[str], object], rules: tuple[str, ...]
) -> str:
    """Return a text that can be read; until there is one, say why not (InvalidMoveError)."""

    def fault(text: str) -> str | None:
        try:
            read(text)
        except InvalidMoveError as error:
            return error.sentence
        return None

    return asker.write(question, fault, rules=rules)


class CameUp(NamedTuple):
    """How is asked what came up: ``{number}`` in the question counts the things of a move."""

    question: str
    rules: tuple[str, ...]
    answer: Callable[[int], Choice[int]]
    """The answer that a thing is."""


class AskedChance(TypedChance):
    """Asks for what was not typed, by the stream of chance that it is of. Raises what an Asker
    raises, NotInPileError.
    """

    def __init__(
        self, asker: Asker, typed: TypedChance | None, streams: Mapping[str, CameUp]
    ) -> None:
        super().__init__(typed.unordered if typed else ())
        self.left = typed.left if typed else {}
        self._asker, self._streams = asker, streams
        self._asked: dict[str, int] = {}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of what was typed, or is now said."""
        number = self._asked[stream] = self._asked.get(stream, 0) + 1
        if self.left.get(stream):
            return super().__call__(stream, index, pile)
        asked = self._streams[stream]
        choices = [asked.answer(thing) for thing in dict.fromkeys(pile)]
        question = asked.question.format(number=number)
        return pile.index(self._asker.choose(question, choices, rules=asked.rules, search=True))
