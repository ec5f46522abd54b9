"""What a seat may see of a game, by the names of the JSON documents; and the schema of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypeVar

from porto_cli.core.characters import in_one_line
from porto_cli.core.documents import (
    Count,
    Keywords,
    Positive,
    Schema,
    ShownTable,
    definitions,
    enum,
    of_event,
    ref,
)
from porto_cli.core.values import event_name
from porto_cli.games.porto.engine import (
    CARDS,
    COLORS,
    EMPTY,
    HIDDEN,
    HOUSES,
    HOUSES_IN,
    PRIVATE_NAMES,
    PUBLIC,
    PUBLIC_NAMES,
    PublicContract,
)
from porto_cli.games.porto.engine.cards import Keep
from porto_cli.games.porto.engine.play import VERBS, as_built, legal_builds, to_move
from porto_cli.games.porto.engine.scoring import (
    LOST,
    level,
    met_by,
    private_vp,
    progress,
    ranking,
    scale_of,
)
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, OVER, State, limits, sites
from porto_cli.games.porto.engine.turn import (
    EVENTS,
    PRIVATE_CONTRACT,
    SOURCES,
    scored_in,
)
from porto_cli.games.porto.notation import turn
from porto_cli.games.porto.phrases import count_contract
from porto_cli.seam import Step

# -- What a seat may see of a game, by the names of the JSON documents
#
# The dict that ``view`` returns is all that is ever shown of a table: it is the JSON of
# ``porto show``, what bots observe, and what the table, the pages and the pictures are made of.
# ``standings`` is that of ``porto score``.

if TYPE_CHECKING:
    from typing import TypedDict

    from porto_cli.abilities import SoFar
else:
    from porto_cli.core.documents import Declared as TypedDict

T = TypeVar("T")

NOW: Literal["now"] = "now"
LATER: Literal["later"] = "later"
NEVER: Literal["never"] = "never"
"""When a public contract can be met: this turn, with the hand of the player to move; later by
any player; or never, as no house can take the floors that it needs."""


# -- What the documents hold: the schema is made of this, and porto-json(5) says what it means.

Card = Annotated[str, ref("card")]
ColorName = Annotated[str, ref("color")]
HouseName = Annotated[str, ref("house_name")]
Public = Annotated[str, ref("public_contract")]
Private = Annotated[str, ref("private_contract")]
Scored = Annotated[list[Any], ref("score")]
Level = Annotated[str | None, ref("level")]
FiveSpaces = Keywords(minItems=5, maxItems=5)
FourSpaces = Keywords(minItems=4, maxItems=4)


class HouseSeen(TypedDict):
    """A house and what is on it."""

    height: Positive
    color: ColorName | None
    floors: Count
    complete: bool
    ground_token: Positive | None
    roof_token: Positive | None


class Worth(TypedDict):
    """What a private contract scores now, and the VP that it pays for one, two, … of what it asks
    for.
    """

    contract: Private
    vp: Count
    scale: Annotated[list[Count], Keywords(minItems=1)]


class ProgressSeen(TypedDict):
    """What a private contract that is kept brings now, and what it can still bring."""

    contract: Private
    vp: Count
    most: Count
    ways: list[dict[HouseName, ColorName]]


class PlayerSeen(TypedDict):
    """A player, as far as the seat that looks may know."""

    name: str
    score: Count
    hand: list[Card]
    fulfilled: Count
    private: list[Private] | None
    private_progress: list[ProgressSeen] | None
    private_contracts: list[Worth] | None
    dealt: Annotated[
        list[Private] | None,
        "The five private contracts that were dealt to who looks, in their order; null for others, "
        "and where they are unknown.",
    ]
    choosing: Annotated[bool, "Three private contracts have still to be kept."]
    given_up: Annotated[
        bool, "The others go on without the player, whose private contracts count nothing."
    ]


class FaceUpContract(TypedDict):
    """A public contract and when it can be met."""

    contract: Public
    vp: Count
    can_be_met: Annotated[
        Literal["now", "later", "never"],
        "In this turn, with the hand of the player to move; in a later turn of anybody; or never.",
    ]


class BuiltSeen(TypedDict):
    """A build, and the spaces of the public contracts that it meets."""

    number_card: Card
    color_card: Card
    house: HouseName
    meets: list[Annotated[int, Keywords(minimum=1, maximum=4)]]


class Tiles(TypedDict):
    """The tiles of a color that are left."""

    ground: Count
    floor: Count


class Sealed(TypedDict):
    """What is particular to a sealed game; left out in other games."""

    waiting: Annotated[
        bool, "Spaces are empty until the player to move sees what comes up in them."
    ]
    revealing: Annotated[
        bool, "The last turn is over, and private contracts are still to be revealed."
    ]
    key_missing: Annotated[
        list[str], "Who looks, if the private contracts are sealed and the key is not here."
    ]
    given_up: Annotated[list[str], "The players without whom the others go on."]


class TieBreak(TypedDict):
    """Two neighboring places with the same VP, and what put one of them first."""

    winner: str
    other: str
    vp: Count
    decided_by: Literal["contracts", "seat"]
    winner_fulfilled: Count
    other_fulfilled: Count


class ResultSeen(TypedDict):
    """The result of a finished game."""

    ranking: list[str]
    scores: dict[str, Count]
    private: dict[str, list[Scored]]
    tie_breaks: list[TieBreak]
    level: Level
    given_up: NotRequired[Annotated[list[str], ref("given_up")]]


class Table(TypedDict):
    """What a seat may see of a position."""

    player: Annotated[str | None, "Who looks; null for a bystander."]
    phase: Annotated[str, ref("phase")]
    round: Positive
    turn: Annotated[
        Positive,
        "The turn that is going on, counted from 1; after the last turn the last one.",
    ]
    turns_over: Annotated[Count, "How many turns are over; --turn takes these numbers."]
    to_move: list[str]
    houses: dict[HouseName, HouseSeen]
    cards: Annotated[list[Card | None], FiveSpaces]
    contracts: Annotated[list[Public | None], FourSpaces]
    public_contracts: NotRequired[Annotated[list[FaceUpContract | None], FourSpaces]]
    built: Annotated[
        BuiltSeen | None, "The build of a turn in which public contracts are still to be chosen."
    ]
    deck: Count
    discards: Count
    contract_deck: Count
    tiles: dict[ColorName, Tiles]
    players: Annotated[list[PlayerSeen], Keywords(minItems=1, maxItems=4)]
    roofs: Count
    roofs_to_end: Annotated[
        Positive | None, "How many roofs trigger the end; null in the solo game."
    ]
    end_triggered_round: Positive | None
    timer: Count | None
    turned: Annotated[list[Card], Keywords(maxItems=2)]
    result: ResultSeen | None
    sealed: NotRequired[Sealed]


class Show(Table, ShownTable):
    """porto show --format json: the table."""

    game: Annotated[str, ref("game")]
    last_turn: Annotated[
        dict[str, Any] | None, Keywords(anyOf=[ref("last_turn"), {"type": "null"}])
    ]


# -- What a seat sees


def view(state: State, seat: int | None = None, *, foresight: bool = True) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see of a position.

    Nothing that is hidden from the seat is in it. porto-json(5) says what the keys mean. Without
    ``foresight`` ``public_contracts`` are left out, and ``private_progress`` and
    ``private_contracts`` are empty: when contracts can be met, and what they bring and can still
    bring, takes most of the time.
    """
    config = state.config
    seen: Table = {
        "player": None if seat is None else config.players[seat],
        "phase": state.phase,
        "round": state.round,
        "turn": state.current_turn,
        "turns_over": state.turn,
        "to_move": [config.players[mover] for mover in to_move(state)],
        "houses": {HOUSES[house]: _house(state, house) for house in config.houses},
        "cards": [None if card == EMPTY else CARDS[card] for card in state.cards],
        "contracts": [
            None if contract == EMPTY else PUBLIC_NAMES[contract] for contract in state.contracts
        ],
        "built": _built(state),
        "deck": state.deck_left,
        "discards": len(state.discards),
        "contract_deck": len(state.contract_deck),
        "tiles": {
            color: {"ground": ground, "floor": upper}
            for color, ground, upper in zip(
                COLORS, state.ground_left, state.upper_left, strict=True
            )
        },
        "players": [
            _player(state, player, seat, foresight=foresight) for player in range(config.seats)
        ],
        "roofs": state.roofs,
        "roofs_to_end": config.roofs_to_end or None,
        "end_triggered_round": state.end_round or None,
        "timer": state.timer_left if config.timer else None,
        "turned": [CARDS[card] for card in state.turned],
        "result": result(state) if state.phase == OVER else None,
    }
    if foresight:
        seen["public_contracts"] = _public_contracts(state)
    if state.seals:
        seen["sealed"] = _sealed(state, seat)
    return {**seen}


