"""Porto's interface, see :class:`porto_cli.ui.Ui`.

The modules of this folder are imported when they are needed, because start-up is most of what a
command costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import Sentence, say
from porto_cli.game import Step
from porto_cli.ui import Ui

if TYPE_CHECKING:
    from porto_cli.commands import Command
    from porto_cli.core.chance import TypedChance
    from porto_cli.game_ui import (
        Completion,
        Entry,
        Glance,
        MoveList,
        Offer,
        Typed,
    )
    from porto_cli.games.porto.engine.events import Event
    from porto_cli.games.porto.engine.moves import Move
    from porto_cli.games.porto.engine.state import Config, Deal, State
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.players.analysis import Analysis
    from porto_cli.scenario.positions import Expectation
    from porto_cli.term.prompt import Above, Asker
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line


class PortoUi(Ui):
    """The interface. See :class:`porto_cli.ui.Ui` for what each method means."""

    def table_text(self, replay: Replay, seat: int | None, screen: Screen) -> list[Line]:
        """Draw the table."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.table_text import text

        return text(table(replay, seat), screen)

    def table_sentences(self, replay: Replay, seat: int | None) -> list[str]:
        """Tell the table."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.plain import plain

        return plain(table(replay, seat))

    def table_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the table as a document."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.json import table_json
        from porto_cli.games.porto.ui.scoring import standings

        return table_json(table(replay, seat), standings(replay, seat))

    def table_svg(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a picture."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.scoring import standings
        from porto_cli.games.porto.ui.svg import svg

        return svg(table(replay, seat), standings(replay, seat))

    def table_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as a page."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.html import html
        from porto_cli.games.porto.ui.scoring import standings

        return html(table(replay, seat), standings(replay, seat))

    def table_mail_html(self, replay: Replay, seat: int | None) -> str:
        """Return the table as HTML for the middle of a mail."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.mail_html import mail_html

        return mail_html(table(replay, seat))

    def glance(self, replay: Replay, seat: int | None) -> Glance:
        """Return the round and the scores; private contracts count at the end (P-END-2)."""
        from porto_cli.game_ui import Glance

        return Glance(replay.state.round, tuple(replay.state.scores))

    def log_text(self, replay: Replay, width: int, since: int = 0) -> list[Line]:
        """Tell the story of a game."""
        from porto_cli.games.porto.history import story
        from porto_cli.games.porto.ui.log_text import log_text
        from porto_cli.games.porto.ui.scoring import standings

        return log_text(story(replay)[since:], standings(replay), width)

    def log_json(self, replay: Replay, since: int = 0) -> dict[str, object]:
        """Return the story of a game as a document."""
        from porto_cli.games.porto.history import story
        from porto_cli.games.porto.ui.json import story_json
        from porto_cli.games.porto.ui.scoring import standings

        return story_json(replay.record.title, story(replay)[since:], standings(replay))

    def log_html(self, replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
        """Return the story of a game as a page."""
        from porto_cli.games.porto.ui.log_html import log_html

        return log_html(replay, since=since, analysis=analysis)

    def score_text(
        self, replay: Replay, seat: int | None, width: int, *, plain: bool = False
    ) -> list[Line]:
        """Tell who is ahead and why."""
        from porto_cli.games.porto.ui.score_text import score_text
        from porto_cli.games.porto.ui.scoring import standings

        return score_text(standings(replay, seat), width, plain=plain)

    def score_json(self, replay: Replay, seat: int | None) -> dict[str, object]:
        """Return the standings as a document."""
        from porto_cli.games.porto.history import story
        from porto_cli.games.porto.ui.json import standings_json
        from porto_cli.games.porto.ui.scoring import standings

        return standings_json(standings(replay, seat), story(replay))

    def moves(self, replay: Replay, seat: int | None, options: Mapping[str, Any]) -> MoveList:
        """Return the legal moves on a house, for a contract, with some cards."""
        from porto_cli.games.porto.ui.move_filters import filtered

        return filtered(replay, seat, **options)

    def turn_of_people(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[Sentence]:
        """Say who can do what now."""
        from porto_cli.games.porto.ui.next_step import next_sentences

        return next_sentences(replay, file, user)

    def events_text(self, events: Iterable[Event], config: Config) -> list[Sentence]:
        """Say what happened."""
        from porto_cli.games.porto.event_text import sentences

        return sentences(events, config)

    def events_json(self, events: Iterable[Event], config: Config) -> list[dict[str, object]]:
        """Return what happened, for documents."""
        from porto_cli.games.porto.event_text import as_dict

        return [as_dict(event, config) for event in events]

    def in_short(self, step: Step) -> str:
        """Return a step as a move; which private contracts are kept is nobody's business."""
        from porto_cli.games.porto.history import turn_of

        return turn_of(step).moves[0]

    def last_turn(self, replay: Replay) -> list[Sentence]:
        """Say what the last turn was and what it scored."""
        from porto_cli.games.porto.history import turn_of
        from porto_cli.games.porto.ui import phrases

        last = replay.last_step()
        if last is None:
            return []
        scored = phrases.scored(turn_of(last))
        return [*phrases.told(turn_of(last)), *([scored] if scored else [])]

    def facts(self, config: Config) -> tuple[dict[str, object], Sentence | None]:
        """Return the edition, and say so if it is none of those that come with the program."""
        from porto_cli.games.porto.editions import is_shipped

        name, own = config.edition.name, not is_shipped(config.edition)
        told = say("with an edition of its own, {edition!r}", edition=name) if own else None
        return {"edition": name, "own_edition": own}, told

    def terms(self, config: Config) -> tuple[list[Sentence], list[Sentence]]:
        """Return edition and options, and a warning of an edition that passes for another."""
        from porto_cli.games.porto.ui.terms import terms, warnings

        return terms(config), warnings(config)

    def position_text(self, state: State, title: str, screen: Screen) -> list[Line]:
        """Draw the table of a state."""
        from porto_cli.games.porto.table import table_of
        from porto_cli.games.porto.ui.table_text import text

        return text(table_of(state, title=title), screen)

    def explanation(self, expectation: Expectation, state: State) -> list[Sentence]:
        """Say what the private contracts that a case reckons are worth, house by house."""
        from porto_cli.games.porto.position.expectations import Reckoned
        from porto_cli.games.porto.ui.phrases import reckoning
        from porto_cli.games.porto.ui.scoring import reckoned

        if not isinstance(expectation, Reckoned):
            return []
        found = [
            (seat, reckoned(state, contract))
            for seat in expectation.players
            for contract in state.kept[seat]
        ]
        return [
            say(
                "{contract} of {player}, as the table stands: {vp} VP. {counted}",
                contract=one.contract,
                player=state.config.players[seat],
                vp=one.vp,
                counted=" ".join(map(str, reckoning(one))),
            )
            for seat, one in found
        ]

    def is_a_word(self, word: str) -> bool:
        """Tell whether a word names a card, a house or a contract, or stands among those."""
        from porto_cli.games.porto.notation import NONE, TOKEN, is_a_component

        return word in (NONE, TOKEN) or is_a_component(word)

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the moves of a command; what is missing is asked for."""
        from porto_cli.games.porto.ui.command_words import read_command

        return read_command(command)

    def nearest_moves(self, state: State, move: Move, seat: int) -> list[Move]:
        """Return up to five legal moves, the most similar first."""
        from porto_cli.games.porto.suggest import suggestions

        return suggestions(state, move, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        from porto_cli.games.porto.ui.completion import complete

        return complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a card or public contract."""
        from porto_cli.games.porto.notation import PUBLIC_NAMES, card_names

        return PUBLIC_NAMES[thing] if stream == "contracts" else card_names([thing])[0]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which cards and contracts came up."""
        from porto_cli.games.porto.ui.chance_prompts import AskedChance

        return AskedChance(asker, typed)

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those of ``porto new``."""
        from porto_cli.games.porto.ui.new_game import new_options

        return new_options(typed, players)

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return what asks for the timer and the variant."""
        from porto_cli.games.porto.ui.new_game_prompts import ask_private_contracts, ask_timer

        return {"timer": ask_timer, "private_contracts": ask_private_contracts}

    def player_count(self, count: int) -> Sentence:
        """One player plays the solo game."""
        if count == 1:
            return say("1 player: the solo game against the timer")
        return say("{count} players", count=count)

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return what asks what lies on a real table."""
        from porto_cli.games.porto.ui import setup_prompts

        return {
            "tokens": setup_prompts.ask_tokens,
            "cards": setup_prompts.ask_cards,
            "contracts": setup_prompts.ask_contracts,
        }

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> Sentence:
        """Say what has to be typed of a real table."""
        from porto_cli.games.porto.ui.new_game import setup_missing

        return setup_missing(flags, players)

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table."""
        from porto_cli.games.porto.ui.new_game import read_setup

        return read_setup(config, **texts)

    def new_game(self, match: Match, file: str) -> list[Sentence]:
        """Say which game was set up, and what its seed does not hide."""
        from porto_cli.games.porto.ui.new_game import what_was_set_up

        return what_was_set_up(match, file)

    legend = say(
        "L7 R4 finds L7 token R4. In the tables of houses, 2/5 are 2 of 5 floors, (3) is a token "
        "of 3 VP, on the ground floor space or on the roof space, and ▲ a roof. In front of a "
        "public contract, ● says that it can be met this turn, ○ that it could be later, × that "
        "it no longer can."
    )

    def above(self, replay: Replay, seat: int | None, reader: int) -> Above:
        """Return the table, and what is new to a reader."""
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.board_panel import BoardPanel
        from porto_cli.games.porto.ui.news import news_for

        return BoardPanel(table(replay, seat), news_for(replay, reader))

    def offer(self, match: Match, seat: int, asker: Asker) -> Offer:
        """Return what a player whose turn it is can do."""
        from porto_cli.games.porto.ui.turn_prompts import offer

        return offer(match, seat, asker)

    def meanwhile(self, match: Match, seat: int, asker: Asker) -> list[Entry]:
        """Private contracts can be kept while others move (P-SETUP-5)."""
        from porto_cli.games.porto.ui.turn_prompts import meanwhile

        return meanwhile(match, seat, asker)
