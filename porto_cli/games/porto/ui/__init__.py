"""Porto's interface, see :class:`porto_cli.ui.Ui`.

The modules of this folder are imported when they are needed, because start-up is most of what a
command costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import shown
from porto_cli.game import OVER, Step
from porto_cli.ui import Ui

if TYPE_CHECKING:
    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.core.message import Violation
    from porto_cli.games.porto.engine.moves import Event
    from porto_cli.games.porto.engine.state import Config, Deal, State
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.paper.document import Document, Node
    from porto_cli.paper.page import PaperTable
    from porto_cli.paper.story import Story
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line
    from porto_cli.ui_values import (
        Completion,
        Glance,
        MoveGroup,
        Turn,
        Typed,
    )
    from porto_cli.words import Option


class PortoUi(Ui):
    """The interface. See :class:`porto_cli.ui.Ui` for what each method means."""

    def table(self, replay: Replay, seat: int | None) -> Document:
        """Return the table as a document."""
        from porto_cli.games.porto.render import document
        from porto_cli.games.porto.view import table

        return document(table(replay, seat))

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""
        from porto_cli.core.documents import document
        from porto_cli.games.porto.view import GAME, table

        return document(game=GAME, **table(replay, seat))

    def sheet(self, replay: Replay, seat: int | None) -> PaperTable:
        """Return the table with its pictures."""
        from porto_cli.games.porto.pages import sheet

        return sheet(self, replay, seat)

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return the round and the scores; private contracts count at the end (P-END-2)."""
        from porto_cli.ui_values import Glance

        return Glance(replay.state.round, tuple(replay.state.scores))

    def turn(self, step: Step, seat: int | None, *, over: bool) -> Turn:
        """Return a turn, without which private contracts are kept."""
        from porto_cli.games.porto.events import turn

        return turn(step)

    def illustrated(
        self, story: Story, replay: Replay, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and what is counted in its chart."""
        from porto_cli.games.porto.pages import illustrated

        return illustrated(story, replay, states, seat)

    def result(self, replay: Replay) -> dict[str, Any] | None:
        """Return the ranking, with private contracts and what broke ties."""
        from porto_cli.games.porto.view import result

        return result(replay.state) if replay.state.phase == OVER else None

    def standings(self, replay: Replay, seat: int | None) -> dict[str, Any]:
        """Return who is ahead and where the VP came from."""
        from porto_cli.games.porto.score import standings

        return standings(replay, seat)

    def score_rows(self, standings: Mapping[str, Any]) -> Iterable[Node]:
        """Return the sources of VP as a table, and what private contracts count."""
        from porto_cli.games.porto.score import score_rows

        return score_rows(standings)

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves, those that score best first."""
        from porto_cli.games.porto.options import moves_json

        return moves_json(state, seat)

    def fits(self, options: Mapping[str, Any]) -> Callable[[dict[str, Any]], bool]:
        """Return what says whether a move is on a house, for a contract, with some cards."""
        from porto_cli.games.porto.words import fits

        return fits(**options)

    def options(self, state: State, seat: int | None) -> Sequence[Option]:
        """Return the legal moves, those that score best first."""
        from porto_cli.games.porto.words import options

        return options(state, seat)

    def move_groups(self, replay: Replay, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return draws, and builds by house; which private contracts to keep, with draws."""
        from porto_cli.games.porto.engine.state import KEEP

        if replay.state.phase != KEEP or not replay.state.dealt:
            return super().move_groups(replay, seat, private=private)
        from porto_cli.games.porto.words import keeps_in_mail

        return keeps_in_mail(replay, seat) if private else []

    def how_it_ended(self, replay: Replay) -> str:
        """Say who has won, and by how much."""
        from porto_cli.games.porto.score import how_it_ended, standings

        return how_it_ended(standings(replay))

    def turn_of_people(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[str]:
        """Say who can do what now."""
        from porto_cli.games.porto.ui.next_step import next_sentences

        return next_sentences(replay, file, user)

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, Any]]:
        """Return what happened, for documents."""
        from porto_cli.games.porto.events import event_json

        return [event_json(event, config) for event in events]

    def facts(self, config: Config) -> tuple[dict[str, object], str | None]:
        """Return the edition, and say so if it is none of those that come with the program."""
        from porto_cli.games.porto.editions import is_shipped

        name, own = config.edition.name, not is_shipped(config.edition)
        remark = f"with an edition of its own, {shown(name)}" if own else None
        return {"edition": name, "own_edition": own}, remark

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Return edition and options, and a warning of an edition that passes for another."""
        from porto_cli.games.porto.new_game import terms, warnings

        return terms(config), warnings(config)

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Draw the table of a state."""
        from porto_cli.games.porto.render import document
        from porto_cli.games.porto.view import view
        from porto_cli.paper.text import lines

        return lines(document({"title": title, **view(state, None)}), screen)

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Say what the private contracts of players are worth, house by house."""
        from porto_cli.games.porto.score import count_contract, houses_counted

        kept = [
            (player, count_contract(state, contract))
            for player in players
            for contract in state.kept[state.config.players.index(player)]
        ]
        return [
            f"{one['contract']} of {player}, as of now: {one['vp']} VP. "
            + " ".join(houses_counted(one))
            for player, one in kept
        ]

    def is_a_word(self, word: str) -> bool:
        """Return whether a word names a card, a house or a contract, or is used with those."""
        from porto_cli.games.porto.notation import NONE, TOKEN, is_a_component

        return word in (NONE, TOKEN) or is_a_component(word)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all cards, houses and contracts."""
        from porto_cli.games.porto.engine.components import CARDS, HOUSES
        from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES

        names = (*CARDS, *HOUSES, *PUBLIC_NAMES, *PRIVATE_NAMES)
        return frozenset(name.lower() for name in names)

    def by_name(self, words: list[str], state: State) -> list[str]:
        """Return a draw, or a choice of public contracts, by names instead of spaces."""
        from porto_cli.games.porto.ui.command_words import by_name

        return by_name(words, state)

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the moves of a command: a build maybe with the contracts that it fulfills."""
        from porto_cli.games.porto.ui.command_words import in_words, with_who_keeps

        if command.verb == "keep" and command.seat is None:
            command = with_who_keeps(command)
        state, mover = command.match.state, command.mover
        words, claim = in_words(command.verb, command.words, command.options, state)

        def options() -> Sequence[Option]:
            found = self.options(state, mover)
            settled = bool(claim) or command.dry_run
            return [one._replace(then=()) for one in found] if settled else found

        return mover, [*self.moves_of(command._replace(words=words), options), *claim]

    def means(self, word: str, name: str) -> bool:
        """Return whether a word that was typed is a name, or short for it."""
        from porto_cli.games.porto.ui.command_words import means

        return means(word, name)

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return why it is not the time for any move of a verb."""
        from porto_cli.games.porto.ui.command_words import not_now

        return not_now(state, verb, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        if what == "editions":
            from porto_cli.games.porto.editions import names

            return names()
        if typed.match is None:
            return ()
        if what != typed.verb:
            from porto_cli.games.porto.ui.command_words import values

            # Only what lies face up is completed without the moves.
            face_up = what.startswith("face-")
            found = () if face_up else self.options(typed.match.state, typed.seat)
            return values(what, typed, found)
        state: State = typed.match.state
        if what == "keep" and (not state.dealt or state.is_revealing):
            from porto_cli.games.porto.words import unrevealed

            # At a real table only its player knows a deal.
            return [name for name in unrevealed(state) if name not in typed.words]
        token, words = typed.options.get("token"), typed.words
        if typed.verb == "build" and token and len(words) == 3:
            words = [*words, "token", token]
        if typed.verb == "build" and typed.options.get("contract"):
            # What it fulfills is said already.
            from porto_cli.words import completions

            found = self.options(typed.match.state, typed.seat)
            builds = [one._replace(then=()) for one in found]
            return completions(builds, ["build", *words], self.means)
        return super().complete(what, typed._replace(words=words))

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a card or public contract."""
        from porto_cli.games.porto.notation import PUBLIC_NAMES, card_names

        return PUBLIC_NAMES[thing] if stream == "contracts" else card_names([thing])[0]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which cards and contracts came up."""
        from porto_cli.games.porto.words import AskedChance

        return AskedChance(asker, typed)

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those of ``porto new``."""
        from porto_cli.games.porto.new_game import new_options

        return new_options(typed, players)

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the timer and the variant."""
        from porto_cli.games.porto.new_game import ask_private_contracts, ask_timer

        return {"timer": ask_timer, "private_contracts": ask_private_contracts}

    def player_count(self, count: int) -> str:
        """One player plays the solo game."""
        if count == 1:
            return "1 player: the solo game against the timer"
        return f"{count} players"

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table, by option."""
        from porto_cli.games.porto import new_game

        return {
            "tokens": new_game.ask_tokens,
            "cards": new_game.ask_cards,
            "contracts": new_game.ask_contracts,
        }

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Say what has to be typed of a real table."""
        from porto_cli.games.porto.new_game import setup_missing

        return setup_missing(flags, players)

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table."""
        from porto_cli.games.porto.new_game import read_setup

        return read_setup(config, **texts)

    def new_game(self, match: Match, file: str) -> list[str]:
        """Say which game was set up, and what its seed does not hide."""
        from porto_cli.games.porto.new_game import what_was_set_up

        return what_was_set_up(match, file)

    legend = (
        "L7 R4 finds L7 token R4. Where houses are listed, Y 2/5 has 2 of 5 yellow floors, (3) "
        "is a token of 3 VP on the ground floor space, /3\\ one on the roof space, and ▲ a roof. "
        "In front of a public contract, ● says that it can be met this turn, ○ that it could be "
        "later, × that it no longer can."
    )

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.porto.board_panel import BoardPanel
        from porto_cli.games.porto.view import table
        from porto_cli.history import news

        return BoardPanel(table(replay, seat), news(self, replay, reader))