def table(played: SoFar, seat: int | None = None) -> dict[str, Any]:
    """Return the view of a game, with what its record knows besides: title and last turn."""
    return {
        "title": in_one_line(played.record.title),
        **view(played.state, seat),
        "last_turn": last_turn(played.turns()),
    }


_OF_A_LOG = ("undone", "standing")
"""Keys of the log that the last turn leaves out: it was not taken back, and each player's score is
in ``players``."""


def last_turn(steps: Sequence[Step]) -> dict[str, Any] | None:
    """Return the last of these steps that is a turn: keeping private contracts is none.

    ``steps`` are those that were not taken back. The keys are those of ``porto log --format json``,
    and ``sentences``, which say what happened.
    """
    for step in reversed(steps):
        if not all(isinstance(move, Keep) for move in step.moves):
            told = turn(step)
            shown = {key: told.facts[key] for key in told.facts if key not in _OF_A_LOG}
            return {**shown, "sentences": told.sentences}
    return None


def _built(state: State) -> BuiltSeen | None:
    """Return the build of a turn in which public contracts are still chosen, and those it meets."""
    if state.built is None:
        return None
    return {
        "number_card": CARDS[state.built.number],
        "color_card": CARDS[state.built.color],
        "house": HOUSES[state.built.house],
        "meets": [space + 1 for space in state.claimable],
    }


