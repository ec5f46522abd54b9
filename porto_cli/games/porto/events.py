"""What happened: a sentence or a small mapping for each event, and each turn as it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.core.chance import kebab_name
from porto_cli.core.message import plural
from porto_cli.game import GONE, Step, Turn
from porto_cli.games.porto.engine.components import CARDS, COLOR_OF, COLORS, HOUSES, NOWHERE
from porto_cli.games.porto.engine.moves import (
    FLOORS,
    GROUND_TOKEN,
    NEIGHBORS,
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    ROOF_TOKEN,
    Build,
    Claimed,
    Draw,
    Drew,
    Ended,
    EndTriggered,
    Event,
    GivenUp,
    Keep,
    Kept,
    Passed,
    Placed,
    Refilled,
    Reshuffled,
    Revealed,
    RoofPlaced,
    Score,
    Scored,
    TimerSkipped,
    TimerTurned,
    TokenMoved,
    named,
)
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, UNDO, card_names

KEEP, DRAW, BUILD, PASS = "keep", "draw", "build", "pass"
"""The kinds of turns, called like the commands."""


def event_json(event: Event, config: Config) -> dict[str, Any]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation."""
    facts: dict[str, Any] = {"event": kebab_name(type(event))}
    if isinstance(event, Scored):
        player = config.players[event.seat]
        return {**facts, "player": player, "reason": event.reason, "vp": event.vp}
    for key, fact in named(event).items():
        if key == "seat":
            facts["player"] = config.players[fact]
        else:
            facts[key] = fact
    return facts


class Source(NamedTuple):
    """What VP are scored for."""

    head: str
    """Above a column."""
    name: str
    why: str
    """What follows ``scores 3 VP for``."""
    rule: str = ""
    """The ruling that is counted for it in simulations, if the kind alone says which."""


TOLD = {
    FLOORS: Source("floors", "floors", "the floors of the house", "P-SCORE-1"),
    NEIGHBORS: Source("neighbors", "neighbors", "neighboring floors", "P-SCORE-2"),
    GROUND_TOKEN: Source("ground", "ground tokens", "the token of the ground floor"),
    ROOF_TOKEN: Source("roof", "roof tokens", "the token on the roof"),
    PUBLIC_CONTRACT: Source("public", "public contracts", "the public contract", "P-PUBLIC-2"),
    PRIVATE_CONTRACT: Source("private", "private contracts", "the private contract"),
}
"""How each kind of a :class:`Scored` is called."""


def describe(event: Event, config: Config) -> str:
    """Return an event as a sentence."""
    who = config.players[getattr(event, "seat", 0)]
    match event:
        case Kept():
            return f"{who} has chosen three private contracts."
        case Drew(_, cards):
            return f"{who} draws {_cards(cards)}."
        case Placed(_, number, color, house, count):
            pair = f"{CARDS[number]} and {CARDS[color]}"
            floors = plural(count, f"{COLORS[COLOR_OF[color]]} floor")
            if event.by_timer:
                return f"The timer's {pair} build {floors} on {HOUSES[house]}."
            return f"{who} plays {pair} and builds {floors} on {HOUSES[house]}."
        case TokenMoved(vp, house, roof):
            token, ground = f"The {vp} VP token", f"the ground floor of {HOUSES[house]}"
            if roof == NOWHERE:
                return f"{token} from {ground} leaves the game, as no roof space is empty."
            return f"{token} moves from {ground} to the roof of {HOUSES[roof]}."
        case RoofPlaced(house, token):
            gone = f"; the {token} VP token on it leaves the game" if token else ""
            return f"{HOUSES[house]} is complete and gets its roof{gone}."
        case Scored(_, kind, vp, contract):
            return f"{who} scores {vp} VP for {' '.join(filter(None, (TOLD[kind].why, contract)))}."
        case Claimed(_, contracts):
            return f"{who} fulfills {_contracts(contracts) or 'no public contract'}."
        case Passed():
            return f"{who} cannot draw or build, and passes."
        case Refilled("cards", came_up):
            return f"New face-up cards: {_cards(came_up)}."
        case Refilled(_, came_up):
            return f"New public contracts: {_contracts(came_up)}."
        case Reshuffled(count):
            return f"The deck was empty; {count} discards became the new deck."
        case TimerTurned(turned, cards, contracts):
            gone = " and ".join(filter(None, (_cards(cards), _contracts(contracts)))) or "nothing"
            return f"The timer draws {' and '.join(card_names(turned))} and discards {gone}."
        case TimerSkipped():
            return "Nothing can be built with the two timer cards, so the build is skipped."
        case EndTriggered(number):
            return f"Enough roofs are placed: the game ends after round {number + 1}."
        case Revealed(_, contracts):
            kept = ", ".join(PRIVATE_NAMES[contract] for contract in contracts)
            return f"{who} reveals the private contracts kept: {kept}."
        case GivenUp():
            return (
                f"{who} is given up: the others play on without {who}, and no private contracts "
                f"of {who} count."
            )
        case Ended():
            return "The game is over."


def scores_json(scores: Iterable[Score]) -> list[list[Any]]:
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


def _cards(cards: bytes) -> str:
    return ", ".join(card_names(cards))


def _contracts(contracts: bytes) -> str:
    return ", ".join(PUBLIC_NAMES[contract] for contract in contracts)


def turn(step: Step) -> Turn:
    """Return a turn, or another item of a record, see :meth:`porto_cli.game.Game.turn`.

    The private contracts are no part of a turn: neither which ones are kept, which is a secret, nor
    what they score in the end.
    """
    before, config = step.before, step.before.config
    player, kind = config.players[step.seat], _kind(step)
    number = before.turn + 1 if kind in (DRAW, BUILD, PASS) else None
    events = [event for event in step.events if not _at_the_end(event)]
    scores = scores_json(event.score for event in events if isinstance(event, Scored))
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
            told.append(describe(event, config))
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
    )


def _at_the_end(event: Event) -> bool:
    return isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT


def _kind(step: Step) -> str:
    if step.takes_back is not None:
        return UNDO
    if not step.moves:
        return GONE
    return {Keep: KEEP, Draw: DRAW, Build: BUILD}.get(type(step.moves[0]), PASS)


def _moves(step: Step, kind: str) -> list[str]:
    """Return the decisions among the entries."""
    if kind in (KEEP, GONE):
        return [kind]
    first, *more = step.entries
    verbs = {"contract": "contract", "timer-build": "build"}
    decided = [f"{verbs[key]} {text}" for key, text in more if key in verbs and text != "none"]
    return [first[1], *decided]
