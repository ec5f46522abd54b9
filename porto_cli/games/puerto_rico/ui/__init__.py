"""Puerto Rico for people and programs: see :class:`porto_cli.ui.Ui`.

All that is shown of a table is made from a :func:`~porto_cli.games.puerto_rico.view.view`, which
has nothing that the asking seat may not see; what happened is made from events.

:mod:`~porto_cli.games.puerto_rico.render` has the rows of the table, ``panel`` fits them above a
question; ``pages`` adds the pictures and the game to be stepped through. Menus, lists, mails and
completion are walks of :mod:`~porto_cli.games.puerto_rico.words`; ``next_step`` says what can be
done, ``offers`` and ``command_words`` have what is not in that list: some placements, and how they
are typed in short. ``new_game`` asks about a new one. All of these are imported when they are
needed, because start-up is most of what a command costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.game import Step
from porto_cli.games.puerto_rico.view import view
from porto_cli.ui import Ui
from porto_cli.ui_values import Thing, Turn

if TYPE_CHECKING:
    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.core.message import Violation
    from porto_cli.core.ruling import CardSection
    from porto_cli.games.puerto_rico.engine.moves import Event
    from porto_cli.games.puerto_rico.engine.setup import Deal
    from porto_cli.games.puerto_rico.engine.state import Config, State
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.paper.document import Document, Node
    from porto_cli.paper.page import PaperTable
    from porto_cli.paper.story import Story
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line
    from porto_cli.ui_values import Choice, Completion, Glance, MoveGroup, Offer, Typed
    from porto_cli.words import Option


class PuertoRicoUi(Ui):
    """The interface. See :class:`porto_cli.ui.Ui` for what each method means."""

    def table(self, replay: Replay, seat: int | None) -> Document:
        """Return the table as a document, the same for all media."""
        from porto_cli.games.puerto_rico.render import table

        return table(view(replay.state, seat), **self._frame(replay))

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document: the view, and what only the record knows."""
        from porto_cli.core.documents import document

        seen = view(replay.state, seat)
        return document(
            game=self.game.meta.id,
            title=replay.record.title,
            turn=None if seen["result"] else len(replay.turns()) + 1,
            **seen,
            fingerprint=replay.fingerprint,
            digest=replay.digest,
        )

    def sheet(self, replay: Replay, seat: int | None) -> PaperTable:
        """Return the table with its pictures."""
        from porto_cli.games.puerto_rico.pages import sheet

        return sheet(self, replay, seat)

    def _frame(self, replay: Replay) -> dict[str, Any]:
        """Return what is shown around the table."""
        return {
            "title": replay.record.title,
            "fingerprint": replay.fingerprint,
            "last": self.last_turn(replay),
        }

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return the round and what each player has, as far as the seat may know (PR-SECRET-1)."""
        from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE
        from porto_cli.ui_values import Glance

        scores = [player["score"]["total"] for player in view(replay.state, seat)["players"]]
        drafting = replay.state.phase == DRAFT_PHASE
        return Glance(0 if drafting else replay.state.round, tuple(scores))

    def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
        """Return a decision, and what then happened by itself."""
        from porto_cli.games.puerto_rico.events import turn

        return turn(step, seat, over=over)

    def illustrated(
        self, story: Story, replay: Replay, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and what is counted in its chart."""
        from porto_cli.games.puerto_rico.pages import illustrated

        return illustrated(story, replay, states, seat)

    def result(self, replay: Replay) -> dict[str, Any] | None:
        """Return the final scores by player."""
        result: dict[str, Any] | None = view(replay.state)["result"]
        return result

    def standings(self, replay: Replay, seat: int | None) -> dict[str, Any]:
        """Return what each player has, as far as the seat may know."""
        from porto_cli.games.puerto_rico.score import standings

        return standings(view(replay.state, seat))

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return a column for each player."""
        from porto_cli.games.puerto_rico.score import score_rows

        return score_rows(standings)

    def options(self, state: State, seat: int | None) -> Sequence[Option]:
        """Return the legal moves; of very many, those that differ only in numbers as one."""
        from porto_cli.games.puerto_rico.words import options

        return options(state, seat)

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves, or what one of too many has to satisfy."""
        from porto_cli.games.puerto_rico.options import moves_json

        return moves_json(state, seat)

    def first_move(self, state: State, moves: Mapping[str, Any]) -> str:
        """Return the first move of the list, in which passing and guests come last."""
        from porto_cli.games.puerto_rico.words import first_move

        return first_move(state)

    def move_nodes(
        self, replay: Replay, seat: int | None, moves: Mapping[str, Any]
    ) -> Iterable[Node]:
        """Return the legal moves as a list, or what they are made of."""
        from porto_cli.games.puerto_rico.words import in_brief
        from porto_cli.move_list import listed

        return listed(in_brief(self.options(replay.state, seat)))

    def how_it_ended(self, replay: Replay) -> str:
        """Say who has won."""
        from porto_cli.games.puerto_rico.render import winners

        return winners(view(replay.state))

    def turn_of_people(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[str]:
        """Return who can do what now."""
        from porto_cli.games.puerto_rico.ui.next_step import next_sentences
        from porto_cli.match.record import TABLE
        from porto_cli.match.replay import path_of, player_to_name

        return next_sentences(
            replay.state,
            path_of(replay, file),
            player_to_name(replay, replay.state.seat, user),
            on_a_table=replay.record.secrecy == TABLE,
            player=replay.holders[replay.state.seat],
        )

    def events_text(self, events: Iterable[Event], config: Config) -> list[str]:
        """Return what happened, including what happened by itself."""
        from porto_cli.games.puerto_rico.events import summary

        return summary(events, config.players)

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, Any]]:
        """Return what happened, for documents."""
        from porto_cli.games.puerto_rico.events import event_json

        return [event_json(event, config.players) for event in events]

    def facts(self, config: Config) -> tuple[dict[str, object], str | None]:
        """Return the options, and a sentence where they are not the usual ones."""
        from porto_cli.games.puerto_rico.engine.state import BASE

        unusual = []
        if config.buildings != BASE:
            unusual.append(f"with {config.buildings} buildings")
        if config.guide:
            unusual.append("by the rules of the guide")
        return dict(config.options), ", ".join(unusual) or None

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Return the options; there is nothing to warn of."""
        return [f"Buildings: {config.buildings}. Rulebook: {config.rulebook}."], []

    def things(self) -> dict[str, Thing]:
        """Return roles, goods, tiles and buildings, each with what it does."""
        from porto_cli.games.puerto_rico.things import things

        return things()

    def in_brief(self) -> list[CardSection]:
        """Return the buildings: price, VP, effect."""
        from porto_cli.games.puerto_rico.things import in_brief

        return [in_brief()]

    def move_groups(self, replay: Replay, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return what there is to choose in a phase; of placements some."""
        from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, MAYOR_PHASE
        from porto_cli.games.puerto_rico.words import PAID_IN_KIND
        from porto_cli.move_list import offered

        state: State = replay.state
        if state.phase == MAYOR_PHASE:
            from porto_cli.games.puerto_rico.ui.offers import placements

            return [placements(state, self.game.view(state, seat if private else None).table)]
        found = self._shown_to(state, seat, private=private)
        if state.phase == DRAFT_PHASE:
            # A menu narrows by cost; here all are named at once.
            found = [one._replace(parts=one.parts[-1:]) for one in found]
        # What pays in kind is too much to be told by its parts.
        found = [one._replace(parts=()) if one.heading == PAID_IN_KIND else one for one in found]
        return offered(found)

    def choices(self, state: State, seat: int, *, private: bool) -> Sequence[Choice]:
        """Return all legal moves; those that differ only in numbers as one."""
        from porto_cli.games.puerto_rico.words import options
        from porto_cli.ui_values import Choice

        return [
            Choice(one.move, one.brings, *(one.counts or ()))
            for one in options(state, seat, asking=True)
            if not one.why_not and (private or not one.secret)
        ]

    # Scenarios.

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Return the table of a state, with the VP of all: a scenario has no secrets."""
        from porto_cli.games.puerto_rico.render import table
        from porto_cli.paper.text import lines

        return lines(table(view(state, all_chips=True), title=title), screen)

    # Commands that make moves.

    def is_a_word(self, word: str) -> bool:
        """Return whether a word names something that a move is about."""
        from porto_cli.games.puerto_rico.notation import is_a_word

        return is_a_word(word)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all roles, tiles and buildings, and others with a hyphen."""
        from porto_cli.games.puerto_rico.notation import NAMES

        return NAMES

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the move of a command; what is missing is asked for.

        A placement that was typed is whole. Other words can be those of several moves, in any
        order, which only somebody who is asked can tell.
        """
        from porto_cli.games.puerto_rico.words import options

        verb, words = command.verb, command.words
        if words and (verb == "place" or not command.asker):
            return command.mover, [" ".join([verb, *words])]

        def found() -> list[Option]:
            legal = options(command.match.state, command.mover, asking=True)
            return [one._replace(ordered=False) for one in legal]

        return command.mover, self.moves_of(command, found)

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return why it is not the time for a verb, or that there is no guest to move."""
        broken = super().not_now(state, verb, seat)
        return [one for one in broken if one.rule == "PR-TURN-1" or verb == "guest"][:1]

    def means(self, word: str, name: str) -> bool:
        """Return whether each part of a word begins that of a name."""
        from porto_cli.games.puerto_rico.notation import means

        return means(word, name)

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return up to five legal moves, the most similar first."""
        from porto_cli.games.puerto_rico.words import suggestions

        return suggestions(state, text, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        from porto_cli.games.puerto_rico.ui.command_words import complete

        return complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        from porto_cli.games.puerto_rico.engine.components import TILES

        return TILES[thing]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        from porto_cli.games.puerto_rico.new_game import AskedChance

        return AskedChance(asker, typed)

    # A new game.

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the buildings and the rulebook."""
        from porto_cli.games.puerto_rico.new_game import ask_buildings, ask_rulebook

        return {"buildings": ask_buildings, "rulebook": ask_rulebook}

    def player_count(self, count: int) -> str:
        """Return what a game has for a number of players."""
        from porto_cli.games.puerto_rico.new_game import player_count

        return player_count(count)

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts of the setup, by option."""
        from porto_cli.games.puerto_rico.new_game import ask_tiles, ask_violet

        return {"tiles": ask_tiles, "violet": ask_violet}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Return what has to be typed about a real table."""
        from porto_cli.games.puerto_rico.new_game import setup_missing

        return setup_missing(flags, players)

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return the setup of a real table."""
        from porto_cli.games.puerto_rico.new_game import read_setup

        return read_setup(config, **texts)

    def new_game(self, match: Match, file: str) -> list[str]:
        """Return which game was set up, and what its seed does not hide."""
        from porto_cli.games.puerto_rico.new_game import what_was_set_up

        return what_was_set_up(match, file)

    # Playing at one keyboard.

    legend = (
        "On tiles and buildings ● is a colonist and ○ an empty circle; on a ship ▮ is a barrel and "
        "▯ an empty space. In front of a building is its price; ▸ means that you can pay it. "
        "Until the end, VP chips are shown to their owner only; at one keyboard, to everybody who "
        "looks at the screen in the owner's turn."
    )

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.puerto_rico.panel import BoardPanel
        from porto_cli.history import news

        return BoardPanel(view(replay.state, seat), news(self, replay, reader))

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""
        from porto_cli.asking import offer
        from porto_cli.games.puerto_rico.words import options

        return offer(match.players[seat], options(match.state, seat, asking=True), asker)
