"""Events for people and programs: one sentence, or one small mapping, for each."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import CARDS, COLOR_OF, COLORS, HOUSES, NOWHERE
from porto_cli.games.porto.engine.events import (
    Claimed,
    Drew,
    Ended,
    EndTriggered,
    Event,
    GivenUp,
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
                "{player} is given up: the others play on without {player}, and no private "
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
