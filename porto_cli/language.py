"""The parts of a game for people: its moves as words, typed, completed and understood; and how
people set it up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core import InvalidMoveError, Violation, document, plural, refuse, unnamed, usage
from porto_cli.core import command as command_of
from porto_cli.core.chance import TypedChance, seeded_chance
from porto_cli.seam import NO_DEAL, OVER, CommandOption, Config, Deal, Move, State
from porto_cli.term import PLAIN
from porto_cli.words import (
    NOTHING,
    Completion,
    Option,
    Part,
    completions,
    fitting,
    left_of,
    nearest,
    offered,
    split_words,
)

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.rules import Rules
    from porto_cli.term.prompt import Asker
    from porto_cli.words import MoveGroup

# -- How people set up a game: what they type and are asked, and what is said of it then


class NewGame:
    """How people set up a game. What is on a real table has the names of the options for it."""

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those that were typed.

        Raises WrongUsageError, FileError, InvalidFileError.
        """
        return {name: str(value) for name, value in typed.items()}

    def option_questions(self) -> Mapping[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts of the setup, by option.

        Each returns the value, or ``None`` if there is nothing to ask.
        """
        return {}

    def player_count(self, count: int) -> str:
        """Return the name of a game with a number of players."""
        return plural(count, "player")

    def setup_questions(self) -> Mapping[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table, by option."""
        return {}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Say what has to be typed of a real table."""
        return f"Say what lies on the table, with {', '.join(flags)}."

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        return NO_DEAL

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Say which game was set up in a file, and what its seed does not hide. ``title`` is what
        the game is called.
        """
        players = match.config.players
        count, first = len(players), players[0]
        return [f"A game of {title} with {count} players is set up in {file}; {first} is first."]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks what came up on a real table, unless it was typed."""
        return typed or TypedChance()


# -- What a game says of its moves as people read and type them: lists, menus, commands, completion
#
# The legal moves are a tree of words, see ``porto_cli.words``; a game derives a class from
# ``Language`` and overrides what it says better than the notation.


class Typed(NamedTuple):
    """What was typed of a command when the Tab key is pressed."""

    state: State | None
    """The table of its record, if it has one that can be read."""
    verb: str
    words: list[str]
    """Words of the move, in lower case."""
    options: Mapping[str, Any]
    seat: int
    """Who is going to move."""
    named: bool
    """Whether ``--as`` says that."""


class Command(NamedTuple):
    """A command that makes a move, as far as it was typed."""

    state: State
    """The table of its record."""
    path: str
    """How commands call the record."""
    verb: str
    words: list[str]
    """The words of the move without its verb."""
    options: Mapping[str, Any]
    """The options of the verb that were typed."""
    seat: int | None
    """Who was named by ``--as``."""
    asker: Callable[[], Asker] | None
    """Returns the prompt for missing parts; ``None`` without a terminal to ask on."""
    dry_run: bool
    proposed: Callable[[Iterable[str]], list[str]] = list
    """Returns the commands for moves of who moves."""

    @property
    def mover(self) -> int:
        """The seat that is meant: who was named, else who is to move."""
        seat: int = self.state.seat
        return seat if self.seat is None else self.seat


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

    def __init__(self, rules: Rules) -> None:
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
        return offered(self.shown_to(state, seat, private=private))

    def shown_to(
        self, state: State, seat: int, *, private: bool, asking: bool = False
    ) -> list[Option]:
        """Return the moves that can be chosen without being asked, as far as a reader may know
        them: with ``private`` the seat alone, else everybody.
        """
        return [
            one
            for one in self.options(state, seat, asking=asking)
            if (private or not one.secret) and (one.facts is not None or one.counts)
        ]

    def choices(self, state: State, seat: int, *, private: bool) -> Sequence[Option]:
        """Return all legal moves of a seat, those that score best first; those that differ only in
        numbers can be one.

        With ``private`` the seat alone reads them; else those are left out of which only the seat
        knows that they are legal.
        """
        found = self.shown_to(state, seat, private=private, asking=True)
        return [one for one in found if not one.why_not]

    def to_know(self, state: State) -> Iterable[str]:
        """Yield what to know before choosing a move, in sentences for everybody."""
        return ()

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

        def options() -> Sequence[Option]:
            found = self.options(command.state, command.mover, asking=True)
            settled = bool(then) or command.dry_run
            return [one._replace(then=()) for one in found] if settled else found

        return command.mover, [*self.moves_of(command._replace(words=words), options), *then]

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

    def moves_of(self, command: Command, options: Callable[[], Sequence[Option]]) -> list[str]:
        """Return the moves of a command as they were typed, or as they are asked for among those
        that ``options`` returns. Raises the same as :meth:`read_command`.
        """
        found = self.left_open(command, options)
        if not found:
            return [" ".join([command.verb, *command.words])]
        from porto_cli.asking import ask

        assert command.asker
        return ask(command.asker(), found)

    def left_open(
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
        if not command.asker:
            usage(
                f"Something is missing: {verb.about[:1].lower()}{verb.about[1:]}",
                suggestions=command.proposed(near[:MOST_SUGGESTED]),
            )
        if not found:
            with_words = f" with {' '.join(command.words)}" if command.words else ""
            refuse(
                f"No {command.verb}{with_words} is legal now.", suggestions=command.proposed(near)
            )
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
