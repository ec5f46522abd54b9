"""The legal moves as a tree of words: everything that people see of them, for all games.

A game says once of each legal move what :class:`Option` holds. Menus, the list of ``porto moves``,
completion, what is missing of a command, the moves that a mail offers, suggestions and what can be
typed next are walks of that list. It has the best move first, and it keeps its order everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from porto_cli.term.prompt import Asker, CancelledError, Choice, labeled
from porto_cli.term.spans import BOLD, PLAIN, Line, padded, plain, width_of, wrapped
from porto_cli.ui_values import MOST_OFFERED, Completion, MoveGroup, MoveOffer, MoveRow

if TYPE_CHECKING:
    from porto_cli.paper.document import Node

_K = TypeVar("_K")

NOTHING: Line = []
"""What there is to say of a move of which there is nothing to say."""

Means = Callable[[str, str], bool]
"""Says whether a word that was typed is one of the notation, or short for it."""


class Part(NamedTuple):
    """A step towards a move.

    ``question``  what is asked
    ``label``     the answer
    ``rules``     the rulings that help to answer
    ``also``      what the answer can be searched for by, besides its label
    ``note``      what the answer does, in a line
    ``first``     how one asks for this part before those in front of it; may be empty
    """

    question: str
    label: Line
    rules: tuple[str, ...] = ()
    also: str = ""
    note: str = ""
    first: str = ""


class Counts(NamedTuple):
    """Names of which a move has any numbers: ``names`` in their order, and how many of each there
    can be; ``least`` and ``most`` of all together; those to begin with (``now``).
    """

    names: Mapping[str, int]
    least: int
    most: int
    now: Mapping[str, int] = {}


class Option(NamedTuple):
    """A legal move.

    ``move``     the move in the notation; with :data:`~porto_cli.ui_values.MANY` where it has names
                 in any numbers
    ``parts``    by which one narrows to it. The first one is what the turn asks
    ``vp``       what it scores; 0 also where moves are not ranked by that
    ``note``     what it brings and costs, besides that or in detail
    ``heading``  under which it is listed
    ``facts``    the move as ``porto moves --format json`` has it; ``None`` if it is not listed
    ``shown``    the move with its colors, where it has any
    ``glosses``  what words of it stand for
    ``ordered``  its words behind the verb can stand only as they do
    ``secret``   only who makes it may read this
    ``then``     what can go on with it in the same turn, the best first
    ``form``     asks for this move and all others with the same form, in place of their other parts
    ``counts``   what is to be chosen for :data:`~porto_cli.ui_values.MANY`
    ``why_not``  why it is not legal: it is shown among the others, and cannot be chosen
    """

    move: str
    parts: tuple[Part, ...]
    vp: int = 0
    note: Line = NOTHING
    heading: str = ""
    facts: Mapping[str, Any] | None = None
    shown: Line = NOTHING
    glosses: Mapping[str, str] = {}
    ordered: bool = True
    secret: bool = False
    then: Sequence[Option] = ()
    form: Callable[[Asker], str] | None = None
    counts: Counts | None = None
    why_not: Sequence[str] = ()

    @property
    def verb(self) -> str:
        """Its first word."""
        return self.move.partition(" ")[0]

    @property
    def brings(self) -> str:
        """What it scores, and what else there is to say: ``5 VP: floors 3, neighbors 2``."""
        return ": ".join(filter(None, [f"{self.vp} VP" if self.vp else "", plain(self.note)]))

    def part(self, nth: int) -> Part:
        """Return one of its parts; where those that it has do not tell it from others, itself."""
        if nth < len(self.parts):
            return self.parts[nth]
        return self.parts[-1]._replace(label=[(self.move, PLAIN)], first="")


def _grouped(options: Iterable[Option], key: Callable[[Option], _K]) -> dict[_K, list[Option]]:
    found: dict[_K, list[Option]] = {}
    for option in options:
        found.setdefault(key(option), []).append(option)
    return found


def groups(options: Iterable[Option], nth: int = 0) -> list[list[Option]]:
    """Return the moves by one of their parts."""
    return [*_grouped(options, lambda one: plain(one.part(nth).label)).values()]


# -- Menus


MANY_ANSWERS = 20
"""Answers of which there are so many that they can be searched."""
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
        return [one.move, *(ask(asker, one.then) if one.then else ())]
    answers = groups(options, nth)
    if len(answers) == 1 and not one.why_not:
        return ask(asker, options, nth + 1)
    choices = [*entries(answers, nth), *_other_ways(options, nth)]
    part = one.part(nth)
    while True:
        search = len(answers) > MANY_ANSWERS
        chosen, then = asker.choose(part.question, choices, rules=part.rules, search=search)
        try:
            return then(asker, chosen, nth + 1)
        except CancelledError:
            continue


Answer = tuple[Sequence[Option], Callable[[Asker, Sequence[Option], int], list[str]]]
"""Some of the moves, and what asks for one of them from one of their parts on."""


def entries(answers: Sequence[Sequence[Option]], nth: int = 0) -> list[Choice[Answer]]:
    """Return the groups of some moves as answers: each says what it brings."""
    widest = max(width_of(group[0].part(nth).label) for group in answers)
    found = []
    for group in answers:
        part, brings = group[0].part(nth), worth(group)
        line = padded(part.label, min(widest, _WIDEST)) if brings else part.label
        answer: Answer = (group, _explain if group[0].why_not else ask)
        found.append(Choice([*line, *brings], answer, also=part.also, note=part.note))
    return found


def worth(group: Sequence[Option]) -> Line:
    """Return what a move brings, or what moves score at most and how many they are."""
    vps, line = {one.vp for one in group}, Line()
    if any(vps):
        score = f"{max(vps)} VP" if len(vps) == 1 else f"up to {max(vps)} VP"
        line.append((f"{score:>11}", BOLD))
    if len(group) > 1:
        return [*line, ("  ", PLAIN), (f"({len(group)} ways)", PLAIN)]
    return [*line, ("  ", PLAIN), *group[0].note] if group[0].note else line


def _other_ways(options: Sequence[Option], nth: int) -> Iterator[Choice[Answer]]:
    """Offer to begin with a later part, and to search in all moves, where parts are left."""
    last = max(len(one.parts) for one in options)
    left = [at for at in range(nth + 1, last) if len(groups(options, at)) > 1]
    if not left:
        return
    for at in left:
        if options[0].part(at).first:
            turned = [_with_first(one, at, nth) for one in options if at < len(one.parts)]
            yield labeled(options[0].part(at).first, (turned, _from_here))
    if len(options) > MANY_ANSWERS:
        yield labeled(f"Search in all {len(options)} of them", (options, _search))


def _with_first(option: Option, at: int, nth: int) -> Option:
    rest = [part for place, part in enumerate(option.parts) if place != at]
    return option._replace(parts=(*rest[:nth], option.parts[at]._replace(first=""), *rest[nth:]))


def _from_here(asker: Asker, options: Sequence[Option], nth: int) -> list[str]:
    return ask(asker, options, nth - 1)


def _search(asker: Asker, options: Sequence[Option], nth: int) -> list[str]:
    rules = tuple(
        dict.fromkeys(rule for part in options[0].parts[nth - 1 :] for rule in part.rules)
    )
    choices = [
        Choice(
            [(f"{one.vp:3} VP  " if one.vp else "", BOLD), *_shown(one), *_noted(one)],
            one,
            also=" ".join(part.also for part in one.parts),
        )
        for one in options
    ]
    question = f"Which one? Like: {options[0].move}"
    while True:
        chosen = asker.choose(question, choices, rules=rules, search=True)
        try:
            return ask(asker, [chosen])
        except CancelledError:
            continue


def _shown(option: Option) -> Line:
    return option.shown or [(option.move, PLAIN)]


def _noted(option: Option) -> Line:
    return [("  ", PLAIN), *option.note] if option.note else []


def _explain(asker: Asker, options: Sequence[Option], nth: int) -> list[str]:
    """Show why a move is not legal, and ask again."""
    asker.show(
        lambda screen: [line for one in options[0].why_not for line in wrapped(one, screen.width)]
    )
    raise CancelledError


# -- Lists


def listed(options: Iterable[Option]) -> Iterator[Node]:
    """Yield the moves as rows under their headings."""
    from porto_cli.move_list import move_nodes

    ranked = {one.heading for one in options if one.vp}
    yield from move_nodes(
        MoveRow(line, one.heading, one.vp if one.heading in ranked else None, one.note)
        for group in _grouped(options, lambda one: one.heading).values()
        for line, one in alike(group)
    )


def alike(options: Iterable[Option]) -> Iterator[tuple[Line, Option]]:
    """Yield the moves; those that differ only in their last word and bring the same as one."""
    same = _grouped(
        options, lambda one: (one.move.rpartition(" ")[0], one.vp, plain(one.note), one.heading)
    )
    for (begin, *_), some in same.items():
        if len(some) == 1 or not begin:
            yield from ((_shown(one), one) for one in some)
        else:
            ends = "/".join(one.move.rpartition(" ")[2] for one in some)
            last = some[0].move.rpartition(" ")[2]
            yield [*_without(_shown(some[0]), last), (ends, PLAIN)], some[0]


def _without(line: Line, word: str) -> Line:
    """Return a line without its last word."""
    *rest, (text, style) = line
    return [*rest, (text.removesuffix(word), style)]


def offered(options: Sequence[Option], more: str = "", most: int = MOST_OFFERED) -> list[MoveGroup]:
    """Return the best moves under each heading, at most so many, for a mail or a page.

    ``more`` says how to write the others, if there are any.
    """
    by_heading = _grouped(options, lambda one: one.heading)
    each = max(1, most // max(1, len(by_heading)))
    found = []
    for heading, group in by_heading.items():
        best = [one for _, one in alike(group)][:each]
        shared = _shared(group)
        found.append(MoveGroup(heading, tuple(_offer(one, shared) for one in best)))
    if more and sum(len(group.offers) for group in found) < len(options):
        found[-1] = found[-1]._replace(more=more)
    return found


def _shared(group: Sequence[Option]) -> int:
    """Return how many parts all moves of a group have alike, from the first one on."""
    parts = range(min(len(one.parts) for one in group))
    return next((nth for nth in parts if len(groups(group, nth)) > 1), len(parts))


def _offer(option: Option, shared: int) -> MoveOffer:
    """Return a move with the best of what goes on with it, named by what others have not."""
    labels = [" ".join(plain(part.label).split()) for part in option.parts[shared:]]
    then = [one.move for one in option.then[:1]]
    return MoveOffer(", ".join(labels) or option.move, (option.move, *then), option.brings)


def nearest(options: Iterable[Option], words: Sequence[str], most: int = 5) -> list[Option]:
    """Return moves that are most like one of these words, of the same verb if there are any."""

    def unlikeness(option: Option) -> tuple[int, int, int]:
        others = option.move.split()
        return (
            -sum(map(str.__eq__, words, others)),
            -sum((Counter(words) & Counter(others)).values()),
            len(others),
        )

    every = [*options]
    same = [one for one in every if one.verb == words[0]] if words else []
    return sorted(same or every, key=unlikeness)[:most]


def examples(player: str, moves: Sequence[str], typed: Callable[[str], str]) -> Iterator[str]:
    """Yield what a player can type: the first of these moves of each verb, and the list of all.

    ``typed`` returns the command for a move.
    """
    firsts: dict[str, str] = {}
    for move in moves:
        firsts.setdefault(move.partition(" ")[0], move)
    for nth, (verb, move) in enumerate(firsts.items()):
        example = f": {typed(move)}" if len(moves) == 1 else f", for example: {typed(move)}"
        if nth:
            yield f"Or {verb}{example}"
        else:
            only = "only " if len(firsts) == 1 else ""
            yield f"{player} is to move and can {only}{verb}{example}"
    if len(moves) > 1:
        yield f"To see all {len(moves)} legal moves: {typed('moves')}"


# -- Words that were typed


def fitting(options: Iterable[Option], words: Sequence[str], means: Means) -> list[Option]:
    """Return the moves that begin with these words, or that have them where order does not count.

    The first word is the verb.
    """
    return [one for one in options if _left(one, words, means) is not None]


def _left(option: Option, words: Sequence[str], means: Means) -> list[str] | None:
    """Return the words of a move that are left behind some of them; ``None`` if it has them not."""
    left = option.move.split()
    if not words:
        return left
    if len(words) > len(left) or not means(words[0], left[0]):
        return None
    if option.ordered:
        return left[len(words) :] if all(map(means, words, left)) else None
    left = left[1:]
    for word in words[1:]:
        found = next((one for one in left if means(word, one)), None)
        if found is None:
            return None
        left.remove(found)
    return left


def completions(
    options: Iterable[Option], words: Sequence[str], means: Means
) -> Iterator[Completion]:
    """Yield the words that can follow these, with what they stand for and bring."""
    found: dict[str, list[tuple[bool, Option]]] = {}
    for option in options:
        for word, last, one in _following(option, words, means):
            found.setdefault(word, []).append((last, one))
    for word, ways in found.items():
        ending = [one for last, one in ways if last]
        gloss = ways[0][1].glosses.get(word, "")
        brings = plain(worth([one for _, one in ways])).strip() if not ending else ending[0].brings
        note = ", ".join(filter(None, [gloss, brings]))
        yield (word, note) if note else word


def _following(
    option: Option, words: Sequence[str], means: Means
) -> Iterator[tuple[str, bool, Option]]:
    """Yield each word that can follow, whether it is the last one, and the move that it is of."""
    left = _left(option, words, means) or []
    for word in dict.fromkeys(left if words and not option.ordered else left[:1]):
        yield word, len(left) == 1, option
    size = len(option.move.split())
    if option.then and len(words) >= size and _left(option, words[:size], means) == []:
        for one in option.then:
            yield from _following(one, words[size:], means)
