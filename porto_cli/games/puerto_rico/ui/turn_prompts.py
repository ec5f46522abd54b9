"""What a player is offered in a turn at the keyboard, and asked where a command says too little."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.message import Sentence, say
from porto_cli.game import Step
from porto_cli.games.puerto_rico import event_text, phrases
from porto_cli.games.puerto_rico.commands import COMMANDS
from porto_cli.games.puerto_rico.engine.generate import legal_moves
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.observation import Observation, observe
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.ui.move_list import Option, heading, move_list, note
from porto_cli.games.puerto_rico.ui.table_text import text
from porto_cli.match.command_lines import commands
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay
from porto_cli.term.prompt import Asker, Choice
from porto_cli.term.screen import Screen
from porto_cli.term.spans import DIM, PLAIN, Line, padded, wrapped
from porto_cli.ui import Command, Entry, Offer

_RULES = {
    "draft": ("PR-DRAFT-1", "PR-DRAFT-2", "PR-DRAFT-3"),
    "role": ("PR-ROLE-1", "PR-ROLE-2"),
    "settler": ("PR-SETTLER-1", "PR-SETTLER-2", "PR-SETTLER-3"),
    "library": ("PR-SETTLER-1", "PR-B-LIBRARY"),
    "mayor": ("PR-MAYOR-3", "PR-MAYOR-4"),
    "builder": ("PR-BUILDER-2", "PR-BUILDER-3", "PR-BUILDER-4", "PR-BUILDER-5"),
    "craftsman": ("PR-B-GUEST-HOUSE",),
    "privilege": ("PR-CRAFTSMAN-4",),
    "trader": ("PR-TRADER-1", "PR-TRADER-2", "PR-TRADER-3"),
    "captain": ("PR-CAPTAIN-1", "PR-CAPTAIN-3", "PR-CAPTAIN-4"),
    "store": ("PR-STORE-1", "PR-STORE-2"),
}
"""Rulings about the decisions of each phase."""
_COLUMN = 34
"""Columns of a move before what it brings."""
_EXAMPLES = 5


class Panel(NamedTuple):
    """The table above a question, and what has happened."""

    seen: Observation
    title: str
    news: tuple[Sentence, ...]

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the whole table if there is room, else how it stands and what has happened."""
        whole = text(self.seen, screen, title=self.title, last=self.news)
        if len(whole) <= rows:
            return whole
        told = " ".join(map(str, self.sentences()))
        return wrapped(told, screen.width)[: max(0, most)]

    def sentences(self) -> Iterable[Sentence]:
        """Tell what has happened, and how the table stands."""
        return (*self.news, *phrases.situation(self.seen))


def panel(replay: Replay, seat: int | None, reader: int) -> Panel:
    """Return the table as a seat sees it, and what others have done since a reader's move."""
    new: list[Step] = []
    for step in reversed(replay.turns()):
        if step.seat == reader and new:
            break
        new.insert(0, step)
        if step.seat == reader:
            break
    names = replay.config.players
    told = (one for step in new for one in event_text.story(step.events, names))
    return Panel(observe(replay.state, seat), replay.record.title, tuple(told))


def offer(match: Match, seat: int, asker: Asker) -> Offer:
    """Return the moves of a phase; of very many only how to type one is offered."""
    state = match.state
    question = say(
        "{player}: {what}?", player=match.players[seat], what=str(heading(state)).rstrip(".")
    )
    return Offer(question, [_choice(state, seat, asker)], _RULES[state.phase], at_once=True)


def _choice(state: State, seat: int, asker: Asker) -> Entry:
    return Entry(say("Choose a move"), lambda: [choose(asker, state, seat)])


def choose(asker: Asker, state: State, seat: int, verb: str = "") -> str:
    """Ask for one of the legal moves, of a verb if that is said; where they are too many one is
    typed, with a few as examples.
    """
    found = move_list(state, seat)
    if found.options is None:
        first = legal_moves(state, seat, limit=1)[0]
        question = say(
            "{heading}: type one of {count} legal moves, like: {example}",
            heading=str(heading(state)),
            count=f"{found.number:,}",
            example=format_move(first),
        )
        return asker.write(question, _fault, rules=_RULES[state.phase])
    options = [option for option in found.options if verb in ("", option.kind)]
    choices = [Choice(_label(option), option.move) for option in options]
    rules = _RULES[state.phase]
    return asker.choose(heading(state), choices, rules=rules, search=len(choices) > 20)


def _label(option: Option) -> Line:
    return [*padded([(option.move, PLAIN)], _COLUMN), (f" {note(option)}", DIM)]


def _fault(typed: str) -> Sentence | None:
    return None if typed else say("A move begins with what you do, like: place coffee 2.")


def read_command(typed: Command) -> tuple[int, list[str]]:
    """Return the move of a command; where only the verb is there it is asked for, or named."""
    if typed.words or not COMMANDS.verbs[typed.verb].words:
        return typed.mover, [" ".join([typed.verb, *typed.words])]
    match, seat = typed.match, typed.mover
    moves = legal_moves(match.state, seat, limit=200)
    of_verb = [move for move in moves if format_move(move).startswith(f"{typed.verb} ")]
    suggestions = commands(match.replay, (of_verb or moves)[:_EXAMPLES], seat)
    if not of_verb:
        refuse(
            say("Nobody can {verb} now, or it is somebody else's move.", verb=typed.verb),
            suggestions=suggestions,
        )
    if not typed.asker:
        usage(
            say("Something is missing: what you {verb}.", verb=typed.verb), suggestions=suggestions
        )
    return seat, [choose(typed.asker(), match.state, seat, typed.verb)]


def nearest_moves(state: State, move: Move, seat: int) -> list[Move]:
    """Return up to five legal moves, those with the most words in common first."""
    words = set(format_move(move).split())
    legal = legal_moves(state, seat, limit=200)
    return sorted(legal, key=lambda other: -len(words & set(format_move(other).split())))[
        :_EXAMPLES
    ]
