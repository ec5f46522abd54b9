"""Who is ahead and why; after the end, each private contract house by house."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import NamedTuple

from porto_cli.games.porto.engine.components import COLORS, HOUSES, PRIVATE
from porto_cli.games.porto.engine.contracts import reckon
from porto_cli.games.porto.engine.events import SOURCES
from porto_cli.games.porto.engine.ranking import LOST, level, ranking
from porto_cli.games.porto.engine.state import GONE, OVER, State
from porto_cli.games.porto.history import story
from porto_cli.games.porto.notation import PRIVATE_NAMES
from porto_cli.games.porto.progress import Progress, progress
from porto_cli.games.porto.table import private_of
from porto_cli.match.replay import Replay

CONTRACTS, SEAT = "contracts", "seat"
"""What decides a tie: public contracts fulfilled, or sitting further from the first player."""


class Reckoned(NamedTuple):
    """A private contract and what it counts."""

    contract: str
    vp: int
    scale: tuple[int, ...]
    """The VP it pays for one, two … of what it asks for."""
    groups: tuple[tuple[str, ...], ...]
    """What counted once each: a house, a pair, a trio, a whole side."""
    missing: tuple[tuple[str, ...], ...]
    """Started houses that would have made it count once more had they been complete, each
    alternative by itself; of a side all houses that the better side lacks."""
    missing_colors: tuple[str, ...]
    """Of a palette: the colors that its better side lacks."""
    progress: Progress | None = None
    """What it can still bring, while the game goes on."""


class Standing(NamedTuple):
    """A player's score and where it came from."""

    name: str
    place: int
    """1 is the first place; before the end those with the same VP share one."""
    score: int
    sources: tuple[int, ...]
    """VP from each of ``SOURCES``."""
    fulfilled: int
    private: tuple[Reckoned, ...] | None
    """The private contracts kept, as far as the asking seat may see them."""


class TieBreak(NamedTuple):
    """Two neighboring places with the same VP: what put one of them first."""

    winner: str
    other: str
    vp: int
    decided_by: str
    """``contracts`` or ``seat``."""
    winner_fulfilled: int
    other_fulfilled: int


class Standings(NamedTuple):
    """All players from the first place to the last, as the table stands."""

    over: bool
    players: tuple[Standing, ...]
    tie_breaks: tuple[TieBreak, ...]
    solo: bool
    level: str | None
    """Of a finished solo game: ``lost``, ``apprentice``, ``builder`` or ``master-builder``."""
    private_counted: bool
    """The private contracts are part of the scores: the game is over, and a solo game won."""
    given_up: tuple[str, ...] = ()
    """The players of a sealed game without whom the others went on."""


def standings(replay: Replay, seat: int | None = None) -> Standings:
    """Return who is ahead and where the VP came from, as a seat or (``None``) anyone may see it."""
    state = replay.state
    over = state.phase == OVER
    solo = bool(state.config.timer)
    order = ranking(state) if over else _so_far(state)
    sources = _sources(replay)
    return Standings(
        over=over,
        players=tuple(
            Standing(
                name=state.config.players[each],
                place=place
                if over
                else 1 + sum(score > state.scores[each] for score in state.scores),
                score=state.scores[each],
                sources=tuple(sources[each][source] for source in SOURCES),
                fulfilled=state.fulfilled[each],
                private=_private(state, each, seat),
            )
            for place, each in enumerate(order, start=1)
        ),
        tie_breaks=tuple(_tie_breaks(state, order)) if over else (),
        solo=solo,
        level=level(state) if over and solo else None,
        private_counted=over and not (solo and level(state) == LOST),
        given_up=tuple(
            player
            for player, seal in zip(state.config.players, state.seals, strict=False)
            if seal == GONE
        ),
    )


def _so_far(state: State) -> list[int]:
    """Return the seats by their VP: before the end nothing breaks a tie."""
    return sorted(range(state.config.seats), key=lambda seat: -state.scores[seat])


