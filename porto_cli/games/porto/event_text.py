"""Events as sentences and for JSON, and turn by turn with the score of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.game import Step
from porto_cli.games.porto.engine.components import CARDS, COLOR_OF, COLORS, HOUSES, NOWHERE
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
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
)
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, card_names
from porto_cli.match.replay import Replay


def sentences(events: Iterable[Event], config: Config) -> list[Sentence]:
    """Return what happened as sentences, in order."""
    return [sentence(event, config) for event in events]


def sentence(event: Event, config: Config) -> Sentence:
    """Return an event as a sentence."""
    match event:
        case Kept(seat):
            return say("{player} has chosen three private contracts.", player=config.players[seat])
        case Drew(seat, cards):
            return say("{player} draws {cards}.", player=config.players[seat], cards=_cards(cards))
        case Placed():
            return _placed(event, config)
        case TokenMoved(value, house, roof):
            return _token_moved(value, house, roof)
        case RoofPlaced(house, token):
            if token:
                return say(
                    "{house} is complete and gets its roof; the token of {token} VP on it leaves "
                    "the game.",
                    house=HOUSES[house],
                    token=token,
                )
            return say("{house} is complete and gets its roof.", house=HOUSES[house])
        case Scored():
            return _scored(event, config)
        case Claimed(seat, contracts):
            if not contracts:
                return say("{player} fulfills no public contract.", player=config.players[seat])
            return say(
                "{player} fulfills {contracts}.",
                player=config.players[seat],
                contracts=_contracts(contracts),
            )
        case Passed(seat):
            return say(
                "{player} can neither draw nor build, and passes.", player=config.players[seat]
            )
        case Refilled(row, came_up):
            if row == "cards":
                return say("New face-up cards: {cards}.", cards=_cards(came_up))
            return say("New public contracts: {contracts}.", contracts=_contracts(came_up))
        case Reshuffled(count):
            return say("The deck was empty; {count} discards became the new one.", count=count)
        case TimerTurned():
            return _timer_turned(event)
        case TimerSkipped():
            return say("Nothing can be built with the two timer cards; the build is skipped.")
        case EndTriggered(number):
            return say(
                "Enough roofs are placed: the game ends after round {last}.", last=number + 1
            )
        case Revealed(seat, contracts):
            return say(
                "{player} reveals the private contracts kept: {contracts}.",
                player=config.players[seat],
                contracts=", ".join(PRIVATE_NAMES[contract] for contract in contracts),
            )
        case GivenUp(seat):
            return say(
                "{player} is given up: the others continue without {player}, and no private "
                "contracts of {player} count.",
                player=config.players[seat],
            )
        case Ended():
            return say("The game is over.")


def _placed(event: Placed, config: Config) -> Sentence:
    facts = {
        "player": config.players[event.seat],
        "number": CARDS[event.number],
        "card": CARDS[event.color],
        "count": event.floors,
        "color": COLORS[COLOR_OF[event.color]],
        "house": HOUSES[event.house],
    }
    by_whom = "timer" if event.by_timer else "player"
    return say(_PLACED[by_whom, "one floor" if event.floors == 1 else "floors"], **facts)


_PLACED = {
    ("player", "one floor"): (
        "{player} plays {number} and {card} and builds 1 {color} floor on {house}."
    ),
    ("player", "floors"): (
        "{player} plays {number} and {card} and builds {count} {color} floors on {house}."
    ),
    ("timer", "one floor"): "The timer's {number} and {card} build 1 {color} floor on {house}.",
    ("timer", "floors"): "The timer's {number} and {card} build {count} {color} floors on {house}.",
}


def _token_moved(value: int, house: int, roof: int) -> Sentence:
    if roof == NOWHERE:
        return say(
            "No roof space is empty, so the token of {value} VP from {house} leaves the game.",
            value=value,
            house=HOUSES[house],
        )
    return say(
        "The token of {value} VP moves from the ground floor of {house} to the roof of {roof}.",
        value=value,
        house=HOUSES[house],
        roof=HOUSES[roof],
    )


_SCORED = {
    "floors": "{player} scores {vp} VP for the floors of the house.",
    "neighbors": "{player} scores {vp} VP for neighboring floors.",
    "ground-token": "{player} scores {vp} VP for the token of the ground floor.",
    "roof-token": "{player} scores {vp} VP for the token on the roof.",
    "contract": "{player} scores {vp} VP for the public contract {name}.",
    "private": "{player} scores {vp} VP for the private contract {name}.",
}


def _scored(event: Scored, config: Config) -> Sentence:
    player = config.players[event.seat]
    return say(_SCORED[event.kind], player=player, vp=event.vp, name=event.contract)


def _timer_turned(event: TimerTurned) -> Sentence:
    one, other = (CARDS[card] for card in event.turned)
    if event.cards and event.contracts:
        return say(
            "The timer turns up {one} and {other} and discards {cards} and {contracts}.",
            one=one,
            other=other,
            cards=_cards(event.cards),
            contracts=_contracts(event.contracts),
        )
    if event.cards or event.contracts:
        return say(
            "The timer turns up {one} and {other} and discards {gone}.",
            one=one,
            other=other,
            gone=_cards(event.cards) or _contracts(event.contracts),
        )
    return say("The timer turns up {one} and {other} and discards nothing.", one=one, other=other)


_REASONS = {
    "floors": "floors {vp}",
    "neighbors": "neighbors {vp}",
    "ground-token": "ground token {vp}",
    "roof-token": "roof token {vp}",
    "contract": "contract {name} {vp}",
    "private": "private contract {name} {vp}",
}


def reason(score: Score) -> str:
    """Return where the VP of a score came from, and how many."""
    return str(say(_REASONS[score.kind], name=score.contract, vp=score.vp))


def reasons(scores: Iterable[Score]) -> str:
    """Return where several VP came from."""
    return ", ".join(map(reason, scores))


def _cards(cards: bytes) -> str:
    return ", ".join(card_names(cards))


def _contracts(contracts: bytes) -> str:
    return ", ".join(PUBLIC_NAMES[contract] for contract in contracts)


def as_dict(event: Event, config: Config) -> dict[str, object]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation."""
    facts: dict[str, object] = {"event": _NAMES[type(event)]}
    if isinstance(event, Scored):
        return {
            **facts,
            "player": config.players[event.seat],
            "reason": event.reason,
            "vp": event.vp,
        }
    for key, value in event._asdict().items():
        if key == "seat":
            facts["player"] = config.players[value]
        elif key in ("house", "roof"):
            facts[key] = None if value == NOWHERE else HOUSES[value]
        elif key in ("number", "color"):
            facts[key] = CARDS[value]
        elif isinstance(value, bytes):
            contracts = key == "contracts" or (
                isinstance(event, Refilled) and event.row == "contracts"
            )
            names = PUBLIC_NAMES if contracts else CARDS
            if isinstance(event, Revealed):
                names = PRIVATE_NAMES
            facts[key] = [names[thing] for thing in value]
        else:
            facts[key] = value
    return facts


