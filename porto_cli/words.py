"""Words: the legal moves of a game as people read and type them.

They are a tree of words: a game says once of each legal move what :class:`Option` holds, the best
move first, in a class that is derived from :class:`Language`. Menus (:mod:`porto_cli.asking`), the
list of ``porto moves``, what a mail offers, completion, what is missing of a command, suggestions
and what can be typed next are walks of that.
"""

# No ``from __future__ import annotations``, see porto_cli/seam.py.

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from porto_cli.core import InvalidMoveError, Violation, document, refuse, unnamed, usage
from porto_cli.core import command as command_of
from porto_cli.core.chance import seeded_chance
from porto_cli.seam import OVER, Command, CommandOption, Move, MoveGroup, MoveOffer, State, Typed
from porto_cli.term import PLAIN, Line, text_of

if TYPE_CHECKING:
    from porto_cli.rules import Rules
    from porto_cli.term.prompt import Asker

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
    then: "Sequence[Option]" = ()
    made: str = ""
    form: "Callable[[Asker], str] | None" = None
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


# -- What a game says of its moves: lists, menus, commands, completion


MOST_SUGGESTED = 5
"""Moves that are proposed in place of one that is not legal."""
_MANY = 500
"""Moves among which one is looked for whose verb was left out."""
_LONGEST_NAME = 4
"""The most words of a name."""


