"""What a private contract can still bring, against every way to go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from porto_cli.core.chance import first_of_pile
from porto_cli.games.porto.engine import (
    CARDS,
    COLORS,
    HOUSES,
    LEFT_OF,
    PRIVATE,
    PRIVATE_KINDS,
    PRIVATE_NAMES,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.play import Build, apply, legal_builds
from porto_cli.games.porto.engine.scoring import builds_left, private_vp, progress, score_private
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, State
from porto_cli.games.porto.shown import worths
from porto_cli.games.porto.view import view
from tests.porto.playing import BARE, CRAMPED, KINDS, Kind, plies
from tests.porto.tables import laid
from tests.shares import for_each

MOST_WAYS_TO_GO_ON = 3000
Target = dict[int, int]
"""Houses to complete, each with its color."""


def finished(state: State, target: Target) -> State:
    """Return the table as if these houses were complete."""
    then = state.copy()
    floors, colors = bytearray(state.floors), bytearray(state.colors)
    for house, color in target.items():
        floors[house], colors[house] = state.config.heights[house], color
    then.floors, then.colors = bytes(floors), bytes(colors)
    then.roof_tokens = bytes(len(HOUSES))
    then.survey()
    return then


def can_be(state: State, target: Target) -> bool:
    """Return whether there are tiles, colors and builds for all these houses."""
    game = state.config
    ground, upper, builds = list(state.ground_left), list(state.upper_left), 0
    for house, color in target.items():
        missing = game.heights[house] - state.floors[house]
        builds += -(-missing // max(map(VALUE_OF.__getitem__, game.construction_deck)))
        if state.floors[house]:
            upper[color] -= missing
            continue
        ground[color] -= 1
        upper[color] -= missing - 1
        for beside in (LEFT_OF[house], RIGHT_OF[house]):
            there = state.colors[beside] if state.floors[beside] else target.get(beside)
            if there == color:
                return False
    left = builds_left(state)
    return min(ground + upper) >= 0 and (left is None or builds <= left)


def targets(state: State) -> list[Target]:
    """Return everything that could be completed, one house or many; [] if that is too much."""
    unfinished = [house for house in state.config.houses if not state.is_complete(house)]
    choices: list[list[int | None]] = []
    for house in unfinished:
        own = [state.colors[house]] if state.floors[house] else range(len(COLORS))
        choices.append([None, *own])
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MOST_WAYS_TO_GO_ON:
        return []
    found = (
        {house: color for house, color in zip(unfinished, chosen, strict=True) if color is not None}
        for chosen in product(*choices)
    )
    return [target for target in found if can_be(state, target)]


def positions(kind: Kind, seed: int) -> Iterator[State]:
    """Return tables of a random game that have few enough ways to go on."""
    for nth, ply in enumerate(plies(kind, random.Random(seed))):
        if nth % 9 == 0:
            yield ply.before


def of_kind(kind: str) -> list[int]:
    return [number for number, contract in enumerate(PRIVATE) if contract.kind == kind]


@pytest.fixture(scope="module")
def late() -> list[tuple[State, list[Target]]]:
    """Tables late in games of all kinds, with every way to go on from there."""
    found = []
    for seed, kind in enumerate(kind for kind in KINDS if kind.edition is not BARE):
        some = [(state, targets(state)) for state in positions(kind, seed)]
        found += [(state, ways) for state, ways in some if ways][:3]
    assert len(found) > 20
    assert any(builds_left(state) is None for state, _ in found)
    assert any(builds_left(state) for state, _ in found)
    return found


OFTEN = ("houses", "pairs", "palette")
"""Kinds that every run of the tests looks at: one each that counts, compares and sums up."""


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind not in OFTEN)) for kind in PRIVATE_KINDS],
)
def test_what_can_still_come_is_what_the_best_way_to_go_on_brings(
    late: list[tuple[State, list[Target]]], kind: str
) -> None:
    rnd = random.Random(kind)
    seen: set[bool] = set()
    for state, ways in late:
        contracts = [one for one in of_kind(kind) if kind in state.config.edition.private]
        for contract in rnd.sample(contracts, min(1, len(contracts))):
            best = max(private_vp(finished(state, target), contract) for target in ways)
            assert progress(state, contract).most == best
            seen.add(best > private_vp(state, contract))
    assert seen == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("kind", PRIVATE_KINDS)
def test_every_way_that_is_named_makes_it_count_once_more(
    late: list[tuple[State, list[Target]]], kind: str
) -> None:
    seen = 0
    for state, _ in late:
        for contract in of_kind(kind)[:4]:
            far = progress(state, contract)
            assert bool(far.ways) == (far.most > private_vp(state, contract))
            for way in far.ways:
                target = {HOUSES.index(house): COLORS.index(color) for house, color in way}
                assert can_be(state, target)
                now, then = state, finished(state, target)
                assert len(score_private(then, contract).groups) > len(
                    score_private(now, contract).groups
                )
                seen += 1
    assert seen


@pytest.mark.parametrize("kind", PRIVATE_KINDS)
def test_every_way_that_is_named_can_be_built_by_the_rules(
    late: list[tuple[State, list[Target]]], kind: str
) -> None:
    """Whoever has the right cards in hand completes these houses, build by build."""
    seen = 0
    for state, _ in late[::3]:
        for contract in of_kind(kind)[:2]:
            for way in progress(state, contract).ways[:2]:
                build_all(state, way)
                seen += 1
    assert seen


def floors_of(build: Build) -> int:
    return VALUE_OF[build.number]


def build_all(state: State, way: tuple[tuple[str, str], ...]) -> None:
    now = state.copy()
    for name, color in way:
        house = HOUSES.index(name)
        while not now.is_complete(house):
            missing = now.config.heights[house] - now.floors[house]
            cards = {CARDS.index(f"{color}-{value}") for value in (1, 2, 3)}
            now = now.copy()
            now.phase, now.built, now.turned, now.end_round = ACT, None, b"", 0
            now.timer_left = 99 if now.config.timer else 0
            now.hands = tuple(bytes(sorted([*cards, *cards])) for _ in range(now.config.seats))
            builds = [build for build in legal_builds(now) if build.house == house]
            assert builds, f"{name} cannot become {color} with {missing} floors missing"
            now, _ = apply(now, max(builds, key=floors_of), first_of_pile)
        assert COLORS[now.colors[house]] == color


def test_nothing_more_can_come_when_the_game_is_over() -> None:
    for kind in (Kind(2), Kind(2, table=True), Kind(1, timer=24), Kind(2, CRAMPED)):
        *_, last = plies(kind, random.Random(3))
        for state in (last.before, last.after):
            if state.phase == OVER or (state.phase == KEEP and not state.dealt):
                assert builds_left(state) == 0
                for contract in range(len(PRIVATE)):
                    assert progress(state, contract) == (private_vp(state, contract), ())


SAID = [
    ("ends-green", "{}", "Now 0 of 9 VP: complete L7, or R1, or L3, or R5, in green."),
    (
        "ends-green",
        "{L4: green 2, R1: blue 2, L7: red 1}",
        "Now 0 of 2 VP: complete R5 in green.",
    ),
    ("ends-green", "{R1: blue 2, L7: red 1}", "Now 0 of 5 VP: complete L3, or R5, in green."),
    ("ends-red", "{L3: red 6, L7: red 5, R1: red 5}", "Now 9 VP, which is all it pays."),
    (
        "ends-red",
        "{L3: red 6, L7: blue 5, R1: blue 5, R5: blue 5}",
        "Now 2 VP; it can bring no more.",
    ),
    (
        "houses-blue",
        "{L3: blue 6, R1: blue 2}",
        "Now 1 of 5 VP: complete R1, or L5, or R3, or L7, or one of 3 others, in blue.",
    ),
    ("mirror-red", "{L7: red 5, R2: red 2}", "Now 0 of 5 VP: complete R4, or L3 and R2, in red."),
    (
        "pairs-blue+red",
        "{L3: blue 6, L4: red 2, R1: green 1, R3: green 1, R5: green 1}",
        "Now 0 of 5 VP: complete L4, or L5 and L6, or L6 and L7.",
    ),
    (
        "palette",
        "{L3: blue 6, L4: red 5, L5: blue 1, L6: green 6, R1: red 5, R2: blue 1, R3: red 1}",
        "Now 0 VP; it can bring no more.",
    ),
    ("palette", "{L3: blue 5}", "Now 0 of 7 VP: both sides lack every color."),
    (
        "mirror-red",
        "{}",
        "Now 0 of 5 VP: complete L5 and R3, or L4 and R1, or one of 7 others, in red.",
    ),
    (
        "palette",
        "{L3: blue 6, L4: red 5, L6: green 6, R1: red 5, R2: blue 1, R3: red 1}",
        "Now 0 of 7 VP: the left side lacks purple and yellow.",
    ),
]


@for_each(("contract", "houses", "said"), SAID)
def test_in_words(contract: str, houses: str, said: str) -> None:
    others = [name for name in ("side", "mirror-green", "mirror-blue") if name != contract][:2]
    state = laid(f"houses: {houses}\nprivate: {{Inês: [{contract}, {', '.join(others)}]}}")
    player = view(state, 0)["players"][0]
    assert dict(zip(player["private"], worths(player), strict=True))[contract] == said


def test_a_side_lacks_houses() -> None:
    state = laid(
        "houses: {R1: red 5, R2: blue 6, R4: red 5}\n"
        "private: {Inês: [side, mirror-green, mirror-blue]}"
    )
    said = "Now 0 of 5 VP: the right side lacks R3 and R5."
    assert said in worths(view(state, 0)["players"][0])


def test_pairs_that_have_to_be_taken_apart_to_count_more() -> None:
    """Of four houses in a row the two in the middle count; with both others there are two pairs."""
    state = laid(
        "houses: {L4: blue 5, L5: red 4, L7: green 1, R1: green 1, R3: green 1, R5: yellow 1}"
    )
    far = progress(state, PRIVATE_NAMES.index("pairs-blue+red"))
    assert far == (5, ((("L3", "red"), ("L6", "blue")),))


def test_the_end_of_the_game_limits_what_can_come() -> None:
    """In the last round of two players two builds are left, which complete one house."""
    houses = ", ".join(f"{name} {height}" for name, height in ROOFS.items())
    state = laid(
        f"round: 9\nto-move: Inês\nend-triggered: 8\nhouses: {{{houses}, R4: green 3}}\n"
        "private: {Inês: [houses-green, side, palette], Joana: [ends-red, mirror-red, mirror-blue]}"
    )
    assert builds_left(state) == 2
    green = progress(state, PRIVATE_NAMES.index("houses-green"))
    assert green == (1, ((("R4", "green"),), (("L7", "green"),)))
    assert progress(state, PRIVATE_NAMES.index("palette")) == (0, ())
    state.end_round = 0
    assert progress(state, PRIVATE_NAMES.index("palette")).most == 7
    assert progress(state, PRIVATE_NAMES.index("houses-green")).most == 2


ROOFS = {
    "L3: blue": 6,
    "L4: red": 5,
    "L5: blue": 4,
    "R1: red": 5,
    "R2: yellow": 6,
    "L6: purple": 6,
}