def _house(state: State, house: int) -> HouseSeen:
    floors = state.floors[house]
    return {
        "height": state.config.heights[house],
        "color": COLORS[state.colors[house]] if floors else None,
        "floors": floors,
        "complete": state.is_complete(house),
        "ground_token": state.ground_tokens[house] or None,
        "roof_token": state.roof_tokens[house] or None,
    }


def _player(state: State, seat: int, asking: int | None, *, foresight: bool) -> PlayerSeen:
    contracts = private_of(state, seat, asking)
    given_up = state.is_out(seat)
    settled = bool(state.kept[seat]) or state.phase == OVER or given_up
    choosing = state.config.private_contracts and not settled
    counting = foresight and not choosing and state.phase != OVER
    dealt = state.dealt[seat] if state.dealt and seat == asking else b""

    def each(tell: Callable[[int], T], is_told: bool = True) -> list[T] | None:
        """Tell of each contract that may be known; of none where that is not told."""
        return None if contracts is None else [tell(one) for one in contracts if is_told]

    return {
        "name": state.config.players[seat],
        "score": state.scores[seat],
        "hand": [CARDS[card] for card in state.hands[seat]],
        "fulfilled": state.fulfilled[seat],
        "private": each(PRIVATE_NAMES.__getitem__),
        "private_progress": each(partial(_progress, state), counting),
        "private_contracts": each(partial(_kept, state), foresight),
        "dealt": None
        if not dealt or HIDDEN in dealt
        else [PRIVATE_NAMES[contract] for contract in dealt],
        "choosing": choosing,
        "given_up": given_up,
    }