_NAMES: dict[type, str] = {
    Kept: "kept",
    Drew: "drew",
    Placed: "placed",
    TokenMoved: "token-moved",
    RoofPlaced: "roof-placed",
    Scored: "scored",
    Claimed: "claimed",
    Passed: "passed",
    Refilled: "refilled",
    Reshuffled: "reshuffled",
    TimerTurned: "timer-turned",
    TimerSkipped: "timer-skipped",
    EndTriggered: "end-triggered",
    Revealed: "revealed",
    GivenUp: "given-up",
    Ended: "ended",
}


KEEP, DRAW, BUILD, PASS, UNDO = "keep", "draw", "build", "pass", "undo"
"""The kinds of turns, called like the commands."""
GONE = "gone"
"""Not a turn either: the others go on without players who have vanished."""


class Turn(NamedTuple):
    """A turn, or another item of a record: keeping private contracts, an undo, or in a sealed game
    that players are given up.

    ``number``     counted from 1; ``None`` for what is no turn of the rules
    ``round``      counted from 1
    ``player``     whose turn it was
    ``kind``       ``keep``, ``draw``, ``build``, ``pass``, ``undo`` or ``gone``
    ``moves``      the moves in the notation, never which private contracts are kept
    ``events``     what happened; the private contracts at the end are no part of it
    ``sentences``  the same events as sentences
    ``scores``     VP and what for; the private contracts are no part of a turn
    ``standing``   the score of each seat after the turn, without private contracts
    ``undone``     taken back later
    ``said``       what players said after it
    """

    number: int | None
    round: int
    player: str
    kind: str
    moves: tuple[str, ...]
    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]
    scores: tuple[Score, ...]
    standing: tuple[int, ...]
    undone: bool
    said: tuple[Sentence, ...] = ()

    @property
    def vp(self) -> int:
        """What the turn scored."""
        return sum(score.vp for score in self.scores)


def turns_of(replay: Replay) -> list[Turn]:
    """Return all turns of a game in the order of the record, including those taken back."""
    return [turn_of(step) for step in replay.steps]


def turn_of(step: Step) -> Turn:
    """Return a step as the turn that people see."""
    table = step.before.config
    kind = _kind(step)
    events = [event for event in step.events if not _at_the_end(event)]
    standing = list(step.after.scores)
    for event in step.events:
        if isinstance(event, Scored) and _at_the_end(event):
            standing[event.seat] -= event.vp
    before = step.before
    return Turn(
        number=before.turn + 1 if kind in (DRAW, BUILD, PASS) else None,
        round=before.round,
        player=table.players[step.seat],
        kind=kind,
        moves=_moves(step, kind),
        events=tuple(events),
        sentences=tuple(sentences(events, table)),
        scores=tuple(event.score for event in events if isinstance(event, Scored)),
        standing=tuple(standing),
        undone=step.undone,
        said=step.said,
    )


def _at_the_end(event: Event) -> bool:
    return isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT


def _kind(step: Step) -> str:
    if step.takes_back is not None:
        return UNDO
    if not step.moves:
        return GONE
    move = step.moves[0]
    if isinstance(move, Keep):
        return KEEP
    if isinstance(move, Draw):
        return DRAW
    return BUILD if isinstance(move, Build) else PASS


def _moves(step: Step, kind: str) -> tuple[str, ...]:
    """Return the decisions among the entries; which contracts are kept is a secret."""
    if kind == KEEP:
        return (KEEP,)
    if kind == GONE:
        return (GONE,)
    first, *more = step.entries
    verbs = {"contract": "contract", "timer-build": "build"}
    return (
        first[1],
        *(f"{verbs[key]} {text}" for key, text in more if key in verbs and text != "none"),
    )
