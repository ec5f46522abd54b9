"""Laws that hold at every table, reached by play or laid (:mod:`tests.porto.strategies`).

A failure prints the smallest table that hypothesis finds as a scenario, and its seed if it was
played. The normal run looks at the same tables every time, ``--hypothesis-profile hunt`` at many
others.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from porto_cli.core.chance import Chance, TypedChance, seeded_chance
from porto_cli.fields import SEED
from porto_cli.games.porto.engine import (
    COLOR_OF,
    COLORS,
    EMPTY,
    HOUSES,
    LEFT_OF,
    NO_COLOR,
    NOWHERE,
    PRIVATE,
    PUBLIC,
    RIGHT_OF,
)
from porto_cli.games.porto.engine.cards import Claim
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    RoofPlaced,
    TokenMoved,
    apply,
    legal_moves,
    violations,
)
from porto_cli.games.porto.engine.scoring import private_vp
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER, Config, State
from porto_cli.games.porto.engine.turn import PUBLIC_CONTRACT, Event, Scored, TimerTurned
from porto_cli.games.porto.notation import format_move, parse_move
from porto_cli.scenario import scenario_of_text
from tests.porto.playing import CRAMPED, Kind
from tests.porto.strategies import Spot, just_built, lay, moves_near, spots


def randoms() -> st.SearchStrategy[random.Random]:
    return st.integers(0, 9999).map(random.Random)


# --- what a move leads to ---------------------------------------------------------------------


class Remembering:
    """The chance of a position, which remembers what came up."""

    def __init__(self) -> None:
        self.chance = seeded_chance(SEED)
        self.came_up: dict[str, list[int]] = {}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        position = self.chance(stream, index, pile)
        self.came_up.setdefault(stream, []).append(pile[position])
        return position


def some_move(state: State, rnd: random.Random) -> Move | None:
    moves = legal_moves(state)
    if not moves:
        return None
    kinds = sorted({type(move).__name__ for move in moves})
    kind = rnd.choice(kinds)
    move = rnd.choice([move for move in moves if type(move).__name__ == kind])
    note(f"move: {format_move(move, state)}")
    return move


@pytest.mark.long
@given(spot=spots(), rnd=randoms())
def test_nothing_is_lost_and_every_score_has_a_reason(spot: Spot, rnd: random.Random) -> None:
    before = spot.state
    move = some_move(before, rnd)
    if move is None:
        return
    after, events = apply(before, move, seeded_chance(SEED))
    assert all_cards(after) == all_cards(before)
    assert tokens(after) + paid_out(events) == tokens(before)
    assert tiles(after) == tiles(before)
    turned = [e for e in events if isinstance(e, TimerTurned)]
    gone = sum(after.fulfilled) - sum(before.fulfilled) + sum(len(e.contracts) for e in turned)
    assert len(contracts(after)) + gone == len(contracts(before))
    assert contracts(after) <= contracts(before)
    scored = Counter()
    for event in events:
        if isinstance(event, Scored):
            scored[event.seat] += event.vp
    for seat, score in enumerate(after.scores):
        assert score == before.scores[seat] + scored[seat]


def all_cards(state: State) -> Counter:
    lying = bytes(card for card in state.cards if card != EMPTY)
    piles = (state.deck, state.timer_deck, state.discards, state.turned, lying)
    return Counter(b"".join((*piles, *state.hands)))


def tokens(state: State) -> Counter:
    return Counter(value for value in state.ground_tokens + state.roof_tokens if value)


def paid_out(events: list[Event]) -> Counter:
    paid = [e.value for e in events if isinstance(e, TokenMoved) and e.roof == NOWHERE]
    return Counter(paid + [e.token for e in events if isinstance(e, RoofPlaced) and e.token])


def tiles(state: State) -> list[tuple[int, int]]:
    """Return all ground floors and upper floors of each color, built or not."""
    found = []
    for color in range(len(COLORS)):
        floors = [n for house, n in enumerate(state.floors) if n and state.colors[house] == color]
        ground = state.ground_left[color] + len(floors)
        found.append((ground, state.upper_left[color] + sum(floors) - len(floors)))
    return found


def contracts(state: State) -> set[int]:
    return {*state.contract_deck, *(one for one in state.contracts if one != EMPTY)}


@pytest.mark.long
@given(spot=just_built(), rnd=randoms())
def test_the_order_of_claims_does_not_matter(spot: Spot, rnd: random.Random) -> None:
    """Said in any order they are the same move, and each scores what it scores alone."""
    state = spot.state
    chosen = rnd.sample(state.claimable, rnd.randint(1, len(state.claimable)))
    after, vp = claim(state, tuple(sorted(chosen)))
    names = [PUBLIC[state.contracts[space]].name for space in chosen]
    for order in permutations(names):
        assert parse_move(f"contract {' '.join(order)}", state) == Claim(tuple(sorted(chosen)))
    assert vp == sum(claim(state, (space,))[1] for space in chosen)
    assert sum(after.fulfilled) == sum(state.fulfilled) + len(chosen)


def claim(state: State, spaces: tuple[int, ...]) -> tuple[State, int]:
    after, events = apply(state, Claim(spaces), seeded_chance(SEED))
    reasons = (e for e in events if isinstance(e, Scored) and e.kind == PUBLIC_CONTRACT)
    return after, sum(event.vp for event in reasons)


# --- tables that are the same but for names ---------------------------------------------------


class Disguise:
    """A way to rename what lies on a table, so that the rules cannot tell the difference."""

    def config(self, config: Config) -> Config:
        return config

    def house(self, house: int) -> int:
        return house

    def color(self, color: int) -> int:
        return color

    def by_house(self, things: bytes) -> bytes:
        new = bytearray(things)
        for house in range(len(HOUSES)):
            new[self.house(house)] = things[house]
        return bytes(new)

    def by_color(self, things: bytes) -> bytes:
        new = bytearray(things)
        for color in range(len(COLORS)):
            new[self.color(color)] = things[color]
        return bytes(new)

    def card(self, card: int) -> int:
        return EMPTY if card == EMPTY else card % 3 + 3 * self.color(COLOR_OF[card])

    def cards(self, cards: bytes) -> bytes:
        return bytes(map(self.card, cards))

    def _contract(self, contract: int, box: tuple) -> int:
        if contract == EMPTY:
            return EMPTY
        one = box[contract]
        colors = tuple(sorted(map(self.color, one.colors)))
        (same,) = (
            index
            for index, other in enumerate(box)
            if (other.kind, other.colors) == (one.kind, colors)
            and getattr(other, "floors", 0) == getattr(one, "floors", 0)
        )
        return same

    def public(self, contracts: bytes) -> bytes:
        return bytes(self._contract(contract, PUBLIC) for contract in contracts)

    def private(self, contracts: bytes) -> bytes:
        return bytes(self._contract(contract, PRIVATE) for contract in contracts)

    def state(self, state: State) -> State:
        new = state.copy()
        new.config = self.config(state.config)
        new.floors = self.by_house(state.floors)
        new.colors = bytes(
            NO_COLOR if color == NO_COLOR else self.color(color)
            for color in self.by_house(state.colors)
        )
        new.ground_tokens = self.by_house(state.ground_tokens)
        new.roof_tokens = self.by_house(state.roof_tokens)
        new.ground_left = self.by_color(state.ground_left)
        new.upper_left = self.by_color(state.upper_left)
        new.cards = self.cards(state.cards)
        new.discards = self.cards(state.discards)
        new.turned = self.cards(state.turned)
        new.deck = _sorted(self.cards(state.deck))
        new.timer_deck = _sorted(self.cards(state.timer_deck))
        new.hands = tuple(_sorted(self.cards(hand)) for hand in state.hands)
        new.contracts = self.public(state.contracts)
        new.contract_deck = _sorted(self.public(state.contract_deck))
        new.dealt = tuple(map(self.private, state.dealt))
        new.kept = tuple(_sorted(self.private(kept)) for kept in state.kept)
        if state.built:
            number, color, house = state.built[:3]
            new.built = state.built._replace(
                number=self.card(number), color=self.card(color), house=self.house(house)
            )
        new.survey()
        return new

    def move(self, move: Move) -> Move:
        if isinstance(move, Build):
            roof = NOWHERE if move.token == NOWHERE else self.house(move.token)
            number, color = self.card(move.number), self.card(move.color)
            return Build(number, color, self.house(move.house), roof)
        return move

    def reason(self, reason: str) -> str:
        kind, colon, name = reason.partition(":")
        box = {"contract": PUBLIC, "private": PRIVATE}.get(kind)
        if not box:
            return reason
        (index,) = (index for index, one in enumerate(box) if one.name == name)
        return kind + colon + box[self._contract(index, box)].name

    def chance(self, came_up: dict[str, list[int]]) -> Chance:
        """Return the chance under which the disguised things come up."""
        change = {"cards": self.cards, "timer": self.cards, "contracts": self.public}
        return TypedChance(
            **{stream: change[stream](bytes(things)) for stream, things in came_up.items()}
        )


def _sorted(things: bytes) -> bytes:
    return bytes(sorted(things))


class Mirrored(Disguise):
    """The river seen from the other bank: L1 becomes R7, L7 becomes R1."""

    def config(self, config: Config) -> Config:
        heights = config.edition.heights[::-1]
        return Config(
            config.edition._replace(name="mirrored", heights=heights),
            config.players,
            private_contracts=config.private_contracts,
            seat_first=config.seat_first,
            timer=config.timer,
        )

    def house(self, house: int) -> int:
        return len(HOUSES) - 1 - house


class Recolored(Disguise):
    """Every color stands for another one."""

    def __init__(self, order: list[int]) -> None:
        self.order = order

    def __repr__(self) -> str:
        return f"<{', '.join(f'{COLORS[a]} is {COLORS[b]}' for a, b in enumerate(self.order))}>"

    def color(self, color: int) -> int:
        return self.order[color]


def recolored() -> st.SearchStrategy[Recolored]:
    return st.permutations(range(len(COLORS))).map(Recolored)


def looks_the_same(spot: Spot, rnd: random.Random, disguise: Disguise) -> None:
    """Legal moves, refusals, what a move leads to and every private contract are the same."""
    state, other = spot.state, disguise.state(spot.state)
    assert set(map(disguise.move, legal_moves(state))) == set(legal_moves(other))
    for move in moves_near(state, rnd)[:30]:
        here, there = violations(state, move), violations(other, disguise.move(move))
        assert Counter(one.rule for one in here) == Counter(one.rule for one in there)
    for contract, one in enumerate(PRIVATE):
        if one.kind in state.config.edition.private:
            (same,) = disguise.private(bytes([contract]))
            assert private_vp(state, contract) == private_vp(other, same), one.name
    move = some_move(state, rnd)
    if move is None:
        return
    chance = Remembering()
    after, events = apply(state, move, chance)
    other_after, other_events = apply(other, disguise.move(move), disguise.chance(chance.came_up))
    assert disguise.state(after).contents() == other_after.contents()
    assert Counter(
        (e.seat, disguise.reason(e.reason), e.vp) for e in events if isinstance(e, Scored)
    ) == Counter((e.seat, e.reason, e.vp) for e in other_events if isinstance(e, Scored))


@pytest.mark.long
@given(spot=spots(), rnd=randoms())
def test_the_mirror_image_of_a_table_plays_the_same(spot: Spot, rnd: random.Random) -> None:
    looks_the_same(spot, rnd, Mirrored())


@pytest.mark.long
@given(spot=spots(), rnd=randoms(), colors=recolored())
def test_other_names_of_the_colors_change_nothing(
    spot: Spot, rnd: random.Random, colors: Recolored
) -> None:
    looks_the_same(spot, rnd, colors)


# --- private contracts ------------------------------------------------------------------------


@pytest.mark.long
@given(spot=spots(), rnd=randoms())
def test_one_more_completed_house_never_lowers_a_private_contract(
    spot: Spot, rnd: random.Random
) -> None:
    state = spot.state
    open_houses = [house for house in state.config.houses if not state.is_complete(house)]
    if not open_houses:
        return
    house = rnd.choice(open_houses)
    beside = {state.colors[LEFT_OF[house]], state.colors[RIGHT_OF[house]]}
    color = state.colors[house]
    if color == NO_COLOR:
        color = rnd.choice([one for one in range(len(COLORS)) if one not in beside])
    note(f"completed: {HOUSES[house]} in {COLORS[color]}")
    more = state.copy()
    floors, colors = bytearray(state.floors), bytearray(state.colors)
    floors[house], colors[house] = state.config.heights[house], color
    more.floors, more.colors = bytes(floors), bytes(colors)
    more.survey()
    for contract, one in enumerate(PRIVATE):
        if one.kind in state.config.edition.private:
            assert private_vp(more, contract) >= private_vp(state, contract), one.name


# --- what these tests are worth ----------------------------------------------------------------


@pytest.mark.long
def test_the_laid_tables_are_worth_looking_at():
    """Tables that play reaches hardly ever are the reason for laying them."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        rnd = random.Random(seed)
        kind = rnd.choice([Kind(2), Kind(3, CRAMPED), Kind(4), Kind(1, timer=28)])
        state = lay(rnd, kind, 0.3).state
        seen[state.phase] += 1
        seen["two contracts at once"] += len(state.claimable) > 1
        seen["a whole side"] += any(all(map(state.is_complete, s)) for s in state.config.sides)
        seen["no empty roof"] += not state.free_roofs
        seen["the deck is empty"] += not state.deck_left
        seen["an empty space of contracts"] += EMPTY in state.contracts
        seen["the timer told from the deck"] += bool(state.timer_deck)
        seen["the end is near"] += bool(state.end_round)
        for one in ("pairs", "trios", "palette"):
            worth = state.config.edition.private[one]
            cards = [card for card, other in enumerate(PRIVATE) if other.kind == one]
            seen[f"many {one}"] += any(private_vp(state, card) == worth[-1] for card in cards)
    assert min(seen[phase] for phase in (ACT, CONTRACTS, TIMER)) > 20, seen
    assert all(seen.values()), seen


@pytest.mark.long
def test_a_failure_prints_a_scenario_and_a_seed():
    """The report of a broken law is a file that the program reads, and the seed of the game."""

    def nobody_ever_has_a_card(spot: Spot) -> None:
        assert not any(spot.state.hands)

    with pytest.raises(AssertionError) as failed:
        given(spot=spots())(nobody_ever_has_a_card)()
    report = "\n".join(failed.value.__notes__)
    origin, text = re.search(r"spot=<(.*)>\n(.*)\n *<end of scenario>", report, re.DOTALL).groups()
    assert re.fullmatch(r"laid|.*, seed \d+, after \d+ moves", origin), report
    (case,) = scenario_of_text(text, "report.yaml").cases
    assert any(case.start.state.hands)