def private_of(state: State, seat: int, asking: int | None) -> bytes | None:
    """Return the private contracts of a seat as far as another may see them (P-SETUP-5).

    The seat itself sees the five it was dealt, in their order, until it has kept three. All
    others, and bystanders, see the three kept ones when the game is over (P-END-2).
    In a sealed game the seat itself sees nothing without its key. Nobody sees those of a player who
    was given up or has left.
    """
    if not state.config.private_contracts:
        return None if state.phase == OVER and seat in state.out else b""
    if state.phase == OVER:
        return state.kept[seat] if state.has_shown(seat) else None
    if seat != asking:
        return None
    own = state.kept[seat] or (state.dealt[seat] if state.dealt else b"")
    return None if HIDDEN in own else own


def _kept(state: State, contract: int) -> Worth:
    return {
        "contract": PRIVATE_NAMES[contract],
        "vp": private_vp(state, contract),
        "scale": list(scale_of(state.config.edition, contract)),
    }


def _progress(state: State, contract: int) -> ProgressSeen:
    most, ways = progress(state, contract)
    return {
        "contract": PRIVATE_NAMES[contract],
        "vp": private_vp(state, contract),
        "most": most,
        "ways": [dict(way) for way in ways],
    }


def _public_contracts(state: State) -> list[FaceUpContract | None]:
    now = _met_now(state)
    running = state.phase != OVER and not state.is_revealing
    seen: list[FaceUpContract | None] = []
    for space, contract in enumerate(state.contracts):
        if contract == EMPTY:
            seen.append(None)
            continue
        later = running and can_be_met(state, PUBLIC[contract])
        seen.append(
            {
                "contract": PUBLIC_NAMES[contract],
                "vp": state.config.public[contract],
                "can_be_met": NOW if space in now else LATER if later else NEVER,
            }
        )
    return seen


def _met_now(state: State) -> set[int]:
    """Return the spaces of the contracts that the player to move could fulfill this turn."""
    if state.phase == CONTRACTS:
        return set(state.claimable)
    if state.phase not in (ACT, KEEP) or state.is_revealing:
        return set()
    outcomes = {as_built(state, build) for build in legal_builds(state)}
    return {space for built in outcomes for space in met_by(built, state.contracts)}


def can_be_met(state: State, contract: PublicContract) -> bool:
    """Return whether anybody could meet a public contract at some time, given the cards.

    That asks for a house that can take such floors. Once there is none there will never be.
    """
    if contract.kind != "house":
        return any(sites(state, color, contract.floors or 1) for color in contract.colors)
    started, startable, most_to_add, most_to_start = limits(state, contract.colors[0])
    return any(
        0 < state.config.heights[house] - state.floors[house] <= tiles
        for houses, tiles in ((started, most_to_add), (startable, most_to_start))
        for house in HOUSES_IN[houses]
    )


def _sealed(state: State, asking: int | None) -> Sealed:
    """Return what is particular to a sealed game."""
    players = state.config.players
    key_missing = []
    if asking is not None and state.phase != OVER and private_of(state, asking, asking) is None:
        key_missing.append(players[asking])
    return {
        "waiting": state.is_waiting,
        "revealing": state.is_revealing,
        "key_missing": key_missing,
        "given_up": given_up(state),
    }


def given_up(state: State) -> list[str]:
    """Return the players who were given up, or have left: whose turns are left out."""
    return [player for seat, player in enumerate(state.config.players) if state.is_out(seat)]


