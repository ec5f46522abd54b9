"""Scoring: public contracts that a build meets, private contracts, the ranking, the solo level.

The progress of a private contract is what it brings now, and what it can still bring. The latter
is an upper bound: all the houses that it takes can be completed with the tiles that are left, in
colors that may be neighbors (P-BUILD-2 to P-BUILD-5), and in the builds that are left, once the
solo timer or the end of the game limits these. Which cards players hold and what they want is not
considered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import cycle, permutations, product
from operator import sub
from typing import NamedTuple

from porto_cli.games.porto.engine import (
    BIT,
    COLOR_OF,
    COLORS,
    HOUSES,
    HOUSES_IN,
    MOST_FLOORS_A_TURN,
    PRIVATE,
    PRIVATE_KINDS,
    PUBLIC,
    VALUE_OF,
    Edition,
    PublicContract,
)
from porto_cli.games.porto.engine.state import CONTRACTS, OVER, TIMER, Built, State, clashes


def is_met(contract: PublicContract, built: Built) -> bool:
    """Return whether a build meets a public contract exactly (P-PUBLIC-1)."""
    color = COLOR_OF[built.color]
    if contract.kind == "floors":
        return contract.colors == (color,) and contract.floors == built.floors
    if contract.kind == "house":
        return contract.colors == (color,) and built.completed
    return contract.colors == tuple(sorted((COLOR_OF[built.number], color)))


@cache
def _meets(number: int, color: int, completed: bool) -> frozenset[int]:
    built = Built(number, color, 0, VALUE_OF[number], completed)
    return frozenset(index for index, contract in enumerate(PUBLIC) if is_met(contract, built))


def met_by(built: Built, face_up: bytes) -> tuple[int, ...]:
    """Return the spaces of the face-up public contracts that a build meets."""
    met = _meets(built.number, built.color, built.completed)
    if met.isdisjoint(face_up):
        return ()
    return tuple(space for space, contract in enumerate(face_up) if contract in met)


@lru_cache(maxsize=4_000)
def floors_vp(floors: int, gap: int, left: int, right: int) -> tuple[int, ...]:
    """Return the VP for building 1, 2, 3 floors on a house, as far as it has room (P-SCORE-1,
    P-SCORE-2).

    ``floors`` are the floors it has, ``gap`` those it lacks; ``left`` and ``right`` are the floors
    of its neighbors.
    """
    return tuple(
        after + sum(min(beside, after) - floors for beside in (left, right) if beside > floors)
        for after in range(floors + 1, floors + min(gap, MOST_FLOORS_A_TURN) + 1)
    )


Group = tuple[int, ...]
Place = tuple[int, int]
"""A house and a color for it."""
Template = tuple[tuple[Place, ...], ...]
"""What a private contract counts once: for each of its houses the places to choose from."""


class PrivateScore(NamedTuple):
    """The VP of a private contract, and the houses it counts.

    Each group counts once: a house, a pair, a trio, a whole side.
    """

    vp: int
    groups: tuple[Group, ...]


def completed_houses(state: State) -> tuple[int, ...]:
    """Return the set of completed houses of each color; only these count (P-PRIV-0)."""
    floors, heights = state.floors, state.config.heights
    completed = []
    for painted in state.painted:
        houses = 0
        for house in HOUSES_IN[painted]:
            if floors[house] == heights[house]:
                houses |= BIT[house]
        completed.append(houses)
    return tuple(completed)


def score_private(
    state: State, contract: int, completed: tuple[int, ...] | None = None
) -> PrivateScore:
    """Score a private contract in the present position.

    ``completed`` is the result of :func:`completed_houses`, if the caller has it already.
    """
    config, groups = state.config, list[Group]()
    left = [*(completed_houses(state) if completed is None else completed)]
    for template in templates(config.sides, config.heights, contract):
        chosen: list[Place] = []
        for places in template:
            for house, color in places:
                if left[color] & BIT[house]:
                    chosen.append((house, color))
                    break
            else:
                break
        else:
            groups.append(tuple(sorted(house for house, _ in chosen)))
            for house, color in chosen:
                left[color] ^= BIT[house]
            if PRIVATE_KINDS[PRIVATE[contract].kind].once:
                break
    scale = scale_of(config.edition, contract)
    vp = scale[min(len(groups), len(scale)) - 1] if groups else 0
    return PrivateScore(vp, tuple(groups))


@lru_cache(maxsize=1_000)
def templates(
    sides: tuple[Group, ...], heights: tuple[int, ...], contract: int
) -> tuple[Template, ...]:
    """Return all the groups that a private contract could count, from left to right.

    All are equally long, so taking them in this order finds the largest number of groups without a
    house in common: the one that ends first leaves the most room (P-PRIV-PAIRS, P-PRIV-TRIOS).
    """
    kind, colors = PRIVATE[contract].kind, PRIVATE[contract].colors
    every = range(len(COLORS))
    if kind == "palette":
        return tuple(tuple(tuple(product(side, [color])) for color in every) for side in sides)
    if kind == "side":
        return tuple(tuple(tuple(product([house], every)) for house in side) for side in sides)
    if kind == "mirror":
        rows = [pair for pair in product(*sides) if heights[pair[0]] == heights[pair[1]]]
    elif kind == "ends":
        rows = [(end,) for side in sides for end in (side[0], side[-1])]
    else:
        size = len(colors)
        rows = [side[nth : nth + size] for side in sides for nth in range(len(side) - size + 1)]
    # Both houses of a mirror have the same color.
    return tuple(
        tuple((place,) for place in zip(row, cycle(order), strict=False))
        for row in rows
        for order in permutations(colors)
    )


def scale_of(edition: Edition, contract: int) -> tuple[int, ...]:
    """Return the VP that a private contract pays for one, two … of what it asks for.

    For a contract that counts only once, only the first number in the edition is paid.
    """
    kind = PRIVATE[contract].kind
    scale = edition.private[kind]
    return scale[:1] if PRIVATE_KINDS[kind].once else scale


def private_vp(state: State, contract: int) -> int:
    """Return the VP of a private contract in the present position."""
    return score_private(state, contract).vp


SOLO_WIN = 60
"""VP that win the solo game (P-SOLO-6)."""
LOST = "lost"
LEVELS = ((80, "master-builder"), (70, "builder"), (SOLO_WIN, "apprentice"))


def ranking(state: State) -> list[int]:
    """Return the seats from the first place to the last (P-RANK-1, P-RANK-2)."""

    def strength(seat: int) -> tuple[int, int, int]:
        if state.config.seat_first:
            return state.scores[seat], seat, state.fulfilled[seat]
        return state.scores[seat], state.fulfilled[seat], seat

    return sorted(range(state.config.seats), key=strength, reverse=True)


def places(state: State) -> tuple[int, ...]:
    """Return the place of each seat, 1 for the first."""
    order = ranking(state)
    return tuple(order.index(seat) + 1 for seat in range(state.config.seats))


def level(state: State) -> str:
    """Return the level of a finished solo game, or ``lost`` (P-SOLO-6)."""
    return next((name for vp, name in LEVELS if state.scores[0] >= vp), LOST)


def ranks(vp: int) -> str:
    """Return the rank of a solo game that was won, and the next one, for people to read: ``rank
    Apprentice (next: Builder at 70)``.
    """
    reached = next(_read(level) for need, level in LEVELS if vp >= need)
    following = next_rank(vp)
    return f"rank {reached}" + (
        ", the highest" if following == reached else f" (next: {following})"
    )


def next_rank(vp: int) -> str:
    """Return the next rank of a solo game with the VP it takes, or just the highest rank."""
    need, level = next((one for one in reversed(LEVELS) if one[0] > vp), LEVELS[0])
    return f"{_read(level)} at {need}" if need > vp else _read(level)


def _read(level: str) -> str:
    return level.replace("-", " ").title()


Way = tuple[tuple[str, str], ...]
"""Houses to complete, each with the color that it has or needs."""


class Progress(NamedTuple):
    """How far a private contract has come."""

    most: int
    """The most VP that it can bring."""
    ways: tuple[Way, ...]
    """Alternatives that each make it count once more, those that lack the fewest floors first."""


def progress(state: State, contract: int) -> Progress:
    """Return the progress of a private contract."""
    scale = scale_of(state.config.edition, contract)
    now = min(counted_with(state, contract, {}), len(scale))
    search = _Search(state, contract)
    most = search.most(now, len(scale))
    return Progress(
        most=scale[most - 1] if most else 0,
        ways=search.ways(now) if most > now else (),
    )


def builds_left(state: State) -> int | None:
    """Return the most builds until the end, by players and timer; None if unknown."""
    if state.phase == OVER or state.is_revealing:
        return 0
    if state.phase == TIMER:
        # Of its cards that have not come up yet, one build is still made.
        return state.timer_left + (1 if state.turned else -1)
    built = state.phase == CONTRACTS
    if state.config.timer:
        return state.timer_left - built
    if not state.end_round:
        return None
    return state.config.seats * (state.end_round + 1) - state.turn - built


Plan = dict[int, int]
"""Houses to complete, and their colors."""


def counted_with(state: State, contract: int, plan: Plan) -> int:
    """Return how often a contract counts with the houses of a plan completed, too."""
    completed = [*completed_houses(state)]
    for house, color in plan.items():
        completed[color] |= BIT[house]
    return len(score_private(state, contract, tuple(completed)).groups)


class _Search:
    """The ways to complete houses for one contract."""

    def __init__(self, state: State, contract: int) -> None:
        self.state = state
        self.contract = contract
        builds = builds_left(state)
        self.builds = None if builds is None else max(0, builds)
        # An artificial box may have no cards at all.
        deck = state.config.construction_deck
        self.most_floors = max((VALUE_OF[card] for card in deck), default=1)
        missing = self.missing = tuple(map(sub, state.config.heights, state.floors))
        """How many floors each house lacks."""
        self.templates = sorted(
            templates(state.config.sides, state.config.heights, contract),
            key=lambda template: sum(min(missing[house] for house, _ in one) for one in template),
        )

    def most(self, now: int, limit: int) -> int:
        """Return how often the contract can count, up to ``limit``; it counts ``now`` times."""
        while now < limit and any(self._plans(now + 1)):
            now += 1
        return now

    def ways(self, now: int) -> tuple[Way, ...]:
        """Return what would make the contract count more than ``now`` times.

        Usually that is one more house, pair or trio. If each of them needs a house that counts
        already, it takes two of them at a time, and one such combination is returned.
        """
        found: list[Plan] = []
        for template in self.templates:
            plan = next(self._filled(template, {}), {})
            houses = {*self._unfinished(plan)}
            known = any(houses.issuperset(self._unfinished(other)) for other in found)
            if not known and counted_with(self.state, self.contract, plan) > now:
                found.append(plan)
        found.sort(key=lambda plan: sum(self.missing[house] for house in plan))
        plans = found or [next(self._plans(now + 1))]
        return tuple(
            tuple((HOUSES[house], COLORS[plan[house]]) for house in self._unfinished(plan))
            for plan in plans
        )

    def _plans(self, count: int, first: int = 0, plan: Plan | None = None) -> Iterator[Plan]:
        """Yield the plans with which the contract counts ``count`` times."""
        plan = plan or {}
        if not count:
            yield plan
            return
        for nth in range(first, len(self.templates)):
            for more in self._filled(self.templates[nth], plan):
                yield from self._plans(count - 1, nth + 1, more)

    def _filled(self, template: Template, plan: Plan) -> Iterator[Plan]:
        """Yield the plans that extend a plan by the places of a template."""
        if not template:
            yield plan
            return
        for house, color in template[0]:
            more = {**plan, house: color}
            if house not in plan and self._fits(more):
                yield from self._filled(template[1:], more)

    def _fits(self, plan: Plan) -> bool:
        """Return whether the houses of a plan can all be completed (P-BUILD-2 to P-BUILD-5)."""
        state, builds = self.state, 0
        ground, upper = [*state.ground_left], [*state.upper_left]
        colors = [*state.colors]
        for house, color in plan.items():
            colors[house] = color
        for house, color in plan.items():
            missing, starts = self.missing[house], not state.floors[house]
            if not starts and state.colors[house] != color:
                return False
            if starts and clashes(colors, house, color):
                return False
            ground[color] -= starts
            upper[color] -= max(0, missing - starts)
            builds -= -missing // self.most_floors
        return min(*ground, *upper) >= 0 and (self.builds is None or builds <= self.builds)

    def _unfinished(self, plan: Plan) -> tuple[int, ...]:
        return tuple(house for house in sorted(plan) if self.missing[house])
