"""Moves as text and back, exact inverses; and what happened, for documents and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from porto_cli.core import InvalidMoveError, by_verb, enumerated, kebab_name, named
from porto_cli.games.porto.engine import COLOR_OF, COLORS, HOUSES, PUBLIC_NAMES, card_names
from porto_cli.games.porto.engine.build import Placed, RoofPlaced
from porto_cli.games.porto.engine.cards import Claimed, Drew, Kept
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
)
from porto_cli.games.porto.engine.play import KINDS, MOVES_IN, VERBS, Move, Passed
from porto_cli.games.porto.engine.state import KEEP, Config, State
from porto_cli.seam import DONE, GONE, SCORED, SEEN, Short, Step, Turn

# -- Moves as text, and back: exact inverses
#
# Canonical text is what ``format_move`` gives. On input, case does not matter and unambiguous
# abbreviations are accepted (``b3`` for ``blue-3``, ``l4``, ``b+r``). What the words of a move mean
# says its class; parsing does not check the rules: a card that is not there becomes a move that the
# rules reject. Only what is not a move in any position raises ``InvalidMoveError``.

UNDO = "undo"


def short_forms(cards: Iterable[str]) -> str:
    """Return cards with the letters of their colors: ``b3 r1`` for ``blue-3`` and ``red-1``."""
    return " ".join(f"{card[0]}{card[-1]}" for card in cards)


def tight(name: str) -> str:
    """Return a contract with the letters of its colors: ``pairs-b+r``."""
    for color in COLORS:
        name = name.replace(color, color[0])
    return name


def parse_move(text: str, state: State, seat: int | None = None) -> Move:
    """Read a move of a player (who is to move, if not said) in the present position.

    Raises InvalidMoveError if the text is not a move; whether it is legal is for the rules.
    """
    words = text.split()
    return by_verb(words, _READERS)(words, state, state.seat if seat is None else seat)


def _read_undo(words: list[str], state: State, seat: int) -> NoReturn:
    raise InvalidMoveError("Undo is not a move of the rules: it takes back the last turn.")


_READERS: dict[str, Callable[[list[str], State, int], Move]] = {
    **{verb: kind.read for verb, kind in VERBS.items()},
    UNDO: _read_undo,
}


def in_full(text: str) -> str:
    """Return a draw, a build, a choice of public contracts or a pass in canonical words.

    It can be written before the table is known: cards stay in the order in which they are named,
    and contracts have names, not spaces. Raises InvalidMoveError.
    """
    words = text.split()
    return str(by_verb(words, _IN_FULL)(words))


_IN_FULL: dict[str, Callable[[list[str]], object]] = {
    verb: getattr(kind, "in_full", kind.read)
    for verb, kind in VERBS.items()
    if kind not in MOVES_IN[KEEP]
}
"""What reads each verb without a table: no private contracts are known before they are dealt."""


def format_move(move: Move, state: State) -> str:
    """Return the canonical text of a move in the present position."""
    if type(move) not in KINDS:
        raise TypeError(f"{move!r} is not a move")
    return move.text(state)


# -- What happened, for documents, and each turn as it is told


def event_json(event: Event, config: Config) -> dict[str, Any]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation."""
    facts: dict[str, Any] = {"event": kebab_name(type(event))}
    for key, fact in named(event).items():
        if key == "seat":
            facts["player"] = config.players[fact]
        else:
            facts[key] = fact
    return facts


def scores_json(scores: Iterable[Scored]) -> list[list[Any]]:
    """Return scores: a pair of reason and VP for each. All documents have them like this."""
    return [[score.reason, score.vp] for score in scores]


def reasons(scores: Iterable[Sequence[Any]]) -> str:
    """Return where VP came from, and how many, of scores as documents have them:
    ``floors 3, contract blue+red 4``.
    """
    return ", ".join(f"{_reason(reason)} {vp}" for reason, vp in scores)