def _sources(replay: Replay) -> list[dict[str, int]]:
    """Add up the scores of all turns that stand."""
    names = replay.record.config.players
    sums = [dict.fromkeys(SOURCES, 0) for _ in names]
    for turn in story(replay):
        if not turn.undone:
            for score in turn.scores:
                sums[names.index(turn.player)][score.kind] += score.vp
    for seat, score in enumerate(replay.state.scores):
        sums[seat]["private"] = score - sum(sums[seat].values())
    return sums


def _private(state: State, seat: int, asking: int | None) -> tuple[Reckoned, ...] | None:
    seen = private_of(state, seat, asking)
    if seen is None:
        return None
    if not state.kept[seat]:
        return ()
    if state.phase == OVER:
        return tuple(reckoned(state, contract) for contract in seen)
    return tuple(
        reckoned(state, contract)._replace(progress=progress(state, contract)) for contract in seen
    )


def _tie_breaks(state: State, order: list[int]) -> list[TieBreak]:
    ties = []
    for winner, other in pairwise(order):
        if state.scores[winner] != state.scores[other]:
            continue
        by_seat = state.config.seat_first or state.fulfilled[winner] == state.fulfilled[other]
        ties.append(
            TieBreak(
                winner=state.config.players[winner],
                other=state.config.players[other],
                vp=state.scores[winner],
                decided_by=SEAT if by_seat else CONTRACTS,
                winner_fulfilled=state.fulfilled[winner],
                other_fulfilled=state.fulfilled[other],
            )
        )
    return ties


def reckoned(state: State, contract: int) -> Reckoned:
    """Reckon a private contract as if the game ended now, and say what it lacks for more."""
    result = reckon(state, contract)
    scale = state.config.edition.private[PRIVATE[contract].kind]
    full = len(result.groups) >= len(scale)
    kind = PRIVATE[contract].kind
    return Reckoned(
        contract=PRIVATE_NAMES[contract],
        vp=result.vp,
        scale=scale,
        groups=tuple(_names(group) for group in result.groups),
        missing=() if full else _missing(state, contract, len(result.groups)),
        missing_colors=_missing_colors(state) if kind == "palette" and not full else (),
    )


def _names(houses: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(HOUSES[house] for house in houses)


def _missing(state: State, contract: int, groups: int) -> tuple[tuple[str, ...], ...]:
    """Find the houses whose completion would have added a group: as few of them as it takes.

    A group has three houses at most; only a side can lack more, so it is asked for all of them.
    """
    unfinished = [
        house
        for house in state.config.houses
        if state.floors[house] and not state.is_complete(house)
    ]
    if PRIVATE[contract].kind == "side":
        lacking = [
            tuple(house for house in side if not state.is_complete(house))
            for side in state.config.sides
        ]
        return (_names(min(lacking, key=len)),)
    for size in (1, 2, 3):
        found = tuple(
            _names(houses)
            for houses in combinations(unfinished, size)
            if len(reckon(_completed(state, houses), contract).groups) > groups
        )
        if found:
            return found
    return ()


def _completed(state: State, houses: tuple[int, ...]) -> State:
    """Return the table as if these houses were complete, without any token on their roofs."""
    what_if = state.copy()
    floors, tokens = bytearray(state.floors), bytearray(state.roof_tokens)
    for house in houses:
        floors[house] = state.config.heights[house]
        tokens[house] = 0
    what_if.floors, what_if.roof_tokens = bytes(floors), bytes(tokens)
    what_if.survey()
    return what_if


def _missing_colors(state: State) -> tuple[str, ...]:
    """Return the colors that no completed house has on the side that has most of them."""
    lacking = [
        tuple(
            name
            for color, name in enumerate(COLORS)
            if not any(state.colors[house] == color and state.is_complete(house) for house in side)
        )
        for side in state.config.sides
    ]
    return min(lacking, key=len)
