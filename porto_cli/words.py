"""The legal moves as a tree of words, of which completion, menus and offers are walks; and as
lists: the best under each heading, for those who have only a mail or a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from porto_cli.term import PLAIN, Line, text_of

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker

# -- The legal moves as a tree of words: everything that people see of them, for all games
#
# A game says once of each legal move what ``Option`` holds. Menus (``porto_cli.asking``), the list
# of ``porto moves``, and here what a mail offers, completion, what is missing of a command,
# suggestions and what can be typed next are walks of that list. It has the best move first. What a
# game says of it is ``porto_cli.language.Language``.

# No ``from __future__ import annotations``, see porto_cli/seam.py.


_T = TypeVar("_T")
_K = TypeVar("_K")

NOTHING: Line = []
"""What there is to say of a move of which there is nothing to say."""

MANY = "…"
"""Stands in a move for names in any numbers, see :class:`Counts`."""

Completion = str | tuple[str, str]
"""A word that can follow, maybe with a line that explains it."""

Means = Callable[[str, str], bool]
"""Says whether a word that was typed is one of the notation, or short for it."""


class Part(NamedTuple):
    """A step towards a move.

    ``question``  what is asked
    ``label``     the answer
    ``rules``     the rulings that help to answer
    ``key``       what is typed for the answer, always the same; where it is empty, its words
    ``also``      what the answer can be searched for by, besides its label
    ``note``      what the answer does, in a line
    ``estimate``  what it is worth at a glance; not said beside a hint, which looks further
    ``first``     how one asks for this part before those in front of it; may be empty
    ``at_once``   of a first part that all moves share: it is not asked, or its form comes before
                  what else there is to do
    """

    question: str
    label: Line
    rules: tuple[str, ...] = ()
    also: str = ""
    note: str = ""
    estimate: str = ""
    first: str = ""
    at_once: bool = False
    key: str = ""


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

    ``move``     the move in the notation; with :data:`MANY` where it has names
                 in any numbers
    ``parts``    by which one narrows to it. The first one is what the turn asks
    ``vp``       what it scores; 0 also where moves are not ranked by that
    ``does``     what it does, where neither its words nor the heading say so
    ``note``     what it brings and costs, besides the VP or in detail
    ``heading``  under which it is listed
    ``facts``    the move as ``porto moves --format json`` has it; ``None`` if it is not listed
    ``colored``  the move with its colors, where it has any
    ``short``    the move without what its heading says, for lists
    ``glosses``  what words of it stand for
    ``ordered``  its words behind the verb can stand only as they do
    ``secret``   only who makes it may read this
    ``then``     what can go on with it in the same turn, the best first
    ``made``     the move of the same turn that it goes on with, once that is chosen
    ``form``     asks for this move and all others with the same form, in place of their other parts
    ``counts``   what is to be chosen for :data:`MANY`
    ``why_not``  why it is not legal: it is shown among the others, and cannot be chosen
    """

    move: str
    parts: tuple[Part, ...]
    vp: int = 0
    does: str = ""
    note: Line = NOTHING
    heading: str = ""
    facts: Mapping[str, Any] | None = None
    colored: Line = NOTHING
    short: Line = NOTHING
    glosses: Mapping[str, str] = {}
    ordered: bool = True
    secret: bool = False
    then: Sequence[Option] = ()
    made: str = ""
    form: Callable[[Asker], str] | None = None
    counts: Counts | None = None
    why_not: Sequence[str] = ()

    @property
    def verb(self) -> str:
        """Its first word."""
        return self.move.partition(" ")[0]

    @property
    def turn(self) -> str:
        """The move, below the one that it goes on with."""
        return "\n".join(filter(None, [self.made, self.move]))

    @property
    def shown(self) -> Line:
        """The move, with its colors."""
        return self.colored or [(self.move, "")]

    @property
    def brief(self) -> Line:
        """The move as lists have it."""
        return self.short or self.shown

    @property
    def brings(self) -> str:
        """What it scores, and what else there is to say: ``5 VP: floors 3, neighbors 2``."""
        return ": ".join(filter(None, [f"{self.vp} VP" if self.vp else "", text_of(self.note)]))

    @property
    def in_full(self) -> Line:
        """What it does, and what that brings."""
        if not self.does or not self.note:
            return [(self.does, "")] if self.does else self.note
        return [(f"{self.does}: ", ""), *self.note]

    def can_be(self, move: str) -> bool:
        """Return whether it is a move, maybe with some numbers."""
        before, many, after = self.move.partition(MANY)
        return move == self.move or bool(many and move.startswith(before) and move.endswith(after))

    def part(self, nth: int) -> Part:
        """Return one of its parts; where those that it has do not tell it from others, itself."""
        if nth < len(self.parts):
            return self.parts[nth]
        return self.parts[-1]._replace(label=[(self.move, "")], first="")


