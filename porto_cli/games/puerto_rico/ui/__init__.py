"""Puerto Rico for people and programs: see :class:`porto_cli.ui.Ui`.

All that is shown of a table is made from an :class:`~..engine.observation.Observation`, which
has nothing that the asking seat may not see; what happened is made from events.

``table_text`` and ``plain`` show the table, ``move_list`` the legal moves, ``next_step`` what
can be done, ``history`` and ``log_text`` the story, ``scoring`` and ``score_text`` the reckoning;
``svg`` is the table as a picture, made of the panels in ``picture``, ``html`` the picture with the
same in words, ``film`` and ``log_html`` the game to be stepped through; ``json`` has all of it for
programs. ``command_words`` and ``completion`` belong to the commands; ``answers``,
``placement_form``, ``turn_prompts``, ``board_panel`` and ``news`` to the game at the keyboard;
``new_game`` and ``chance_prompts`` to what is asked besides. They are imported when they are
needed, because start-up is most of what a command costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import Sentence, say
from porto_cli.game_ui import MoveList
from porto_cli.ui import Ui

if TYPE_CHECKING:
    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.game_ui import Completion, Glance, Offer, Typed
    from porto_cli.games.puerto_rico.engine.config import Config
    from porto_cli.games.puerto_rico.engine.events import Event
    from porto_cli.games.puerto_rico.engine.moves import Move
    from porto_cli.games.puerto_rico.engine.observation import Observation
    from porto_cli.games.puerto_rico.engine.setup import Deal
    from porto_cli.games.puerto_rico.engine.state import State
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.players.analysis import Analysis
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line


class PuertoRicoUi(Ui):
    """The interface. See :class:`porto_cli.ui.Ui` for what each method means."""

    def table_text(self, replay: Replay, seat: int | None, screen: Screen) -> list[Line]:
        """Return the table for a screen."""
        from porto_cli.games.puerto_rico.ui.table_text import text

        return text(_seen(replay, seat), screen, **self._frame(replay))

    def table_sentences(self, replay: Replay, seat: int | None) -> list[str]:
        """Tell the table."""
        from porto_cli.games.puerto_rico.ui.plain import plain

        return plain(_seen(replay, seat), **self._frame(replay))

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""
        from porto_cli.games.puerto_rico.engine.state import OVER
        from porto_cli.games.puerto_rico.ui.json import table_json

        return table_json(
            _seen(replay, seat),
            title=replay.record.title,
            turn=None if replay.state.phase == OVER else len(replay.turns()) + 1,
            fingerprint=replay.fingerprint,
            digest=replay.digest,
        )

    def table_svg(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a picture."""
        from porto_cli.games.puerto_rico.ui.svg import svg

        return svg(_seen(replay, seat), **self._frame(replay))

    def table_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a page."""
        from porto_cli.games.puerto_rico.ui.html import html

        return html(_seen(replay, seat), **self._frame(replay))

    def _frame(self, replay: Replay) -> dict[str, Any]:
        """Return what is shown around the table."""
        return {
            "title": replay.record.title,
            "fingerprint": replay.fingerprint,
            "last": self.last_turn(replay),
        }

    def table_mail_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as HTML for the middle of a mail."""
        from porto_cli.games.puerto_rico.ui.mail_html import mail_html

        return mail_html(_seen(replay, seat))

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return the round and what each player has, as far as the seat may know (PR-SECRET-1)."""
        from porto_cli.game_ui import Glance
        from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE
        from porto_cli.games.puerto_rico.ui.scoring import standings

        totals = {one.name: one.total for one in standings(_seen(replay, seat)).players}
        drafting = replay.state.phase == DRAFT_PHASE
        return Glance(
            0 if drafting else replay.state.round,
            tuple(totals[player] for player in replay.config.players),
        )

    def log_text(self, replay: Replay, width: int, since: int = 0) -> list[Line]:
        """Tell the story of a game."""
        from porto_cli.games.puerto_rico.ui.history import story
        from porto_cli.games.puerto_rico.ui.log_text import log_text
        from porto_cli.games.puerto_rico.ui.scoring import standings

        return log_text(story(replay)[since:], standings(_seen(replay, None)), width)

    def log_json(self, replay: Replay, since: int = 0) -> dict[str, object]:
        """Return the story of a game as a document."""
        from porto_cli.games.puerto_rico.ui.history import story
        from porto_cli.games.puerto_rico.ui.json import history_json
        from porto_cli.games.puerto_rico.ui.scoring import standings

        found = standings(_seen(replay, None))
        return history_json(replay.record.title, story(replay)[since:], found)

    def log_html(self, replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
        """Return the story of a game as a page."""
        from porto_cli.games.puerto_rico.ui.history import steps_of
        from porto_cli.games.puerto_rico.ui.log_html import log_html

        return log_html(
            steps_of(replay),
            _seen(replay, None),
            title=replay.record.title,
            fingerprint=replay.fingerprint,
            since=since,
            analysis=analysis,
        )

    def score_text(
        self, replay: Replay, seat: int | None, width: int, *, plain: bool = False
    ) -> list[Line]:
        """Tell what each player has, as far as the seat may know."""
        from porto_cli.games.puerto_rico.ui.score_text import score_text
        from porto_cli.games.puerto_rico.ui.scoring import standings

        return score_text(standings(_seen(replay, seat)), width, plain=plain)

    def score_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the standings as a document."""
        from porto_cli.games.puerto_rico.ui.json import standings_json
        from porto_cli.games.puerto_rico.ui.scoring import standings

        return standings_json(standings(_seen(replay, seat)))

    def moves(self, replay: Replay, seat: int | None, options: Mapping[str, Any]) -> MoveList:
        """Return the legal moves, or what one of too many has to satisfy."""
        from porto_cli.games.puerto_rico.engine.generate import count_moves
        from porto_cli.games.puerto_rico.notation import format_move
        from porto_cli.games.puerto_rico.suggest import suggestions
        from porto_cli.games.puerto_rico.ui.json import moves_json
        from porto_cli.games.puerto_rico.ui.move_list import move_list, moves_text

        state = replay.state
        count = count_moves(state, seat)
        first = suggestions(state, None, state.seat)[0] if count else None
        return MoveList(
            count,
            None if first is None else format_move(first),
            lambda width: moves_text(state, width, seat),
            lambda: moves_json(move_list(state, seat)),
        )

    def turn_of_people(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[Sentence]:
        """Say who can do what now."""
        from porto_cli.games.puerto_rico.ui.next_step import next_sentences
        from porto_cli.match.command_lines import path_of, player_to_name
        from porto_cli.match.record import TABLE

        return next_sentences(
            replay.state,
            path_of(replay, file),
            player_to_name(replay, replay.state.seat, user),
            on_a_table=replay.record.secrecy == TABLE,
        )

    def events_text(self, events: Iterable[Event], config: Config) -> list[Sentence]:
        """Say what happened, what went by itself included."""
        from porto_cli.games.puerto_rico.event_text import story

        return story(events, config.players)

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, object]]:
        """Return what happened, for documents."""
        from porto_cli.games.puerto_rico.event_text import as_dict

        return [as_dict(event, config.players) for event in events]

    def last_turn(self, replay: Replay) -> list[Sentence]:
        """Say what the last decision was, what it brought and what then went by itself."""
        from porto_cli.games.puerto_rico.ui.history import last_turn
        from porto_cli.games.puerto_rico.ui.news import told

        last = last_turn(replay)
        return [] if last is None else list(told(last).full)

    def facts(self, config: Config) -> tuple[dict[str, object], Sentence | None]:
        """Return the options, and say so where they are not the usual ones."""
        from porto_cli.games.puerto_rico.engine.config import BASE

        facts: dict[str, object] = {"buildings": config.buildings, "rulebook": config.rulebook}
        unusual = None
        if config.buildings != BASE and config.guide:
            unusual = say("with {buildings} buildings, by the rules of the guide", **facts)
        elif config.buildings != BASE:
            unusual = say("with {buildings} buildings", **facts)
        elif config.guide:
            unusual = say("by the rules of the guide")
        return facts, unusual

    def terms(self, config: Config) -> tuple[list[Sentence], list[Sentence]]:
        """Return the options; there is nothing to warn of."""
        facts: dict[str, object] = {"buildings": config.buildings, "rulebook": config.rulebook}
        return [say("Buildings: {buildings}. Rulebook: {rulebook}.", **facts)], []

    # Scenarios.

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Return the table of a state, with the VP of all: a scenario has no secrets."""
        from porto_cli.games.puerto_rico.engine.observation import observe
        from porto_cli.games.puerto_rico.ui.table_text import text

        seen = observe(state)
        players = zip(seen.players, state.players, strict=True)
        shown = tuple(one._replace(vp=player.vp) for one, player in players)
        return text(seen._replace(players=shown), screen, title=title)

    # Commands that make moves.

    def is_a_word(self, word: str) -> bool:
        """Tell whether a word names something that a move is about."""
        from porto_cli.games.puerto_rico.notation import is_a_word

        return is_a_word(word)

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the move of a command; what is missing is asked for."""
        from porto_cli.games.puerto_rico.ui.command_words import read_command

        return read_command(command)

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return up to five legal moves, the most similar first."""
        from porto_cli.games.puerto_rico.suggest import suggestions

        return suggestions(state, move, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        from porto_cli.games.puerto_rico.ui.completion import complete

        return complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        from porto_cli.games.puerto_rico.engine.components import TILES

        return TILES[thing]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        from porto_cli.games.puerto_rico.ui.chance_prompts import AskedChance

        return AskedChance(asker, typed)

    # A new game.

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return what asks for the buildings and the rulebook."""
        from porto_cli.games.puerto_rico.ui.new_game import ask_buildings, ask_rulebook

        return {"buildings": ask_buildings, "rulebook": ask_rulebook}

    def player_count(self, count: int) -> Sentence:
        """Say what a game of so many players has."""
        from porto_cli.games.puerto_rico.ui.new_game import player_count

        return player_count(count)

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return what asks what lies on a real table."""
        from porto_cli.games.puerto_rico.ui.new_game import ask_tiles, ask_violet

        return {"tiles": ask_tiles, "violet": ask_violet}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> Sentence:
        """Say what has to be typed of a real table."""
        from porto_cli.games.puerto_rico.ui.new_game import setup_missing

        return setup_missing(flags, players)

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table."""
        from porto_cli.games.puerto_rico.ui.new_game import read_setup

        return read_setup(config, **texts)

    def new_game(self, match: Match, file: str) -> list[Sentence]:
        """Say which game was set up, and what its seed does not hide."""
        from porto_cli.games.puerto_rico.ui.new_game import what_was_set_up

        return what_was_set_up(match, file)

    # Playing at one keyboard.

    legend = say(
        "On tiles and buildings ● is a colonist and ○ an empty circle; on a ship ▮ is a barrel and "
        "▯ an empty space. +1 behind a role is the doubloon on its card. In front of a building ▸ "
        "says that you can pay for it. VP chips are shown to their owner only, until the end."
    )

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.puerto_rico.ui.board_panel import BoardPanel
        from porto_cli.games.puerto_rico.ui.news import news_for

        return BoardPanel(_seen(replay, seat), news_for(replay, reader))

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""
        from porto_cli.games.puerto_rico.ui.turn_prompts import offer

        return offer(match.state, asker)


def _seen(replay: Replay, seat: int | None) -> Observation:
    from porto_cli.games.puerto_rico.engine.observation import observe

    return observe(replay.state, seat)
