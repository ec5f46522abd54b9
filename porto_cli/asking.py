"""Asking for one of the legal moves, part by part, see :class:`porto_cli.words.Option`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from porto_cli.core.chance import TypedChance
from porto_cli.core.message import InvalidMoveError
from porto_cli.term.prompt import Asker, CancelledError, Choice, asked, labeled
from porto_cli.term.spans import BOLD, PLAIN, Line, padded, text_of, width_of, wrapped
from porto_cli.words import Option, groups, score_of


class Offer(NamedTuple):
    """What a player whose turn it is can do now: each entry asks what is still open, and plays."""

    question: str
    entries: list[Choice[Callable[[], object]]]
    rules: tuple[str, ...]
    at_once: bool = False
    """The first entry asks questions of its own, and what else there is to do is needed only by
    who backs out of them."""


_FEW = 2
"""Moves up to which it is not said how many they are."""
_WIDEST = 34
"""Columns of an answer up to which what it brings is set in a column of its own."""


def ask(asker: Asker, options: Sequence[Option], nth: int = 0) -> list[str]:
    """Ask for one of these moves, part by part as far as they differ, and for what goes on with it.

    Backing out goes one part back. Returns the moves of the turn in the notation. Raises what the
    asker raises.
    """
    one = options[0]
    if one.form and all(each.form is one.form for each in options):
        return [one.form(asker)]
    if len(options) == 1 and not one.why_not:
        then = [each._replace(made=one.turn) for each in one.then]
        return [one.move, *(ask(asker, then) if then else ())]
    answers = groups(options, nth)
    if len(answers) == 1 and not one.why_not:
        return ask(asker, options, nth + 1)
    choices = [*entries(answers, nth, asker.advised), *_other_ways(options, nth)]
    part = one.part(nth)

    def answered(answer: Answer) -> list[str]:
        chosen, then = answer
        return then(asker, chosen, nth + 1)

    return asked(asker, part.question, choices, answered, rules=part.rules, search=True)


Answer = tuple[Sequence[Option], Callable[[Asker, Sequence[Option], int], list[str]]]
"""Some of the moves, and what asks for one of them from one of their parts on."""


def entries(
    answers: Sequence[Sequence[Option]], nth: int = 0, advised: str = ""
) -> list[Choice[Answer]]:
    """Return the groups of some moves as answers: each says what it brings, unless that is the same
    for all of them; and what it is worth at a glance, where nothing is ``advised``.
    """
    legal = [group[0].part(nth).label for group in answers if not group[0].why_not]
    widest = max(map(width_of, legal), default=0)
    brings = [_worth(group, nth) for group in answers]
    first = answers[0][0]
    alike = all((one.vp, one.note) == (first.vp, first.note) for group in answers for one in group)
    if nth and len(answers) > 1 and first.note and alike:
        # The answer before this question has told it.
        brings = [[] for _ in answers]
    found = []
    for group, line in zip(answers, brings, strict=True):
        part = group[0].part(nth)
        label = [*padded(part.label, min(widest, _WIDEST) + 2), *line] if line else part.label
        answer: Answer = (group, _explain if group[0].why_not else ask)
        shown = () if group[0].why_not else sorted(group, key=lambda one: not one.likely)
        moves = [one.turn for one in shown]
        told = "" if advised else part.estimate
        note = ", ".join(filter(None, [part.note, told]))
        enter = "Enter: see why not" if group[0].why_not else _enter(group, nth)
        likely = not advised and any(one.likely for one in group)
        keys = part.also, part.key, note
        found.append(Choice(label, answer, *keys, moves, part.confirm, enter, likely))
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
    question, mark, _ = following.question.partition("?")
    return f"Enter asks: {question}{mark}" if following.question != one.part(nth).question else ""


def _worth(group: Sequence[Option], nth: int) -> Line:
    """Return what a move brings, or what moves score at most, and how many they are if they do not
    all bring the same; with the words that are not asked for after this part. If the first of them,
    which the table shows, scores less than another, it says both.
    """
    score, one = score_of(group), group[0]
    shown = f"  {one.vp}, " if one.vp < max(other.vp for other in group) else ""
    line = [(f"{shown + score:>11}", BOLD)] if score else Line()
    if any((other.vp, other.note) != (one.vp, one.note) for other in group) or not (
        one.note or len(group) <= _FEW
    ):
        legal = sum(not one.why_not for one in group)
        return [*line, ("  ", PLAIN), (f"({legal} ways)", PLAIN)]
    # Of several moves only what none of them is asked about.
    words = one.shown if len(group) == 1 else one.short
    later = range(nth + 1, 0 if one.form else len(one.parts))
    if words and any(len(groups(group, at)) == 1 for at in later):
        line += [("  ", PLAIN), *words]
    return [*line, *_noted(one)]


def _other_ways(options: Sequence[Option], nth: int) -> Iterator[Choice[Answer]]:
    """Offer to begin with a later part, where one can."""
    for at in range(nth + 1, max(len(one.parts) for one in options)):
        if len(groups(options, at)) > 1 and options[0].part(at).first:
            turned = [_with_first(one, at, nth) for one in options if at < len(one.parts)]
            yield labeled(options[0].part(at).first, (turned, _from_here))


def _with_first(option: Option, at: int, nth: int) -> Option:
    rest = [part for place, part in enumerate(option.parts) if place != at]
    return option._replace(parts=(*rest[:nth], option.parts[at]._replace(first=""), *rest[nth:]))


def _from_here(asker: Asker, options: Sequence[Option], nth: int) -> list[str]:
    return ask(asker, options, nth - 1)


def _noted(option: Option) -> Line:
    return [("  ", PLAIN), *option.note] if option.note else []


def _explain(asker: Asker, options: Sequence[Option], nth: int) -> list[str]:
    """Show why a move is not legal, and ask again."""
    asker.show(
        lambda screen: [line for one in options[0].why_not for line in wrapped(one, screen.width)]
    )
    raise CancelledError


def offer(
    player: str, options: Sequence[Option], asker: Asker, play: Callable[[Sequence[str]], object]
) -> Offer:
    """Return the question of a player's turn, and what can be answered, here and in the questions
    that follow: first what leads to a move that is advised. ``play`` is given the moves of the
    answer, as texts.
    """
    if not options:
        return Offer(f"{player} is to move.", [], ())
    if advised := asker.advised:
        options = sorted(options, key=lambda one: not one.can_be(advised))
    first = options[0].parts[0]
    answers: list[Choice[Any]] = entries(groups(options), advised=advised)
    is_forced = len(options) == 1 and not options[0].form
    if is_forced:
        only = [*options[0].shown, (" (nothing else is possible)", PLAIN)]
        answers = [answers[0]._replace(label=only)]

    def played(answer: Answer) -> None:
        chosen, then = answer
        play(then(asker, chosen, 1))

    found = [one._replace(value=partial(played, one.value)) for one in answers]
    return Offer(first.question, found, first.rules, at_once=first.at_once and not is_forced)


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