def _reason(reason: str) -> str:
    kind, _, contract = reason.partition(":")
    if not contract:
        return kind.replace("-", " ")
    return f"{'private contract' if kind == PRIVATE_CONTRACT else kind} {contract}"


def turn(step: Step, seat: int | None = None, *, over: bool = False) -> Turn:
    """Return a turn, or another item of a record, see :meth:`porto_cli.games.Game.turn`.

    It is the same for all: private contracts are no part of a turn, neither which ones are kept,
    which is a secret, nor what they score in the end.
    """
    before, config = step.before, step.before.config
    player, kind = config.players[step.seat], _kind(step)
    number = before.turn + 1 if kind not in (KEEP, UNDO, GONE) else None
    events = [event for event in step.events if not _at_the_end(event)]
    scores = scores_json(event for event in events if isinstance(event, Scored))
    vp = sum(vp for _, vp in scores)
    standing = [*step.after.scores]
    for event in step.events:
        if _at_the_end(event):
            standing[event.seat] -= event.vp
    done: list[str] = []
    by_timer: list[str] = []
    told = done
    for event in events:
        if isinstance(event, TimerTurned):
            told = by_timer
        if not isinstance(event, (Scored, Refilled)):
            told.append(event.told(config))
    when = "" if config.timer else f", round {before.round}"
    return Turn(
        {
            "turn": number,
            "round": before.round,
            "player": player,
            "kind": kind,
            "moves": _moves(step, kind),
            "undone": step.undone,
            "scores": scores,
            "vp": vp,
            "standing": standing,
            "events": [event_json(event, config) for event in events],
        },
        part=f"Round {before.round}" if number else "",
        heading=f"Turn {number}{when}: {player}",
        done=tuple(done),
        gains=f"{vp} VP: {reasons(scores)}" if scores else "",
        then=tuple(by_timer),
        short=[*_in_short(events, player, seat)],
    )


def _in_short(events: Iterable[Event], player: str, reader: int | None) -> Iterator[Short]:
    """Yield what happened where there is little room: what a player did, contracts that are gone,
    unless the reader took them, and what the timer built and took away.
    """
    who = player
    for event in events:
        weight = DONE
        match event:
            case Placed(by_timer=False):
                color = COLORS[COLOR_OF[event.color]]
                did, weight = f"builds {event.floors} {color} on {HOUSES[event.house]}", SCORED
            case Drew():
                did = f"draws {short_forms(card_names(event.cards))}"
            case Kept():
                # As it is told, for what can be done without.
                did, weight = "has chosen three private contracts", SEEN
            case Passed():
                did = "passes"
            case Claimed(seat=mover, contracts=contracts) if contracts and mover != reader:
                did = f"fulfills {enumerated(tight(PUBLIC_NAMES[one]) for one in contracts)}"
            case TimerTurned():
                who = "The timer"
                lost = (tight(PUBLIC_NAMES[one]) for one in event.contracts)
                gone = (*lost, *short_forms(card_names(event.cards)).split())
                did = f"discards {', '.join(gone) or 'nothing'}"
            case RoofPlaced() if who != player:
                did, weight = event.in_brief, SCORED
            case Placed(completed=False):
                did = event.in_brief
            case _:
                continue
        yield Short(f"{who} {did}.", weight, who)


def _at_the_end(event: Event) -> bool:
    return isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT


def _kind(step: Step) -> str:
    if step.takes_back is not None:
        return UNDO
    if not step.moves:
        return GONE
    kind = type(step.moves[0])
    return next(verb for verb in VERBS if VERBS[verb] is kind)


def _moves(step: Step, kind: str) -> list[str]:
    """Return the decisions among the entries."""
    if kind in (KEEP, GONE):
        return [kind]
    first, *more = step.entries
    verbs = {"contract": "contract", "timer-build": "build"}
    decided = [f"{verbs[key]} {text}" for key, text in more if key in verbs and text != "none"]
    return [first[1], *decided]