class Language:
    """The moves of a game as people read and type them. Everything has a default that is made of
    the moves in the notation.
    """

    def __init__(self, rules: "Rules") -> None:
        self.rules = rules

    # -- What is legal.

    def options(self, state: State, seat: int | None, *, asking: bool = False) -> Sequence[Option]:
        """Return the legal moves of a seat, of who is to move if not said, the best first, with
        what people are shown of them. ``seat`` is also who reads this: ``None`` is everybody.

        With ``asking`` somebody chooses among them: of too many those that differ only in numbers
        are one, and there may be some that are not legal, with the reason.
        """
        rules, mover = self.rules, state.seat if seat is None else seat
        legal = rules.legal_moves(state, mover) if mover in rules.to_move(state) else []
        question = f"{state.config.players[mover]} is to move."
        turn = Part(question, [("Make a move", PLAIN)], at_once=True)
        found = []
        for move in legal:
            text = rules.format_move(move, state)
            parts = (turn, Part(question, [(text, PLAIN)]))
            found.append(Option(text, parts, facts={"move": text}, secret=rules.is_secret(move)))
        return found

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves of a seat, of who is to move if not said, by the names of
        ``porto moves --format json``: ``count``, and ``moves`` unless there are too many of them.
        """
        moves = [one.facts for one in self.options(state, seat) if one.facts is not None]
        mover = state.seat if seat is None else seat
        return {
            "player": None if state.phase == OVER else state.config.players[mover],
            "count": len(moves),
            "moves": moves,
        }

    def fits(self, options: Mapping[str, Any]) -> Callable[[dict[str, Any]], bool]:
        """Return what says of a legal move whether it fits the options of ``porto moves``.

        Raises InvalidMoveError.
        """
        return lambda move: True

    def moves(self, state: State, seat: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the legal moves that fit the options of ``porto moves``, as a document.

        Raises InvalidMoveError.
        """
        listed = document(game=self.rules.meta.id, **self.moves_json(state, seat))
        if "moves" in listed:
            fits = self.fits(options)
            moves = [move for move in listed["moves"] if fits(move)]
            listed |= {"count": len(moves), "moves": moves}
        return listed

    def options_of(self, state: State, seat: int | None, moves: Mapping[str, Any]) -> list[Option]:
        """Return legal moves, a document of :meth:`moves`, as they are listed; all if they are too
        many for that.
        """
        options = self.options(state, seat)
        if "moves" not in moves:
            return [*options]
        shown = {move["move"] for move in moves["moves"]}
        return [one for one in options if one.move in shown]

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return moves of a seat whose turn it is, a limited number of them, by their kinds.

        With ``private`` the reader alone reads them; else nothing in them may depend on what only
        the seat knows.
        """
        return offered(self.choices(state, seat, private=private, asking=False))

    def choices(
        self, state: State, seat: int, *, private: bool, asking: bool = True
    ) -> list[Option]:
        """Return the legal moves of a seat that can be chosen without being asked, those that score
        best first; when ``asking``, those that differ only in numbers can be one.

        With ``private`` the seat alone reads them; else those are left out of which only the seat
        knows that they are legal.
        """
        return [
            one
            for one in self.options(state, seat, asking=asking)
            if (private or not one.secret)
            and (one.facts is not None or one.counts)
            and not one.why_not
        ]

    def to_know(self, state: State, typed: Callable[[str], str]) -> Iterable[str]:
        """Yield what to know before choosing a move, in sentences for everybody; ``typed`` returns
        the command that makes a move.
        """
        return ()

    def verbs(self, state: State) -> Sequence[str]:
        """Return the verbs of the moves that a game like this one can have."""
        return self.rules.meta.verbs

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return a few legal moves that are most like one that is not."""
        legal = self.options(state, seat)
        return nearest((one.move for one in legal if one.facts is not None), text)

    def with_verb(self, state: State, seat: int, words: str) -> str:
        """Return the legal move that has these words behind its verb, if there is one only."""
        legal = self.rules.legal_moves(state, seat, _MANY)
        texts = (self.rules.format_move(move, state) for move in legal)
        fits = [text for text in texts if text.partition(" ")[2] == " ".join(words.split())]
        return fits[0] if len(fits) == 1 else ""

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return a few legal moves that are most like one that is not."""
        near = self.nearest(state, self.rules.format_move(move, state), seat)
        return [self.rules.parse_move(text, state, seat) for text in near]

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return the rules that forbid every move of a verb now, whatever it says.

        By default these are the rules that the example of the verb breaks, where no move of it is
        legal.
        """
        about = self.rules.commands.verbs[verb]
        if about.example is None or any(one.verb == verb for one in self.options(state, seat)):
            return ()
        text = " ".join([verb, *about.example_words])
        return self.rules.violations(state, self.rules.parse_move(text, state, seat), seat)

    # -- What is typed.

    def is_a_word(self, word: str) -> bool:
        """Return whether a word belongs into a move, so that it is hardly a file.

        By default these are the names of the game.
        """
        return word in self.names

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of what moves are about, in lower case.

        By default these are the words of the moves with which a game can begin.
        """
        rules = self.rules
        config = rules.new_config([f"Player {seat}" for seat in range(rules.meta.players.start)])
        state = rules.initial_state(config, rules.deal(config, seeded_chance("words")))
        texts = (rules.format_move(move, state) for move in rules.legal_moves(state, state.seat))
        return frozenset(word for text in texts for word in text.lower().split()[1:])

    def means(self, word: str, name: str) -> bool:
        """Return whether a word that was typed is one of the notation, or short for it."""
        return word.casefold() == name.casefold()

    def joined(self, words: Iterable[str]) -> list[str]:
        """Return words with the names among them as one word each, like ``red-3`` for ``Red 3``;
        several names with a slash or a plus between them are taken apart.
        """
        left = [part for word in words for part in self._apart(word)]
        found = []
        while left:
            sizes = range(min(len(left), _LONGEST_NAME), 1, -1)
            size = next((n for n in sizes if "-".join(left[:n]).lower() in self.names), 1)
            found.append("-".join(left[:size]))
            del left[:size]
        return found

    def _apart(self, word: str) -> list[str]:
        parts = re.split("[/+]", word)
        is_several = not self.is_a_word(word) and all(map(self.is_a_word, parts))
        return parts if is_several else [word]

    def by_name(self, words: list[str], state: State) -> list[str]:
        """Return the words of a move, its verb first, with names for what only has a number on the
        table, so that it means the same when the table has changed.
        """
        return words

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return whose move a command makes, and the moves of the turn as texts.

        What is missing is asked for; without anybody to ask, it is said what is missing. Raises
        InvalidMoveError, WrongUsageError, RefusedError, CancelledError.
        """
        if command.seat is None and self.rules.commands.verbs[command.verb].secret:
            command = self._with_who_chooses(command)
        words, then = self._in_words(command)
        words = self.by_name(words, command.state)[1:]

        command = command._replace(words=words)

        def options() -> Sequence[Option]:
            found = self.options(command.state, command.mover, asking=True)
            settled = bool(then) or command.dry_run
            return [one._replace(then=()) for one in found] if settled else found

        made = [" ".join([command.verb, *words])]
        if left := self._left_open(command, options):
            assert command.asker
            made = command.choose(command.asker(), left)
        return command.mover, [*made, *then]

    def _with_who_chooses(self, command: Command) -> Command:
        """Say who makes a secret move, so that nobody chooses for another player by mistake."""
        rules, state, players = self.rules, command.state, command.state.config.players
        able = [players[seat] for seat in rules.secret_movers(state)]
        if not able or len(players) == 1:
            return command
        if not command.asker:
            secret = filter(rules.is_secret, rules.legal_moves(state, players.index(able[0])))
            texts = (rules.format_move(move, state).split()[1:] for move in secret)
            like = next(texts, [rules.commands.verbs[command.verb].words.rstrip("…")])
            text = " ".join([command.verb, *(command.words or like)])
            unnamed(
                rules.whose_secret(able),
                suggestions=[command_of(text, command.path, name) for name in able],
            )
        about = rules.commands.rules_about("secret")
        return command._replace(seat=players.index(command.asker().which_player(able, about)))

    def _in_words(self, command: Command) -> tuple[list[str], list[str]]:
        """Return the words of a move, its verb first, and the moves that go on with it, from words
        and options. Raises WrongUsageError where two of them say the same.
        """
        words, then = [command.verb, *command.words], list[str]()
        own, verbs = self._word_options(command.verb), self.rules.meta.verbs
        lower = [word.lower() for word in words]
        for option in own:
            if option.name in lower and command.options.get(option.name):
                usage(f"{option.flag} and the word {option.name} say the same; leave one out.")
        # What goes on with the move ends its own words, to which options are added.
        ends = [lower.index(one.name) for one in own if one.name in verbs and one.name in lower]
        if ends:
            end = min(ends)
            then.append(" ".join([lower[end], *words[end + 1 :]]))
            words = words[:end]
        for option in own:
            if value := command.options.get(option.name):
                said = [option.name, *split_words(value)]
                if option.name in verbs:
                    then.append(" ".join(said))
                else:
                    words += said
        return words, then

    def _word_options(self, verb: str) -> list[CommandOption]:
        return [one for one in self.rules.commands.verbs[verb].options if one.is_word]

    def _left_open(
        self, command: Command, options: Callable[[], Sequence[Option]]
    ) -> Sequence[Option]:
        """Return the moves that a command can still be, to ask for one of them; none if it is one
        as it was typed. What is whole is for the rules to judge.

        ``options`` returns all legal moves of who makes it. Without anybody to ask it is said what
        is missing (exit code 2). Raises InvalidMoveError, WrongUsageError, RefusedError.
        """
        words = [command.verb, *command.words]
        text = " ".join(words)
        verb = self.rules.commands.verbs[command.verb]
        needed = verb.words.partition("[")[0].split()
        lacks = len(command.words) < len(needed)
        if not verb.words or (not lacks and self._is_settled(command, text)):
            return ()
        found = fitting(options(), words, self.means)
        whole = [one for one in found if not left_of(one, words, self.means)][:1]
        if not lacks and (not found or (whole and not whole[0].then)):
            return ()
        state, mover = command.state, command.mover
        if not whole:
            self._demand_words(command, words)
            if broken := self.not_now(state, command.verb, mover):
                refuse(*broken, suggestions=command.proposed(self.nearest(state, text, mover)))
        near = [one.move for one in found if one.facts is not None]
        near = near or self.nearest(state, text, mover)
        proposed = command.proposed(near[:MOST_SUGGESTED])
        with_words = f" with {' '.join(command.words)}" if command.words else ""
        none = f"No {command.verb}{with_words} is legal now."
        if not command.asker:
            missing = f"Something is missing: {verb.about[:1].lower()}{verb.about[1:]}"
            # A choice that is known to its player alone is legal, and not listed.
            is_legal = found or (verb.secret and mover in self.rules.secret_movers(state))
            usage(missing if is_legal else none, suggestions=proposed)
        if not found:
            refuse(none, suggestions=proposed)
        if command.words and found[0].form:
            return ()
        return whole or found

    def _is_settled(self, command: Command, text: str) -> bool:
        """Return whether a move leaves nothing open: with somebody to ask, that is one which is
        legal and after which no other decision of the same turn waits. This spares a plain move the
        list of all others.
        """
        rules, state, seat = self.rules, command.state, command.mover
        try:
            move = rules.parse_move(text, state, seat)
        except InvalidMoveError:
            return False
        if not command.asker:
            return True
        if rules.violations(state, move, seat):
            return False
        after, _ = rules.apply(state, move, lambda stream, index, pile: 0, seat)
        return rules.follow_up(after) is None

    def _demand_words(self, command: Command, words: Sequence[str]) -> None:
        """Raise InvalidMoveError for a word that no move can have: the example of the verb is read
        with these words in place of its first ones.
        """
        rest = self.rules.commands.verbs[command.verb].example_words[len(words) - 1 :]
        if words[1:] and rest:
            self.rules.parse_move(" ".join([*words, *rest]), command.state, command.mover)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow: the next word of the move of a verb, or a value of an option,
        whose ``completion`` is ``what``. Raises InvalidMoveError.

        What words of a secret move stand for is told to who was named.
        """
        if typed.state is None or what != typed.verb:
            return ()
        options = [
            one._replace(glosses={}, note=NOTHING) if one.secret and not typed.named else one
            for one in self.options(typed.state, typed.seat)
        ]
        words = [typed.verb, *typed.words]
        for option in self._word_options(typed.verb):
            if value := typed.options.get(option.name):
                if option.name in self.rules.meta.verbs:
                    # What goes on with the move is said already.
                    options = [one._replace(then=()) for one in options]
                else:
                    also = [*words, option.name, *split_words(value)]
                    words = also if fitting(options, also, self.means) else words
        return completions(options, words, self.means)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a thing that can come up."""
        return str(thing)
