"""Puerto Rico for people and programs: as text, as sentences, as JSON.

All that is shown of a table is made from an :class:`~..engine.observation.Observation`, which
has nothing that the asking seat may not see; what happened is made from events. Nothing here
reads a record, writes a file or knows a terminal.

``phrases`` has the words that several modules share, ``event_text`` says what happened,
``table_text`` and ``plain`` show the table, ``move_list`` the legal moves, ``next_step`` what
can be done, ``history`` and ``log_text`` the story, ``scoring`` and ``score_text`` the
reckoning; ``json`` has all of it for programs.

:data:`UI` is what the commands see of it, see :class:`porto_cli.ui.GameUi`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from porto_cli.core.message import Sentence, say
from porto_cli.game import OVER, Step
from porto_cli.ui import Command, Completion, Entry, MoveList, Offer, Secrets, Typed

if TYPE_CHECKING:
    from porto_cli.core.chance import TypedChance
    from porto_cli.games.puerto_rico.engine.config import Config
    from porto_cli.games.puerto_rico.engine.events import Event
    from porto_cli.games.puerto_rico.engine.moves import Move
    from porto_cli.games.puerto_rico.engine.setup import Deal
    from porto_cli.games.puerto_rico.engine.state import State
    from porto_cli.games.puerto_rico.ui.history import Turn
    from porto_cli.games.puerto_rico.ui.scoring import Standings
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line


class PuertoRicoUi:
    """The interface. See :class:`porto_cli.ui.GameUi` for what each method means."""

    def table_text(self, replay: Replay, seat: int | None, screen: Screen) -> list[Line]:
        """Draw the table."""
        from porto_cli.games.puerto_rico.engine.observation import observe
        from porto_cli.games.puerto_rico.ui.table_text import text

        return text(
            observe(replay.state, seat),
            screen,
            title=replay.record.title,
            fingerprint=replay.fingerprint,
            last=self.last_turn(replay),
        )

    def table_sentences(self, replay: Replay, seat: int | None) -> list[Sentence]:
        """Tell the table."""
        from porto_cli.games.puerto_rico.engine.observation import observe
        from porto_cli.games.puerto_rico.ui.plain import plain

        lines = plain(
            observe(replay.state, seat),
            title=replay.record.title,
            fingerprint=replay.fingerprint,
            last=self.last_turn(replay),
        )
        return [say("{line}", line=line) for line in lines]

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""
        from porto_cli.games.puerto_rico.engine.observation import observe
        from porto_cli.games.puerto_rico.ui.json import table_json

        over = replay.state.phase == OVER
        return table_json(
            observe(replay.state, seat),
            title=replay.record.title,
            turn=None if over else replay.state.turn + 1,
            fingerprint=replay.fingerprint,
            digest=replay.digest,
        )

    def table_svg(self, replay: Replay, seat: int | None) -> str:
        """There is no picture."""
        _no_picture()

    def table_html(self, replay: Replay, seat: int | None) -> str:
        """There is no page."""
        _no_picture()

    def log_text(self, replay: Replay, width: int) -> list[Line]:
        """Tell the story of a game."""
        from porto_cli.games.puerto_rico.ui.log_text import log_text

        return log_text(_story(replay), _standings(replay, None), width)

    def log_json(self, replay: Replay) -> dict[str, object]:
        """Return the story of a game as a document."""
        from porto_cli.games.puerto_rico.ui.json import history_json

        return history_json(replay.record.title, _story(replay), _standings(replay, None))

    def log_html(self, replay: Replay) -> str:
        """There is no page."""
        _no_picture()

    def score_text(
        self, replay: Replay, seat: int | None, width: int, *, plain: bool = False
    ) -> list[Line]:
        """Tell who is ahead and why."""
        from porto_cli.games.puerto_rico.ui.score_text import score_text

        return score_text(_standings(replay, seat), width, plain=plain)

    def score_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the standings as a document."""
        from porto_cli.games.puerto_rico.ui.json import standings_json

        return standings_json(_standings(replay, seat))

    def moves(self, replay: Replay, seat: int | None, options: Mapping[str, Any]) -> MoveList:
        """Return the legal moves; there is nothing to narrow them by."""
        from porto_cli.games.puerto_rico.engine.generate import legal_moves
        from porto_cli.games.puerto_rico.notation import format_move
        from porto_cli.games.puerto_rico.ui.json import moves_json
        from porto_cli.games.puerto_rico.ui.move_list import move_list, moves_text

        found = move_list(replay.state, seat)
        first = legal_moves(replay.state, seat, limit=1)
        return MoveList(
            found.number,
            format_move(first[0]) if first else None,
            lambda width: moves_text(replay.state, width, seat),
            lambda: moves_json(found),
        )

    def what_next(self, replay: Replay, file: str | None = None) -> list[Sentence]:
        """Say who can do what now."""
        from porto_cli.games.puerto_rico.ui.next_step import next_sentences
        from porto_cli.match.command_lines import path_of

        on_a_table = not replay.record.seed
        return next_sentences(replay.state, path_of(replay, file), on_a_table=on_a_table)

    def events_text(self, events: Iterable[Event], config: Config) -> list[Sentence]:
        """Say what happened."""
        from porto_cli.games.puerto_rico.event_text import story

        return story(events, config.players)

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, object]]:
        """Return what happened, for documents."""
        from porto_cli.games.puerto_rico.event_text import as_dict

        return [as_dict(event, config.players) for event in events]

    def in_short(self, step: Step) -> str:
        """Return the move of a step."""
        return step.entries[0][1]

    def last_turn(self, replay: Replay) -> list[Sentence]:
        """Say what the last decision was and what followed from it."""
        last = replay.last_step()
        return self.events_text(last.events, replay.config) if last else []

    def facts(self, config: Config) -> tuple[dict[str, object], Sentence | None]:
        """Return the options of the game."""
        return {"buildings": config.buildings, "rulebook": config.rulebook}, None

    def is_a_word(self, word: str) -> bool:
        """Tell whether a word names a role, a good, a tile or a building."""
        from porto_cli.games.puerto_rico.engine.components import GOODS, PLACES, ROLES, TILES

        return word.lower() in {*GOODS, *PLACES, *ROLES, *TILES, "face-down"}

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the move of a command; what is missing is asked for."""
        from porto_cli.games.puerto_rico.ui.turn_prompts import read_command

        return read_command(command)

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return up to five legal moves."""
        from porto_cli.games.puerto_rico.ui.turn_prompts import nearest_moves

        return nearest_moves(state, move, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow: the next words of the legal moves, or plantations."""
        from porto_cli.games.puerto_rico.notation import PLANTATION_NAMES

        if what == "plantations":
            return PLANTATION_NAMES
        if typed.match is None or what not in typed.match.game.meta.verbs:
            return ()
        match, before = typed.match, [what, *typed.words]
        moves = match.game.legal_moves(match.state, typed.seat, limit=200)
        split = (match.text(move).split() for move in moves)
        return [
            words[len(before)]
            for words in split
            if words[: len(before)] == before and len(words) > len(before)
        ]

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        from porto_cli.games.puerto_rico.engine.components import TILES

        return TILES[thing]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        from porto_cli.games.puerto_rico.ui.chance_prompts import AskedChance

        return AskedChance(asker, typed)

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those of ``porto new``."""
        from porto_cli.games.puerto_rico.ui.new_game import new_options

        return new_options(typed)

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return what asks for the buildings and the rulebook."""
        from porto_cli.games.puerto_rico.ui.new_game import ask_buildings, ask_rulebook

        return {"buildings": ask_buildings, "rulebook": ask_rulebook}

    def player_count(self, count: int) -> Sentence:
        """Return what a game of so many players is called."""
        return say("{count} players", count=count)

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

        return read_setup(config, texts)

    def new_game(self, match: Match, file: str) -> list[Sentence]:
        """Say which game was set up, and what its seed does not hide."""
        from porto_cli.games.puerto_rico.ui.new_game import what_was_set_up

        return what_was_set_up(match, file)

    legend = say("In the tables of players, ● is a colonist and ○ an empty circle.")

    secrets: Secrets | None = None

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table, and what others have done."""
        from porto_cli.games.puerto_rico.ui.turn_prompts import panel

        return panel(replay, seat, reader)

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""
        from porto_cli.games.puerto_rico.ui.turn_prompts import offer

        return offer(match, seat, asker)

    def meanwhile(self, match: Match, seat: int, asker: Asker) -> list[Entry]:
        """Nothing can be done out of turn."""
        return []


def _no_picture() -> NoReturn:
    from porto_cli.core.command_errors import usage

    usage(say("There is no picture of Puerto Rico; --format text and json have all of it."))


def _standings(replay: Replay, seat: int | None) -> Standings:
    from porto_cli.games.puerto_rico.engine.observation import observe
    from porto_cli.games.puerto_rico.ui.scoring import standings

    return standings(observe(replay.state, seat))


def _story(replay: Replay) -> list[Turn]:
    from porto_cli.games.puerto_rico.ui import history

    steps = (
        history.Step(step.before, step.seat, step.entries[0][1], step.events, step.undone)
        for step in replay.steps
    )
    return history.history(steps, over=replay.state.phase == OVER)


UI = PuertoRicoUi()