def result(state: State) -> ResultSeen:
    """Return the result of a finished game."""
    players, scores, fulfilled = state.config.players, state.scores, state.fulfilled
    order = ranking(state)
    ended: ResultSeen = {
        "ranking": [players[seat] for seat in order],
        "scores": {players[seat]: scores[seat] for seat in order},
        "private": {
            players[seat]: [
                [f"{PRIVATE_CONTRACT}:{PRIVATE_NAMES[contract]}", private_vp(state, contract)]
                for contract in private_of(state, seat, None) or ()
            ]
            for seat in order
        },
        "tie_breaks": [
            {
                "winner": players[seat],
                "other": players[other],
                "vp": scores[seat],
                "decided_by": "seat"
                if state.config.seat_first or fulfilled[seat] == fulfilled[other]
                else "contracts",
                "winner_fulfilled": fulfilled[seat],
                "other_fulfilled": fulfilled[other],
            }
            for seat, other in pairwise(order)
            if scores[seat] == scores[other]
        ],
        "level": level(state) if state.config.timer else None,
    }
    out = given_up(state)
    if out:
        ended["given_up"] = out
    return ended


# -- Who is ahead, and why


def standings(played: SoFar, seat: int | None = None) -> dict[str, Any]:
    """Return the standings and the sources of VP, as a seat, or (``None``) anyone, may see them:
    in the form of ``porto score --format json``, the first place first.

    During the game, the owner of a kept private contract also sees the VP that it can bring at
    ``most``, and the ``ways`` to the next ones.
    """
    state, names = played.state, played.config.players
    over = state.phase == OVER
    ended: Mapping[str, Any] = result(state) if over else {}
    lost = ended.get("level") == LOST
    # Before the end nothing breaks a tie: those with the same VP share a place.
    order = ranking(state) if over else sorted(range(len(names)), key=lambda of: -state.scores[of])
    scored = _scored(played)
    players = []
    for nth, of in enumerate(order, start=1):
        score, scores = state.scores[of], scored[of]
        private = _private(state, of, seat)
        for contract in (private or ()) if over and not lost else ():
            scores[f"{PRIVATE_CONTRACT}:{contract['contract']}"] += contract["vp"]
        sources = dict.fromkeys(SOURCES, 0)
        for reason, vp in scores.items():
            sources[reason.partition(":")[0]] += vp
        players.append(
            {
                "name": names[of],
                "place": nth if over else 1 + sum(other > score for other in state.scores),
                "score": score,
                "sources": sources,
                "scores": [[reason, vp] for reason, vp in scores.items()],
                "fulfilled": state.fulfilled[of],
                "private": private,
            }
        )
    out = given_up(state)
    return {
        "over": over,
        "players": players,
        "tie_breaks": ended.get("tie_breaks", []),
        "private_counted": over and not lost,
        "level": ended.get("level"),
        **({"given_up": out} if out else {}),
    }


def _scored(played: SoFar) -> list[Counter[str]]:
    """Add up what each seat scored in the turns that were not taken back, by its reason."""
    scored: list[Counter[str]] = [Counter() for _ in played.config.players]
    for step in played.turns():
        for event in scored_in(step.events):
            scored[event.seat][event.reason] += event.vp
    return scored


def _private(state: State, seat: int, asking: int | None) -> list[dict[str, Any]] | None:
    seen = private_of(state, seat, asking)
    if seen is None:
        return None
    if not state.kept[seat]:
        return []
    running = state.phase != OVER
    return [
        {**count_contract(state, contract), **(_progress(state, contract) if running else {})}
        for contract in seen
    ]


# -- The schema of its documents
#
# The JSON documents of the game, as far as their schema is made of what the game declares: the
# table, events, kinds of moves. The others are in ``schema.json``.


def own_definitions() -> dict[str, Schema]:
    """Return the definitions, by their names."""
    # The list itself has the order in which modules were loaded.
    events = [*map(of_event, sorted(EVENTS, key=event_name))]
    return {
        **definitions({"porto-show": Show}),
        "kind": enum(*VERBS),
        "event": {"description": "Something that happened.", "oneOf": events},
    }
