"""How far a private contract has come: what it brings now, and what it can still bring.

What it can still bring is a bound. All the houses that it takes can be completed with the tiles
that are left, in colors that may stand beside each other (P-BUILD-2 to P-BUILD-5), and in the
builds that are left, once the solo timer or the end of the game says how many these are. It
asks neither who holds which cards nor what the other players want.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

from porto_cli.games.porto.engine.components import (
    BIT,
    COLORS,
    HOUSES,
    HOUSES_IN,
    LEFT_OF,
    PRIVATE,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.contracts import completed_houses, reckon
from porto_cli.games.porto.engine.state import CONTRACTS, OVER, TIMER, State

Way = tuple[tuple[str, str], ...]
"""Houses to complete, each with the color that it has or needs."""


class Progress(NamedTuple):
    """How far a private contract has come."""

    most: int
    """The VP that it can bring at most."""
    ways: tuple[Way, ...]
    """Each makes it count once more; those that lack the fewest floors come first."""


def progress(state: State, contract: int) -> Progress:
    """Return what a private contract can still bring, and by which houses."""
    scale = state.config.edition.private[PRIVATE[contract].kind]
    now = min(len(reckon(state, contract).groups), len(scale))
    search = _Search(state, contract)
    most = search.most(now, len(scale))
    return Progress(
        most=scale[most - 1] if most else 0,
        ways=search.ways(now) if most > now else (),
    )


def builds_left(state: State) -> int | None:
    """Return how many builds there can be till the end, by players and timer; None if unknown."""
    if state.phase == OVER or state.is_revealing:
        return 0
    if state.phase == TIMER:
        return state.timer_left + 1
    built = state.phase == CONTRACTS
    if state.config.timer:
        return state.timer_left - built
    if not state.end_round:
        return None
    return state.config.seats * (state.end_round + 1) - state.turn - built


Place = tuple[int, int]
"""A house and a color for it."""
Template = list[list[Place]]
"""What counts once: for each of its houses the places to choose from."""


class _Plan(NamedTuple):
    """Houses that are going to be completed, and what is left once they are."""

    colors: dict[int, int]
    ground: tuple[int, ...]
    upper: tuple[int, ...]
    builds: int | None


class _Search:
    """The ways to complete houses for one contract."""

    def __init__(self, state: State, contract: int) -> None:
        self.state = state
        self.contract = contract
        self.nothing = _Plan(
            {}, tuple(state.ground_left), tuple(state.upper_left), builds_left(state)
        )
        self.completed = completed_houses(state)
        self.most_floors = max(VALUE_OF[card] for card in state.config.construction_deck())
        self.templates = sorted(self._templates(), key=self._least_missing)

    def most(self, now: int, limit: int) -> int:
        """Return how often the contract can count, ``limit`` at most; it counts ``now`` times."""
        while now < limit and any(self._plans(now + 1)):
            now += 1
        return now

    def ways(self, now: int) -> tuple[Way, ...]:
        """Return what would make the contract count more than ``now`` times.

        Mostly that is one more house, pair or trio. Where each of them needs a house that
        counts already, it takes two at a time, and one way of doing it is returned.
        """
        found: list[_Plan] = []
        for template in self.templates:
            plan = next(self._filled(template, self.nothing), self.nothing)
            houses = {*self._unfinished(plan)}
            known = any(houses.issuperset(self._unfinished(other)) for other in found)
            if not known and self._count(plan) > now:
                found.append(plan)
        plans = sorted(found, key=self._missing) or [next(self._plans(now + 1))]
        return tuple(
            tuple((HOUSES[house], COLORS[plan.colors[house]]) for house in self._unfinished(plan))
            for plan in plans
        )

    def _templates(self) -> Iterator[Template]:
        """Return everything that could count once."""
        game = self.state.config
        kind, colors = PRIVATE[self.contract].kind, PRIVATE[self.contract].colors
        if kind in ("houses", "ends"):
            for house in game.houses if kind == "houses" else HOUSES_IN[game.ends]:
                yield [[(house, colors[0])]]
        elif kind == "mirror":
            for left, right in product(*game.sides):
                if game.heights[left] == game.heights[right]:
                    yield [[(left, colors[0])], [(right, colors[0])]]
        elif kind in ("pairs", "trios"):
            for side in game.sides:
                for first in range(len(side) - len(colors) + 1):
                    run = side[first : first + len(colors)]
                    for order in permutations(colors):
                        yield [[place] for place in zip(run, order, strict=True)]
        else:
            every = range(len(COLORS))
            for side in game.sides:
                if kind == "palette":
                    yield [[(house, color) for house in side] for color in every]
                else:
                    yield [[(house, color) for color in every] for house in side]

    def _plans(self, count: int, first: int = 0, plan: _Plan | None = None) -> Iterator[_Plan]:
        """Return the plans with which the contract counts so many times."""
        plan = plan or self.nothing
        if not count:
            yield plan
            return
        for nth in range(first, len(self.templates)):
            for more in self._filled(self.templates[nth], plan):
                yield from self._plans(count - 1, nth + 1, more)

    def _filled(self, template: Template, plan: _Plan) -> Iterator[_Plan]:
        """Return the plans that go on with what could count once."""
        if not template:
            yield plan
            return
        for place in template[0]:
            more = self._with(plan, *place)
            if more:
                yield from self._filled(template[1:], more)

    def _with(self, plan: _Plan, house: int, color: int) -> _Plan | None:
        """Return a plan that completes one more house, or None where that cannot be."""
        state = self.state
        if house in plan.colors:
            return None
        floors = state.floors[house]
        missing = state.config.heights[house] - floors
        if floors and state.colors[house] != color:
            return None
        colors = {**plan.colors, house: color}
        if not missing:
            return plan._replace(colors=colors)
        ground, upper = list(plan.ground), list(plan.upper)
        if not floors:
            beside = (LEFT_OF[house], RIGHT_OF[house])
            if any(self._color(plan, other) == color for other in beside):
                return None
            ground[color] -= 1
        upper[color] -= missing if floors else missing - 1
        builds = plan.builds
        if builds is not None:
            builds -= -(-missing // self.most_floors)
        if ground[color] < 0 or upper[color] < 0 or (builds is not None and builds < 0):
            return None
        return _Plan(colors, tuple(ground), tuple(upper), builds)

    def _color(self, plan: _Plan, house: int) -> int | None:
        return self.state.colors[house] if self.state.floors[house] else plan.colors.get(house)

    def _count(self, plan: _Plan) -> int:
        """Return how often the contract counts once the houses of a plan are complete."""
        completed = list(self.completed)
        for house, color in plan.colors.items():
            completed[color] |= BIT[house]
        return len(reckon(self.state, self.contract, tuple(completed)).groups)

    def _unfinished(self, plan: _Plan) -> tuple[int, ...]:
        return tuple(house for house in sorted(plan.colors) if self._missing_of(house))

    def _missing(self, plan: _Plan) -> int:
        """Return how many floors a plan takes."""
        return sum(self._missing_of(house) for house in plan.colors)

    def _missing_of(self, house: int) -> int:
        return self.state.config.heights[house] - self.state.floors[house]

    def _least_missing(self, template: Template) -> int:
        return sum(min(self._missing_of(house) for house, _ in places) for places in template)
