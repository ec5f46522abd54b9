"""Words: the legal moves of a game as people read and type them.

In a subclass of :class:`Language` a game describes each legal move once, as an :class:`Option`, the
best one first. Menus (:mod:`porto_cli.asking`), the list of ``porto moves``, the moves in a mail,
completion, questions about an incomplete command and suggestions are all made from these options.
"""

# No ``from __future__ import annotations``, see porto_cli/seam.py.

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from porto_cli.core import InvalidMoveError, Violation, refuse, unnamed, usage
from porto_cli.core.chance import first_of_pile, seeded_chance
from porto_cli.core.shell import command as command_of
from porto_cli.core.values import document
from porto_cli.seam import OVER, Advice, Command, CommandOption, MoveGroup, MoveOffer, State, Typed
from porto_cli.term import PLAIN, Line, text_of

if TYPE_CHECKING:
    from porto_cli.rules import Rules
    from porto_cli.term.prompt import Asker

_T = TypeVar("_T")
_K = TypeVar("_K")

NOTHING: Line = []
"""The empty line; default for notes."""

MANY = "…"
"""Placeholder in a move for names with any numbers, see :class:`Counts`."""

Completion = str | tuple[str, str]
"""A word that can come next, possibly with a line that explains it."""

Means = Callable[[str, str], bool]
"""Tells whether a typed word is a given word of the notation, or short for it."""


class Part(NamedTuple):
    """A step toward a move.

    ``question``  what is asked
    ``label``     the answer
    ``rules``     the rulings that help to answer
    ``key``       what is typed for the answer, always the same; if empty, the words of the label
    ``also``      other texts by which the answer can be found, besides its label
    ``note``      what the answer does, in one line
    ``first``     the label for choosing this part before the earlier ones; may be empty
    ``at_once``   for a first part that all moves share: it is not asked, or its form comes first
    """

    question: str
    label: Line
    rules: tuple[str, ...] = ()
    also: str = ""
    note: str = ""
    first: str = ""
    at_once: bool = False
    key: str = ""


class Counts(NamedTuple):
    """Names that a move has with any numbers: ``names`` in order with the maximum of each; the
    ``least`` and ``most`` of all together; the numbers to begin with (``now``).
    """

    names: Mapping[str, int]
    least: int
    most: int
    now: Mapping[str, int] = {}


