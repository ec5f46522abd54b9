"""How a game is shown and asked about: the interface of a game.

:class:`Ui` is the interface of a game, apart from the game itself, which can be played without a
screen. Everything in it has a default that is made of what a game has in any case: its table as
lines of text (``Game.table``) and its events as sentences (``Game.describe``). A game derives a
class from it and overrides what it does better.

Each method imports what it needs when it is called, because start-up is most of what a command
costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.game import NO_DEAL, OVER, Config, Deal, Event, Game, Move, State, Step, game_of
from porto_cli.ui_values import (
    GONE,
    Choice,
    Completion,
    Entry,
    Glance,
    MoveGroup,
    Offer,
    Thing,
    Turn,
    Typed,
)

if TYPE_CHECKING:
    from porto_cli.abilities import Secrets
    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.core.message import Violation
    from porto_cli.core.ruling import CardSection
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.paper.document import Document, Node
    from porto_cli.paper.page import PaperTable
    from porto_cli.paper.story import Story
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line
    from porto_cli.words import Option


_LONGEST_NAME = 4
"""The most words of a name."""


class Ui:
    """The interface of a game. ``seat`` is who looks, ``None`` a bystander."""

    legend: str = "The table is shown as text."
    """What the signs on the screen mean, as part of the help with every question."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def secrets(self) -> Secrets[State, Move] | None:
        """What players keep from each other, if they do."""
        return self.game.secrets

    # -- What is shown.

    def table(self, replay: Replay, seat: int | None) -> Document:
        """Return the table as a document."""
        from porto_cli.paper.document import Document, TypedLines

        title = self._heading(replay.record.title)
        return Document(title, [TypedLines(self.game.table(replay.state, seat))])

    def table_text(self, replay: Replay, seat: int | None, screen: Screen) -> list[Line]:
        """Return the table for a screen."""
        from porto_cli.paper.text import lines

        return lines(self.table(replay, seat), screen)

    def table_sentences(self, replay: Replay, seat: int | None) -> list[str]:
        """Return the table in whole sentences, line by line."""
        from porto_cli.paper.text import sentences

        return sentences(self.table(replay, seat))

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""
        from porto_cli.core.documents import document

        state, players = replay.state, replay.config.players
        outcome = self.game.outcome(state)
        return document(
            game=self.game.meta.id,
            title=replay.record.title,
            phase=state.phase,
            turn=None if outcome else state.turn + 1,
            to_move=[players[one] for one in self.game.to_move(state)],
            players=[{"name": name} for name in players],
            table=self.game.table(state, seat),
            fingerprint=replay.fingerprint,
            digest=replay.digest,
            result=self.result(replay),
        )

    def result(self, replay: Replay) -> Any:
        """Return how a game has ended, as documents have it, the first place first; ``None`` while
        it goes on.
        """
        outcome = self.game.outcome(replay.state)
        if outcome is None:
            return None
        rows = zip(outcome.places, replay.config.players, outcome.scores, outcome.won, strict=True)
        return [
            {"name": name, "place": place, "score": score, "won": won}
            for place, name, score, won in sorted(rows, key=lambda row: row[0])
        ]

    def table_svg(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a picture."""
        from porto_cli.paper.page import table_picture

        said = self.table_sentences(replay, seat)
        return table_picture(self._title(replay), self.sheet(replay, seat), said)

    def table_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a page."""
        from porto_cli.paper.page import table_page

        below = self.score_below(replay, seat)
        return table_page(self._title(replay), self.sheet(replay, seat), below, replay.fingerprint)

    def sheet(self, replay: Replay, seat: int | None) -> PaperTable:
        """Return what is on the page and in the picture of the table; by default its text."""
        from porto_cli.paper.page import PaperTable

        return PaperTable(rows=self.table(replay, seat).nodes)

    def score_below(self, replay: Replay, seat: int | None) -> list[Node]:
        """Return who is ahead and why, for the end of a page."""
        from porto_cli.paper.document import Heading

        return [Heading("Standings"), *self.score_rows(self.standings(replay, seat))]

    def _title(self, replay: Replay) -> str:
        return replay.record.title or self.game.meta.title

    def _heading(self, title: str) -> str:
        """Return which game it is, with the title of the record if it has one."""
        game = self.game.meta.title
        return f"{game}, {title}" if title else game

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return the state of a game in a few numbers."""
        outcome = self.game.outcome(replay.state)
        return Glance(0, outcome.scores if outcome else (0,) * len(replay.config.players))

    def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
        """Return a step as a seat, or (``None``) a bystander, may know it; with ``over`` the game
        has ended, and nothing is secret. What was said after it, and that it takes back another
        one, is added by :mod:`porto_cli.history`.
        """
        from porto_cli.match.undo import UNDO

        config, undo = step.before.config, step.takes_back is not None
        player, number = config.players[step.seat], step.after.turn
        facts = {
            "turn": None if undo else number,
            "player": player,
            "moves": [UNDO] if undo else [self.in_short(step)],
            "undone": step.undone,
            "events": self.events_json(step.events, config),
        }
        done = tuple(self.events_text(step.events, config))
        return Turn(facts, heading=f"Turn {number}: {player}", done=done)

    def log_text(self, replay: Replay, width: int, since: int = 0) -> list[Line]:
        """Return the history of a game, or that of ``replay.steps[since:]``."""
        from porto_cli.history import log
        from porto_cli.paper.text import lines
        from porto_cli.term.screen import Screen

        return lines(log(self, replay, since), Screen(width))

    def log_json(self, replay: Replay, since: int = 0) -> dict[str, Any]:
        """Return the history of a game, or that of ``replay.steps[since:]``, as a document."""
        from porto_cli.core.documents import document
        from porto_cli.history import turns

        return document(
            game=self.game.meta.id,
            title=replay.record.title,
            turns=[turn.facts for turn in turns(self, replay, since=since)],
            result=self.result(replay),
        )

    def illustrated(
        self, story: Story, replay: Replay, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with the table in each of its frames, as a seat may see it: with pictures,
        and with what the chart counts. ``states`` are those of the frames.
        """
        from porto_cli.paper.document import TypedLines

        frames = zip(story.frames, states, strict=True)
        return story._replace(
            frames=[
                frame._replace(body=[*frame.body, TypedLines(self.game.table(state, seat))])
                for frame, state in frames
            ]
        )

    def score(self, replay: Replay, seat: int | None) -> Document:
        """Return who is ahead and why, to be written anywhere. That of a finished game begins with
        how it ended, and has where the VP came from below a heading.
        """
        from porto_cli.paper.document import Document, Heading

        rows = self.score_rows(self.standings(replay, seat))
        if replay.state.phase == OVER:
            rows = [Heading(self.how_it_ended(replay)), Heading("Final scores"), *rows]
        return Document("", [*rows])

    def score_json(self, replay: Replay, seat: int | None) -> dict[str, Any]:
        """Return the standings as a document."""
        from porto_cli.core.documents import document

        return document(game=self.game.meta.id, **self.standings(replay, seat))

    def standings(self, replay: Replay, seat: int | None) -> dict[str, Any]:
        """Return who is ahead and why, by the names of ``porto score --format json``."""
        ranked = self.result(replay)
        names = [{"name": name} for name in replay.config.players]
        return {"over": ranked is not None, "players": names if ranked is None else ranked}

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return standings as rows."""
        from porto_cli.paper.document import Paragraph

        if not standings["over"]:
            return [Paragraph(["The game goes on; nothing is counted before its end."])]
        players = standings["players"]
        return [Paragraph([f"{one['place']}. {one['name']}: {one['score']}"]) for one in players]

    def moves(self, replay: Replay, seat: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the legal moves that fit the options of ``porto moves``, as a document.

        Raises InvalidMoveError.
        """
        from porto_cli.core.documents import document

        listed = document(game=self.game.meta.id, **self.moves_json(replay.state, seat))
        if "moves" in listed:
            fits = self.fits(options)
            moves = [move for move in listed["moves"] if fits(move)]
            listed |= {"count": len(moves), "moves": moves}
        return listed

    def options(self, state: State, seat: int | None) -> Sequence[Option]:
        """Return the legal moves of a seat, of who is to move if not said, the best first, with
        what people are shown of them. ``seat`` is also who reads this: ``None`` is everybody.
        """
        from porto_cli.term.spans import PLAIN
        from porto_cli.words import Option, Part

        game, mover = self.game, state.seat if seat is None else seat
        legal = game.legal_moves(state, mover) if mover in game.to_move(state) else []
        question = f"{state.config.players[mover]} is to move."
        turn = Part(question, [("Make a move", PLAIN)], at_once=True)
        found = []
        for move in legal:
            text = game.format_move(move, state)
            parts = (turn, Part(question, [(text, PLAIN)]))
            found.append(Option(text, parts, facts={"move": text}, secret=game.is_secret(move)))
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

    def first_move(self, state: State, moves: Mapping[str, Any]) -> str:
        """Return the first move of :meth:`moves`, as an example."""
        return str(moves["moves"][0]["move"])

    def move_nodes(
        self, replay: Replay, seat: int | None, moves: Mapping[str, Any]
    ) -> Iterable[Node]:
        """Return legal moves, a document of :meth:`moves`, as a list."""
        from porto_cli.move_list import listed

        shown = {move["move"] for move in moves["moves"]}
        return listed(one for one in self.options(replay.state, seat) if one.move in shown)

    def move_groups(self, replay: Replay, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return moves of a seat whose turn it is, a limited number of them, by their kinds.

        With ``private`` the reader alone reads them; else nothing in them may depend on what only
        the seat knows.
        """
        from porto_cli.move_list import offered

        shown = self._shown_to(replay.state, seat, private=private)
        return offered([one for one in shown if one.facts is not None])

    def choices(self, state: State, seat: int, *, private: bool) -> Sequence[Choice]:
        """Return all legal moves of a seat, those that score best first.

        With ``private`` the seat alone reads them; else those are left out of which only the seat
        knows that they are legal.
        """
        return [
            Choice(one.move, one.brings, *(one.counts or ()))
            for one in self._shown_to(state, seat, private=private)
        ]

    def _shown_to(self, state: State, seat: int, *, private: bool) -> list[Option]:
        """Return the moves that can be chosen without being asked, as far as a reader may know."""
        return [
            one
            for one in self.options(state, seat)
            if (private or not one.secret) and (one.facts is not None or one.counts)
        ]

    def what_next(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[str]:
        """Say who can do what now, with the commands to type.

        ``file`` is how the commands call the record, if not as it was read; ``user`` the seat of
        who types them, if that is known, or ``LEFT``: for others they name the player.
        """
        if replay.bots:
            from porto_cli.match.play import turn_of_a_bot

            waiting = turn_of_a_bot(replay, file)
            if waiting:
                return waiting
        return self.turn_of_people(replay, file, user)

    def turn_of_people(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[str]:
        """Say the same as :meth:`what_next` where it is not the turn of a bot."""
        if replay.state.phase == OVER:
            return [self.how_it_ended(replay)]
        from porto_cli.core.characters import command
        from porto_cli.match.replay import path_of, player_to_name
        from porto_cli.words import examples

        game, state, path = self.game, replay.state, path_of(replay, file)
        player, named = replay.holders[state.seat], player_to_name(replay, state.seat, user)
        legal = game.legal_moves(state, state.seat)
        if not legal:
            return [f"It is the turn of {player}."]
        texts = [game.format_move(move, state) for move in legal]
        return [*examples(player, texts, lambda words: command(words, path, named))]

    def how_it_ended(self, replay: Replay) -> str:
        """Say who has won a finished game."""
        outcome = self.game.outcome(replay.state)
        rows = zip(replay.config.players, outcome.won, strict=True) if outcome else ()
        winners = [name for name, won in rows if won]
        if not winners:
            return "The game is over."
        return f"The game is over. Won by: {', '.join(winners)}."

    def events_text(self, events: Iterable[Event], config: Config) -> list[str]:
        """Say what happened."""
        return [self.game.describe(event, config) for event in events]

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, object]]:
        """Return what happened, for documents."""
        return [{"told": self.game.describe(event, config)} for event in events]

    def in_short(self, step: Step) -> str:
        """Return a step as a move that everybody may know."""
        if not step.moves:
            return GONE
        move = step.moves[0]
        text = self.game.format_move(move, step.before)
        return text.split()[0] if self.game.is_secret(move) else text

    def last_turn(self, replay: Replay) -> list[str]:
        """Say what the last turn was and what it brought, as everybody may know it; or that it was
        taken back.
        """
        from porto_cli.history import turn_of

        if not replay.steps:
            return []
        return turn_of(self, replay.steps[-1], over=replay.state.phase == OVER).sentences

    def facts(self, config: Config) -> tuple[dict[str, object], str | None]:
        """Return what ``porto verify`` reports about a game: for its document, and as part of a
        sentence if there is something unusual.
        """
        return {}, None

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Say by what box and options a game is played, to who has not joined it yet; and warn of
        what passes for something else.

        By default these are the lines that the options have in a record.
        """
        lines = self.game.config_lines(config)
        return [f"Options: {'; '.join(lines)}."] if lines else [], []

    def things(self) -> dict[str, Thing]:
        """Return what in the box can be looked up by ``porto rules``, by name; nothing else has to
        be known to play.
        """
        return {}

    def in_brief(self) -> list[CardSection]:
        """Return what ``porto rules`` shows in brief, besides what ``rulings.toml`` has for it."""
        return []

    # -- Scenarios.

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Return the table of a state that no record led to."""
        from porto_cli.paper.document import Document, TypedLines
        from porto_cli.paper.text import lines

        table = TypedLines(self.game.table(state, None))
        return lines(Document(self._heading(title), [table]), screen)

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Return how the final scores of players are worked out, if there is more to say."""
        return []

    # -- Commands that make moves.

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
        from porto_cli.core.chance import seeded_chance

        game = self.game
        names = [f"Player {seat}" for seat in range(game.meta.players.start)]
        config = game.new_config(names)
        state = game.initial_state(config, game.deal(config, seeded_chance("words")))
        texts = (game.format_move(move, state) for move in game.legal_moves(state, state.seat))
        return frozenset(word for text in texts for word in text.lower().split()[1:])

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
        state, mover = command.match.state, command.mover
        return mover, self.moves_of(command, lambda: self.options(state, mover))

    def moves_of(self, command: Command, options: Callable[[], Sequence[Option]]) -> list[str]:
        """Return the moves of a command as they were typed, or as they are asked for among those
        that ``options`` returns. Raises the same as :meth:`read_command`.
        """
        from porto_cli.words import left_open

        if found := left_open(command, options, self):
            from porto_cli.asking import ask

            assert command.asker
            return ask(command.asker(), found)
        return [" ".join([command.verb, *command.words])]

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return the rules that forbid every move of a verb now, whatever it says.

        By default these are the rules that the example of the verb breaks, where no move of it is
        legal.
        """
        from porto_cli.commands import commands_of

        example = commands_of(self.game.meta.id).verbs[verb].example
        if example is None or any(one.verb == verb for one in self.options(state, seat)):
            return ()
        text = f"{verb} {example.partition('--')[0]}"
        return self.game.violations(state, self.game.parse_move(text, state, seat), seat)

    def means(self, word: str, name: str) -> bool:
        """Return whether a word that was typed is one of the notation, or short for it."""
        return word.casefold() == name.casefold()

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return a few legal moves that are most like one that is not."""
        from porto_cli.words import nearest

        legal = self.options(state, seat)
        return nearest((one.move for one in legal if one.facts is not None), text)

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return a few legal moves that are most like one that is not."""
        game = self.game
        near = self.nearest(state, game.format_move(move, state), seat)
        return [game.parse_move(text, state, seat) for text in near]

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow: the next word of the move of a verb, or a value of an option,
        whose ``completion`` is ``what``. Raises InvalidMoveError.

        What words of a secret move stand for is told to who was named.
        """
        if typed.match is None or what != typed.verb:
            return ()
        from porto_cli.words import NOTHING, completions

        options = [
            one._replace(glosses={}, note=NOTHING) if one.secret and not typed.named else one
            for one in self.options(typed.match.state, typed.seat)
        ]
        return completions(options, [typed.verb, *typed.words], self.means)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a thing that can come up."""
        return str(thing)

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks what came up on a real table, unless it was typed."""
        from porto_cli.core.chance import TypedChance

        return typed or TypedChance()

    # -- A new game. What is on a real table has the names of the options for it.

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those that were typed.

        Raises WrongUsageError, FileError, InvalidFileError.
        """
        return {name: str(value) for name, value in typed.items()}

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts of the setup, by option.

        Each returns the value, or ``None`` if there is nothing to ask.
        """
        return {}

    def player_count(self, count: int) -> str:
        """Return the name of a game with a number of players."""
        return "1 player" if count == 1 else f"{count} players"

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table, by option."""
        return {}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Say what has to be typed of a real table."""
        return f"Say what lies on the table, with {', '.join(flags)}."

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        return NO_DEAL

    def new_game(self, match: Match, file: str) -> list[str]:
        """Say which game was set up in a file, and what its seed does not hide."""
        return [
            (
                f"A game of {self.game.meta.title} with {len(match.players)} players is set "
                f"up in {file}; {match.players[0]} is first."
            )
        ]

    # -- Playing at one keyboard.

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table as ``seat`` may see it, and what is new to ``reader``."""
        from porto_cli.term.prompt import Notes

        return Notes(tuple(self.last_turn(replay)), tuple(self.table_sentences(replay, seat)))

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""
        from porto_cli.asking import offer

        return offer(match.players[seat], self.options(match.state, seat), asker)

    def meanwhile(self, match: Match, seat: int, asker: Asker) -> list[Entry]:
        """Return what a player can do who waits for others."""
        return self.offer(match, seat, asker).entries


def ui_of(game_id: str) -> Ui:
    """Return the interface of a game by its name. Raises KeyError if there is none."""
    return game_of(game_id).ui