def grouped(things: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """Return moves, or other things, by a key, in the order in which the keys appear."""
    found: dict[_K, list[_T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return found


def alike(options: Iterable[Option]) -> list[Option]:
    """Return the moves; those that are the same in brief, and bring the same, as one."""
    same = grouped(
        options, lambda one: (text_of(one.brief), one.vp, text_of(one.in_full), one.heading)
    )
    return [some[0] for some in same.values()]


def groups(options: Iterable[Option], nth: int = 0) -> list[list[Option]]:
    """Return the moves by one of their parts."""
    return [*grouped(options, lambda one: text_of(one.part(nth).label)).values()]


def score_of(group: Sequence[Option]) -> str:
    """Return what moves score: ``5 VP``, or ``up to 5 VP``."""
    vps = {one.vp for one in group}
    if not any(vps):
        return ""
    return f"{max(vps)} VP" if len(vps) == 1 else f"up to {max(vps)} VP"


def nearest(moves: Iterable[str], wanted: str, most: int = 5) -> list[str]:
    """Return the moves that are most like one that is wanted, of its verb if there are any."""
    words = wanted.split()

    def unlikeness(move: str) -> tuple[int, int, int]:
        others = move.split()
        in_place = sum(map(str.__eq__, words, others))
        return -in_place, -sum((Counter(words) & Counter(others)).values()), len(others)

    every = [*moves]
    same = [move for move in every if move.split()[:1] == words[:1]]
    return sorted(same or every, key=unlikeness)[:most]


# -- Words that were typed


def split_words(typed: str | Iterable[str]) -> list[str]:
    """Return the words of a text, or of several as of an option that can be repeated: between words
    are spaces or commas.
    """
    texts = [typed] if isinstance(typed, str) else typed
    return [word for text in texts for word in text.replace(",", " ").split()]


def fitting(options: Iterable[Option], words: Sequence[str], means: Means) -> list[Option]:
    """Return the moves that begin with these words, or that have them where order does not count.

    The first word is the verb.
    """
    return [one for one in options if left_of(one, words, means) is not None]


def left_of(option: Option, words: Sequence[str], means: Means) -> list[str] | None:
    """Return the words of a move that are left behind some; ``None`` if it lacks one of those."""
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
        note = worth_of(ending[:1] or [one for _, one in ways], word)
        yield (word, note) if note else word


def worth_of(options: Sequence[Option], word: str) -> str:
    """Return what a word of some moves stands for, and what they bring."""
    gloss = options[0].glosses.get(word, "")
    note = "" if gloss or len(options) > 1 else text_of(options[0].note)
    return ", ".join(filter(None, [gloss, score_of(options) or note]))


def _following(
    option: Option, words: Sequence[str], means: Means
) -> Iterator[tuple[str, bool, Option]]:
    """Yield each word that can follow, whether it is the last one, and the move that it is of."""
    if option.counts and words and means(words[0], option.verb):
        typed = [sum(means(word, name) for word in words[1:]) for name in option.counts.names]
        for (name, most), number in zip(option.counts.names.items(), typed, strict=True):
            if number < most:
                yield name, False, option
        if sum(typed) >= option.counts.least:
            for word in option.move.partition(MANY)[2].split():
                if word not in words:
                    yield word, True, option
        return
    left = left_of(option, words, means) or []
    for word in dict.fromkeys(left if words and not option.ordered else left[:1]):
        yield word, len(left) == 1, option
    size = len(option.move.split())
    if option.then and len(words) >= size and left_of(option, words[:size], means) == []:
        for one in option.then:
            yield from _following(one, words[size:], means)


# -- Moves that are offered to who has only a mail or a page: the best under each heading

MOST_OFFERED = 40
"""Moves that a mail offers; the others are written in words."""


class MoveOffer(NamedTuple):
    """A move, or all moves of a turn, that somebody who has only a mail can choose.

    ``label``  what a person reads, like ``red-2 and yellow-1``
    ``moves``  canonical words, in the order in which they are played
    ``note``   what it scores or costs, like ``5 VP``; may be empty
    """

    label: str
    moves: tuple[str, ...]
    note: str = ""


class MoveGroup(NamedTuple):
    """Moves of one kind, the best-scoring first.

    ``more``  how to write the others in words; may be empty
    """

    title: str
    offers: tuple[MoveOffer, ...]
    more: str = ""


def offered(options: Sequence[Option], most: int = MOST_OFFERED) -> list[MoveGroup]:
    """Return the best moves under each heading, so many in all, for a mail or a page.

    Of moves that differ only in numbers one is offered.
    """
    best = {
        heading: [_one_of(one) for one in alike(group)]
        for heading, group in grouped(options, lambda one: one.heading).items()
    }
    # The best under each heading, then the second best, until there is no more room.
    ranked = sorted((nth, heading) for heading, group in best.items() for nth in range(len(group)))
    room = Counter(heading for _, heading in ranked[:most])
    found = [_offered(heading, group, room[heading]) for heading, group in best.items()]
    are_more = any(one.counts for one in options)
    if found and (are_more or sum(len(group.offers) for group in found) < len(options)):
        example = next(iter(best.values()))[-1].move
        more = f"Any other legal move can be written in the same words, like: {example}"
        found[-1] = found[-1]._replace(more=more)
    return found


def _one_of(option: Option) -> Option:
    """Return the move itself, or of all that differ only in numbers the one with most."""
    if not option.counts:
        return option
    left, words = option.counts.most, []
    for name, most in option.counts.names.items():
        number = min(most, left)
        left -= number
        words += [f"{name} {number}"] if number else []
    move = option.move.replace(MANY, " ".join(words))
    return option._replace(move=move, parts=(option.parts[0]._replace(label=[(move, PLAIN)]),))


def _offered(heading: str, group: Sequence[Option], room: int) -> MoveGroup:
    """Return some moves, each called by what the others have not."""
    parts = range(min(len(one.parts) for one in group))
    shared = next((nth for nth in parts if len(groups(group, nth)) > 1), len(parts))
    offers = []
    for one in group[:room]:
        labels = [" ".join(text_of(part.label).split()) for part in one.parts[shared:]]
        label = ": ".join(filter(None, [", ".join(labels) or one.move, one.does]))
        moves = (one.move, *(then.move for then in one.then[:1]))
        offers.append(MoveOffer(label, moves, one.brings))
    return MoveGroup(heading, tuple(offers))
