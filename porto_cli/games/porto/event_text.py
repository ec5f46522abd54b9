"""Events as sentences and for JSON, and turn by turn with the score of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.message import Sentence, plural, say
from porto_cli.core.value import kebab_name
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
    named,
)
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, card_names
from porto_cli.match.replay import Replay


def sentences(events: Iterable[Event], config: Config) -> list[Sentence]:
    """Return what happened as sentences, in order."""
    return [sentence(event, config) for event in events]


def sentence(event: Event, config: Config) -> Sentence:
    """Return an event as a sentence."""
    return say(_told(event, config.players[getattr(event, "seat", 0)]))


_FOR = {
    "floors": "the floors of the house",
    "neighbors": "neighboring floors",
    "ground-token": "the token of the ground floor",
    "roof-token": "the token on the roof",
    "contract": "the public contract",
    "private": "the private contract",
}


def _told(event: Event, who: str) -> str:
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
            return f"{who} scores {vp} VP for {' '.join(filter(None, (_FOR[kind], contract)))}."
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


def reason(score: Score) -> str:
    """Return where the VP of a score came from, and how many: ``contract blue+red 4``."""
    kind = "private contract" if score.kind == PRIVATE_CONTRACT else score.kind.replace("-", " ")
    return " ".join(filter(None, (kind, score.contract, str(score.vp))))


def reasons(scores: Iterable[Score]) -> str:
    """Return where several VP came from."""
    return ", ".join(map(reason, scores))


def _cards(cards: bytes) -> str:
    return ", ".join(card_names(cards))


def _contracts(contracts: bytes) -> str:
    return ", ".join(PUBLIC_NAMES[contract] for contract in contracts)


def as_dict(event: Event, config: Config) -> dict[str, object]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation."""
    facts: dict[str, object] = {"event": kebab_name(type(event))}
    if isinstance(event, Scored):
        who = config.players[event.seat]
        return {**facts, "player": who, "reason": event.reason, "vp": event.vp}
    for key, fact in named(event).items():
        if key == "seat":
            facts["player"] = config.players[fact]
        else:
            facts[key] = fact
    return facts


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