class Option(NamedTuple):
    """A legal move.

    ``move``     the move in the notation; with :data:`MANY` where it has names with any numbers
    ``parts``    the questions that lead to it; the first is that of the turn
    ``vp``       what it scores; 0 also where moves are not ranked by that
    ``does``     what it does, if neither its words nor the heading say so
    ``note``     what it brings and costs, besides the VP or in detail
    ``heading``  the heading under which it is listed
    ``facts``    its entry in ``porto moves --format json``; ``None`` if it is not listed
    ``colored``  the move in color, if it has any
    ``short``    the move without what its heading says, for lists
    ``glosses``  explanations of its words
    ``ordered``  whether the words after the verb have a fixed order
    ``secret``   whether only the player who makes it may see it
    ``then``     moves that can follow it in the same turn, the best first
    ``made``     the move of the same turn that it follows, once that is chosen
    ``form``     asks for all moves with this form at once, in place of their other parts
    ``counts``   what has to be chosen for :data:`MANY`
    ``why_not``  why it is illegal: it is shown among the others, but cannot be chosen
    ``rare``     whether few players want it, so menus list it only once it is typed
    ``estimate`` how much worse than the first one it is, where the list stands by a quick estimate
    ``says``     phrases that tell it in words where its last part does not; first what is done
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
    rare: bool = False
    estimate: float | None = None
    says: Sequence[str] = ()

    @property
    def verb(self) -> str:
        """Its first word."""
        return self.move.partition(" ")[0]

    @property
    def turn(self) -> str:
        """The move, below the one that it follows."""
        return "\n".join(filter(None, [self.made, self.move]))

    @property
    def shown(self) -> Line:
        """The move, in color if possible."""
        return self.colored or [(self.move, "")]

    @property
    def brief(self) -> Line:
        """The move as shown in lists."""
        return self.short or self.shown

    @property
    def brings(self) -> str:
        """Its score and its note: ``5 VP: floors 3, neighbors 2``."""
        return ": ".join(filter(None, [f"{self.vp} VP" if self.vp else "", text_of(self.note)]))

    @property
    def in_full(self) -> Line:
        """What it does and brings."""
        if not self.does or not self.note:
            return [(self.does, "")] if self.does else self.note
        return [(f"{self.does}: ", ""), *self.note]

    def can_be(self, move: str) -> bool:
        """Return whether a move is this one, with any numbers."""
        before, many, after = self.move.partition(MANY)
        return move == self.move or bool(many and move.startswith(before) and move.endswith(after))

    def part(self, index: int) -> Part:
        """Return one of its parts; after the last one, a part that shows the whole move."""
        if index < len(self.parts):
            return self.parts[index]
        return self.parts[-1]._replace(label=[(self.move, "")], first="")


def grouped(things: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """Return things in groups by their keys, in the order in which the keys appear."""
    by_key: dict[_K, list[_T]] = {}
    for thing in things:
        by_key.setdefault(key(thing), []).append(thing)
    return by_key


def alike(options: Iterable[Option]) -> list[Option]:
    """Return the moves without those that look the same in brief and bring the same."""
    same = grouped(
        options, lambda one: (text_of(one.brief), one.vp, text_of(one.in_full), one.heading)
    )
    return [some[0] for some in same.values()]


def groups(options: Iterable[Option], index: int = 0) -> list[list[Option]]:
    """Return the moves grouped by one of their parts."""
    return [*grouped(options, lambda one: text_of(one.part(index).label)).values()]


def score_of(group: Sequence[Option]) -> str:
    """Return the score of some moves: ``5 VP``, or ``up to 5 VP``."""
    vps = {one.vp for one in group}
    if not any(vps):
        return ""
    return f"{max(vps)} VP" if len(vps) == 1 else f"up to {max(vps)} VP"


MOST_SUGGESTED = 5
"""The number of moves proposed in place of an illegal one."""


def nearest(moves: Iterable[str], wanted: str) -> list[str]:
    """Return the moves most like a wanted one, with the same verb if there are any."""
    words = wanted.split()

    def unlikeness(move: str) -> tuple[int, int, int, int]:
        others = move.split()
        in_place, shared = sum(map(str.__eq__, words, others)), Counter(words) & Counter(others)
        return -in_place, -shared.total(), sum(map(others.index, shared)), len(others)

    every = [*moves]
    same = [move for move in every if move.split()[:1] == words[:1]]
    return sorted(same or every, key=unlikeness)[:MOST_SUGGESTED]


# -- Words that were typed


def split_words(typed: str | Iterable[str]) -> list[str]:
    """Return the words of one or several texts, separated by spaces or commas; without the word
    "the", which no move has.
    """
    texts = [typed] if isinstance(typed, str) else typed
    return [word for word in " ".join(texts).replace(",", " ").split() if word.lower() != "the"]


def fitting(options: Iterable[Option], words: Sequence[str], means: Means) -> list[Option]:
    """Return the moves that begin with these words, or just have them if their words are not
    ordered. The first word is the verb.
    """
    return [one for one in options if left_of(one, words, means) is not None]


def left_of(option: Option, words: Sequence[str], means: Means) -> list[str] | None:
    """Return the rest of a move after these words; ``None`` if it lacks one of them."""
    left = option.move.split()
    if not words:
        return left
    if len(words) > len(left) or not means(words[0], left[0]):
        return None
    if option.ordered:
        return left[len(words) :] if all(map(means, words, left)) else None
    left = left[1:]
    for word in words[1:]:
        name = next((one for one in left if means(word, one)), None)
        if name is None:
            return None
        left.remove(name)
    return left


def completions(
    options: Iterable[Option], words: Sequence[str], means: Means
) -> Iterator[Completion]:
    """Yield the words that can come next, with what they mean and bring."""
    by_word: dict[str, list[tuple[bool, Option]]] = {}
    for option in options:
        for word, is_last, move in _following(option, words, means):
            by_word.setdefault(word, []).append((is_last, move))
    for word, moves in by_word.items():
        ending = [move for is_last, move in moves if is_last]
        note = worth_of(ending[:1] or [move for _, move in moves], word)
        yield (word, note) if note else word


def worth_of(options: Sequence[Option], word: str) -> str:
    """Return what a word of some moves means, and what they bring."""
    gloss = options[0].glosses.get(word, "")
    note = "" if gloss or len(options) > 1 else text_of(options[0].note)
    return ", ".join(filter(None, [gloss, score_of(options) or note]))


def _following(
    option: Option, words: Sequence[str], means: Means
) -> Iterator[tuple[str, bool, Option]]:
    """Yield each word that can come next, whether it is the last one, and its move."""
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


# -- Moves offered in a mail or on a page: the best under each heading

MOST_OFFERED = 40
"""The number of moves in a mail; others can be written in words."""


def offered(options: Sequence[Option], most: int = MOST_OFFERED) -> list[MoveGroup]:
    """Return the best moves under each heading for a mail or a page, at most ``most`` in all.

    Moves that differ only in numbers are offered as one.
    """
    best = {
        heading: [_one_of(one) for one in alike(group)]
        for heading, group in grouped(options, lambda one: one.heading).items()
    }
    # The best under each heading, then the second best, until there is no more room.
    ranked = sorted(
        (rank, heading) for heading, group in best.items() for rank in range(len(group))
    )
    room = Counter(heading for _, heading in ranked[:most])
    shown = [_offered(heading, group, room[heading]) for heading, group in best.items()]
    are_more = any(one.counts for one in options)
    if shown and (are_more or sum(len(group.offers) for group in shown) < len(options)):
        example = next(iter(best.values()))[-1].move
        more = f"Any other legal move can be written in the same words, like: {example}"
        shown[-1] = shown[-1]._replace(more=more)
    return shown


def _one_of(option: Option) -> Option:
    """Return the move itself; of moves that differ only in numbers, the one with the most."""
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
    """Return some moves, each labeled by the parts in which they differ."""
    parts = range(min(len(one.parts) for one in group))
    shared = next((index for index in parts if len(groups(group, index)) > 1), len(parts))
    offers = []
    for one in group[:room]:
        labels = [" ".join(text_of(part.label).split()) for part in one.parts[shared:]]
        label = ": ".join(filter(None, [", ".join(labels) or one.move, one.does]))
        moves = (one.move, *(then.move for then in one.then[:1]))
        offers.append(MoveOffer(label, moves, one.brings))
    return MoveGroup(heading, tuple(offers))


# -- The moves of a game in lists, menus, commands and completion

_SEARCHED = 500
"""The number of moves searched for one whose verb was left out."""
_LONGEST_NAME = 4
"""The maximum number of words in a name."""


class Language:
    """The moves of a game as people read and type them. Everything has a default, which is made
    from the moves in the notation.
    """

    def __init__(self, rules: "Rules") -> None:
        self.rules = rules

    # -- What is legal.

    def options(self, state: State, seat: int | None, *, asking: bool = False) -> Sequence[Option]:
        """Return the legal moves of a seat, by default the one to move, as people see them, the
        best first. ``seat`` is also the reader; ``None`` means everybody.

        With ``asking``, they are for a choice: moves that differ only in numbers can be one option,
        and some illegal moves may be included, with the reason.
        """
        rules, mover = self.rules, state.seat if seat is None else seat
        legal = rules.legal_moves(state, mover) if mover in rules.to_move(state) else []
        question = f"It is {state.config.players[mover]}'s turn."
        turn = Part(question, [("Make a move", PLAIN)], at_once=True)
        options = []
        for move in legal:
            text = rules.format_move(move, state)
            parts = (turn, Part(question, [(text, PLAIN)]))
            options.append(Option(text, parts, facts={"move": text}, secret=rules.is_secret(move)))
        return options

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves of a seat, by default the one to move, with the keys of ``porto
        moves --format json``: ``count``, and ``moves`` unless there are too many to list.
        """
        moves = [one.facts for one in self.options(state, seat) if one.facts is not None]
        mover = state.seat if seat is None else seat
        return {
            "player": None if state.phase == OVER else state.config.players[mover],
            "count": len(moves),
            "moves": moves,
        }

    def fits(self, options: Mapping[str, Any]) -> Callable[[dict[str, Any]], bool]:
        """Return a test for legal moves by the options of ``porto moves``.

        Raises InvalidMoveError.
        """
        return lambda move: True

    def moves(self, state: State, seat: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document of ``porto moves``: the legal moves that fit its options.

        Raises InvalidMoveError.
        """
        listed = document(game=self.rules.meta.id, **self.moves_json(state, seat))
        if "moves" in listed:
            moves = [*filter(self.fits(options), listed["moves"])]
            listed |= {"count": len(moves), "moves": moves}
        return listed

    def options_of(self, state: State, seat: int | None, moves: Mapping[str, Any]) -> list[Option]:
        """Return the legal moves in a document of :meth:`moves` as options; all legal moves if the
        document has too many to list them.
        """
        options = self.options(state, seat)
        if "moves" not in moves:
            return [*options]
        shown = {move["move"] for move in moves["moves"]}
        return [one for one in options if one.move in shown]

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return a limited number of moves of a seat whose turn it is, grouped by kind.

        With ``private`` only the player of the seat reads them; otherwise nothing in them may
        depend on what only that player knows.
        """
        return offered(self.choices(state, seat, private=private, asking=False))

    def choices(
        self, state: State, seat: int, *, private: bool, asking: bool = True
    ) -> list[Option]:
        """Return the legal moves of a seat that can be chosen from a list, best score first; when
        ``asking``, moves that differ only in numbers can be one option.

        With ``private`` only the player of the seat reads them; otherwise moves that only this
        player knows to be legal are left out.
        """
        return [
            one
            for one in self.options(state, seat, asking=asking)
            if (private or not one.secret)
            and (one.facts is not None or one.counts)
            and not one.why_not
        ]

    def to_know(self, state: State, typed: Callable[[str], str]) -> Iterable[Advice]:
        """Yield what is to be read before choosing a move, for everybody; ``typed`` returns the
        command that makes a move.
        """
        return ()

    def verbs(self, state: State) -> Sequence[str]:
        """Return the verbs of the moves that a game like this one can have."""
        return self.rules.meta.verbs

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return a few legal moves most like an illegal one."""
        legal = self.options(state, seat)
        return nearest((one.move for one in legal if one.facts is not None), text)

    def with_verb(self, state: State, seat: int, words: str) -> str:
        """Return the only legal move with these words, in any order, behind its verb; or with all
        but the first.
        """
        legal, typed = self.rules.legal_moves(state, seat, _SEARCHED), split_words(words)
        texts = [self.rules.format_move(move, state) for move in legal]
        said = (sorted(some) for some in (typed, typed[1:] or typed))
        ways = ([text for text in texts if sorted(text.split()[1:]) == some] for some in said)
        return next((fits[0] for fits in ways if len(fits) == 1), "")

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return the rules that forbid every move with this verb now.

        By default these are the rules that the example of the verb breaks, if no move with it is
        legal.
        """
        about = self.rules.commands.verbs[verb]
        if about.example is None or any(one.verb == verb for one in self.options(state, seat)):
            return ()
        text = " ".join([verb, *about.example_words])
        return self.rules.violations(state, self.rules.parse_move(text, state, seat), seat)

    # -- Reading what was typed

    def is_a_word(self, word: str) -> bool:
        """Return whether a word belongs in a move, so that it is unlikely to be a file.

        By default these are the names of the game.
        """
        return word in self.names

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that moves use, in lower case.

        By default these are the words of all possible first moves.
        """
        rules = self.rules
        config = rules.new_config([f"Player {seat}" for seat in range(rules.meta.players.start)])
        state = rules.initial_state(config, rules.deal(config, seeded_chance("words")))
        texts = (rules.format_move(move, state) for move in rules.legal_moves(state, state.seat))
        return frozenset(word for text in texts for word in text.lower().split()[1:])

    def means(self, word: str, name: str) -> bool:
        """Return whether a typed word is a given word of the notation, or short for it."""
        return word.casefold() == name.casefold()

    def joined(self, words: Iterable[str]) -> list[str]:
        """Join the words of each name, like ``Red 3`` to ``red-3``; split names joined by a slash
        or a plus.
        """
        left = [part for word in words for part in self._apart(word)]
        joined = []
        while left:
            sizes = range(min(len(left), _LONGEST_NAME), 1, -1)
            size = next((n for n in sizes if "-".join(left[:n]).lower() in self.names), 1)
            joined.append("-".join(left[:size]))
            del left[:size]
        return joined

    def _apart(self, word: str) -> list[str]:
        parts = re.split("[/+]", word)
        is_several = not self.is_a_word(word) and all(map(self.is_a_word, parts))
        return parts if is_several else [word]

    def by_name(self, words: list[str], state: State) -> list[str]:
        """Return the words of a move, its verb first, with names in place of numbers of spaces, so
        that it means the same after the table has changed.
        """
        return words

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the seat that moves by a command, and its moves of this turn as texts.

        Asks for anything that is missing; with nobody to ask, raises an error that says what is
        missing. Raises InvalidMoveError, WrongUsageError, RefusedError, CancelledError.
        """
        if command.seat is None and self.rules.commands.verbs[command.verb].secret:
            command = self._with_chooser(command)
        words, then = self._in_words(command)
        command = command._replace(words=self.by_name(words, command.state)[1:])

        def options() -> Sequence[Option]:
            legal = self.options(command.state, command.mover, asking=True)
            settled = bool(then) or command.dry_run
            return [one._replace(then=()) for one in legal] if settled else legal

        made = [" ".join([command.verb, *command.words])]
        if left := self._left_open(command, options):
            assert command.asker
            made = command.choose(command.asker(), left)
        return command.mover, [*made, *then]

    def _with_chooser(self, command: Command) -> Command:
        """Add the player who makes a secret move, so that nobody chooses for another by mistake."""
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
        """Return the words of a move, its verb first, and the moves that follow it in the turn,
        from words and options. Raises WrongUsageError if a word and an option say the same.
        """
        words, then = [command.verb, *command.words], list[str]()
        own, verbs = self._word_options(command.verb), self.rules.meta.verbs
        lower = [word.lower() for word in words]
        for option in own:
            if option.name in lower and command.options.get(option.name):
                usage(f"{option.flag} and the word {option.name} say the same; leave one out.")
        # A following move ends the words of the first one, to which options are added.
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
        """Return the moves that an incomplete command can mean, to ask for one of them; none if the
        command is complete. Whether a complete move is legal is for the rules to judge.

        ``options`` returns all legal moves of the mover. With nobody to ask, exits with code 2 and
        says what is missing. Raises InvalidMoveError, WrongUsageError, RefusedError.
        """
        words = [command.verb, *command.words]
        text = " ".join(words)
        verb = self.rules.commands.verbs[command.verb]
        needed = verb.words.partition("[")[0].split()
        lacks = len(command.words) < len(needed)
        if not verb.words or (not lacks and self._is_settled(command, text)):
            return ()
        possible = fitting(options(), words, self.means)
        whole = [one for one in possible if not left_of(one, words, self.means)][:1]
        if not lacks and (not possible or (whole and not whole[0].then)):
            return ()
        state, mover = command.state, command.mover
        if not whole:
            self._demand_words(command, words)
            if broken := self.not_now(state, command.verb, mover):
                refuse(*broken, suggestions=command.proposed(self.nearest(state, text, mover)))
        listed = [one for one in possible if one.facts is not None]
        by_next = grouped(listed, lambda one: next(_following(one, words, self.means), ("",))[0])
        best = [some[0] for some in by_next.values()] if command.words else listed
        near = [one.move for one in best] or self.nearest(state, text, mover)
        proposed = command.proposed(near[:MOST_SUGGESTED])
        kinds = re.sub("[][…]", "", verb.words).lower().split()
        kind = [*kinds[len(command.words) :], "next word"][0].replace("-", " ")
        none = f"No {text} is legal now."
        if command.words:
            none = f"After '{text}', the {kind} is missing, but no {kind} is possible now."
        if not command.asker:
            # What comes after it can be for special cases that this game does not have.
            about = verb.about.partition(";")[0].removesuffix(".")
            missing = f"After '{text}', say which: {about[:1].lower()}{about[1:]}."
            if by_next and (command.words or verb.words.isalpha()):
                write = f"write {'one of: ' * (len(by_next) > 1)}{', '.join(by_next)}"
                missing = f"After '{text}', the {kind} is missing; {write}."
            # A choice that only its player knows is legal, but not listed.
            is_legal = possible or (verb.secret and mover in self.rules.secret_movers(state))
            usage(missing if is_legal else none, suggestions=proposed)
        if not possible:
            refuse(none, suggestions=proposed)
        if command.words and possible[0].form:
            return ()
        return whole or possible

    def _is_settled(self, command: Command, text: str) -> bool:
        """Return whether a move leaves nothing to ask. With somebody to ask, it has to be legal,
        and no other decision of the same turn may wait after it. This saves a plain move listing
        all the others.
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
        return not rules.follow_up(rules.apply(state, move, first_of_pile, seat)[0])

    def _demand_words(self, command: Command, words: Sequence[str]) -> None:
        """Raise InvalidMoveError for a word that no move can have: parses the example of the verb
        with these words in place of its first ones.
        """
        rest = self.rules.commands.verbs[command.verb].example_words[len(words) - 1 :]
        if words[1:] and rest:
            self.rules.parse_move(" ".join([*words, *rest]), command.state, command.mover)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can come next: the next word of a move, if ``what`` is its verb, or a value
        of the option whose ``completion`` is ``what``. Raises InvalidMoveError.

        Words of a secret move are explained only to a player who was named.
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
                    # The following move was typed already.
                    options = [one._replace(then=()) for one in options]
                else:
                    also = [*words, option.name, *split_words(value)]
                    words = also if fitting(options, also, self.means) else words
        return completions(options, words, self.means)
