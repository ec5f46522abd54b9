"""Tables for property tests, reached by random play and laid directly; and moves to try there.

A :class:`Spot` is one of them. It prints itself as a scenario, so that a failing test ends with
a file that ``porto scenario`` reads; one that was played names its seed as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from hypothesis import strategies as st

from porto_cli.core.chance import seeded_chance
from porto_cli.core.yaml import scalar
from porto_cli.fields import SEED, described, lines_of
from porto_cli.games.porto.editions import edition_lines
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HOUSES,
    KEPT,
    LEFT_OF,
    PUBLIC,
    VALUE_OF,
    Edition,
)
from porto_cli.games.porto.engine.cards import Claim, Draw, Keep
from porto_cli.games.porto.engine.play import (
    PASS,
    Build,
    Move,
    apply,
    as_built,
    legal_builds,
    legal_moves,
)
from porto_cli.games.porto.engine.scoring import is_met
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    TIMERS,
    Built,
    Config,
    Deal,
    State,
    begin,
    without,
)
from porto_cli.games.porto.position import FIELDS, describe_position
from tests.porto.playing import BARE, BOX, CRAMPED, KINDS, Kind, Ply, plies


class Spot:
    """A table, and where it came from."""

    def __init__(self, state: State, origin: str) -> None:
        self.state = state
        self.origin = origin

    def __repr__(self) -> str:
        return f"<{self.origin}>\n{scenario_of(self.state)}<end of scenario>"


def spots() -> st.SearchStrategy[Spot]:
    """Tables of every kind, reached by play or laid."""
    return st.one_of(laid(), played())


@st.composite
def played(draw: st.DrawFn) -> Spot:
    """Tables of random games."""
    kind = draw(st.integers(0, len(KINDS) - 1))
    seed, moves = draw(st.integers(0, 9999)), draw(st.integers(0, 119))
    game = _played(kind, seed)
    moves = min(moves, len(game) - 1)
    return Spot(game[moves].before, f"{KINDS[kind]}, seed {seed}, after {moves} moves")


@lru_cache(maxsize=64)
def _played(kind: int, seed: int) -> list[Ply]:
    return list(plies(KINDS[kind], random.Random(f"{KINDS[kind]}/{seed}")))


@st.composite
def laid(draw: st.DrawFn) -> Spot:
    """Tables that were never played: whatever can lie there at once."""
    return lay(draw(st.randoms(use_true_random=False)), draw(_kinds()), 0.3)


def tables(kind: Kind, rnd: random.Random) -> Iterator[State]:
    """Tables that were laid, with other heights of the houses too; and some of a game with cards
    on a real table.
    """
    for nth in range(LAID):
        other = kind if nth % 3 or kind.timer else _with_any_heights(kind, rnd)
        state = lay(rnd, other, rnd.choice((0.3, 1))).state
        # A build may have ended the game.
        if state.phase not in (KEEP, OVER):
            yield state
    if kind.private:
        real = plies(replace(kind, table=True), rnd)
        states = [ply.before for ply in real if ply.before.phase != KEEP]
        yield from rnd.sample(states, min(LAID // 2, len(states)))


LAID = 24
"""Tables of each kind, and half as many of a game on a real table."""


def _with_any_heights(kind: Kind, rnd: random.Random) -> Kind:
    return replace(kind, edition=_of_heights([rnd.randint(1, 7) for _ in HOUSES]))


def just_built() -> st.SearchStrategy[Spot]:
    """Tables where a build waits for its contracts, as many of them as can be."""
    some = st.builds(lay, st.randoms(use_true_random=False), _kinds(), st.just(1))
    return some.filter(lambda spot: spot.state.phase == CONTRACTS)


def _kinds() -> st.SearchStrategy[Kind]:
    editions = st.one_of(st.sampled_from([BOX, CRAMPED, BARE]), st.builds(_of_heights, _HEIGHTS))
    return st.one_of(
        st.builds(Kind, st.integers(2, 4), editions.filter(_is_whole), st.booleans()),
        st.builds(Kind, st.integers(2, 4), editions, st.just(False)),
        st.builds(Kind, st.just(1), st.just(BOX), st.booleans(), st.sampled_from(TIMERS)),
        st.builds(Kind, st.just(1), st.just(CRAMPED), st.booleans(), st.just(min(TIMERS))),
    )


def _is_whole(edition: Edition) -> bool:
    """Return whether there are private contracts enough to be dealt."""
    return edition is not BARE


_HEIGHTS = st.lists(st.integers(1, 7), min_size=len(HOUSES), max_size=len(HOUSES))


def _of_heights(heights: list[int]) -> Edition:
    return BOX._replace(name="any heights", heights=bytes(heights), artificial=True)


def lay(rnd: random.Random, kind: Kind, built: float) -> Spot:
    """Lay a table; ``built`` is how likely a build has just been made."""
    state = _Laying(kind.config(), rnd).state
    builds = legal_builds(state) if state.phase == ACT else []
    if builds and rnd.random() < built:
        build = rnd.choice(builds)
        _lay_contracts_that_it_meets(state, as_built(state, build), rnd)
        state, _ = apply(state, build, seeded_chance(SEED))
    return Spot(state, "laid")


def _lay_contracts_that_it_meets(state: State, built: Built, rnd: random.Random) -> None:
    """Turn up what a build meets, as far as it is still there."""
    for contract in rnd.sample(state.contract_deck, len(state.contract_deck)):
        space = rnd.randrange(CONTRACT_SPACES)
        lying = state.contracts[space]
        if is_met(PUBLIC[contract], built) and not is_met(PUBLIC[lying], built):
            row = bytearray(state.contracts)
            row[space] = contract
            state.contracts = bytes(row)
            deck = without(state.contract_deck, bytes([contract])) + bytes([lying])
            state.contract_deck = bytes(sorted(deck))


class _Laying:
    """Lays a table as the rules allow it, one thing after the other."""

    def __init__(self, config: Config, rnd: random.Random) -> None:
        self.config = config
        self.rnd = rnd
        self.state = begin(config, Deal(bytes(len(HOUSES)), b"", b""))
        self._houses()
        self._tokens()
        self._time()
        self._contracts()
        self._cards()
        self._players()
        self.state.phase = ACT
        self.state.survey()
        if config.timer and rnd.random() < 0.5:
            self._turn_the_timer()

    def _houses(self) -> None:
        state, rnd = self.state, self.rnd
        floors, colors = bytearray(state.floors), bytearray(state.colors)
        ground, upper = bytearray(state.ground_left), bytearray(state.upper_left)
        palette = rnd.sample(range(len(COLORS)), rnd.choice((2, 3, 5)))
        empty, complete = rnd.choice((0, 0.3, 0.7)), rnd.choice((0.3, 0.6, 1))
        for house in self.config.houses:
            possible = [
                color for color in palette if ground[color] and colors[LEFT_OF[house]] != color
            ]
            if not possible or rnd.random() < empty:
                continue
            color = rnd.choice(possible)
            most = min(self.config.heights[house], 1 + upper[color])
            floors[house] = most if rnd.random() < complete else rnd.randint(1, most)
            colors[house] = color
            ground[color] -= 1
            upper[color] -= floors[house] - 1
        state.floors, state.colors = bytes(floors), bytes(colors)
        state.ground_left, state.upper_left = bytes(ground), bytes(upper)
        self.complete = {
            house for house in self.config.houses if floors[house] == self.config.heights[house]
        }
        state.roofs = len(self.complete)

    def _tokens(self) -> None:
        """A started house has given its token, which lies on a roof or has been paid out."""
        state, rnd = self.state, self.rnd
        values = _shuffled(self.config.edition.tokens, rnd)
        ground, roofs = bytearray(len(HOUSES)), bytearray(len(HOUSES))
        open_roofs = [house for house in self.config.houses if house not in self.complete]
        rnd.shuffle(open_roofs)
        left, moved = rnd.choice((0.5, 1, 1)), rnd.choice((0, 0.5, 0.9))
        for house in self.config.houses:
            if not state.floors[house]:
                ground[house] = values.pop() if rnd.random() < left else 0
            elif open_roofs and rnd.random() < moved:
                roofs[open_roofs.pop()] = values.pop()
        state.ground_tokens, state.roof_tokens = bytes(ground), bytes(roofs)

    def _time(self) -> None:
        state, game, rnd = self.state, self.config, self.rnd
        last = game.timer // 2 if game.timer else 30
        number, seat = rnd.randint(2, last), rnd.randrange(game.seats)
        if game.roofs_to_end and state.roofs >= game.roofs_to_end:
            state.end_round = number - (seat == 0 or rnd.random() < 0.5)
        state.turn = (number - 1) * game.seats + seat
        state.seat = seat
        state.timer_left = game.timer - 2 * (number - 1) if game.timer else 0

    def _contracts(self) -> None:
        state, game, rnd = self.state, self.config, self.rnd
        deck = _shuffled(game.public_deck, rnd)
        gone = rnd.choice((0, 3, 9, len(deck) - 2, len(deck)))
        fulfilled = [0] * game.seats
        for _ in range(min(gone, len(deck))):
            deck.pop()
            fulfilled[rnd.randrange(game.seats)] += 1
        state.fulfilled = tuple(fulfilled)
        state.contracts = _row(deck, CONTRACT_SPACES)
        state.contract_deck = bytes(sorted(deck))

    def _cards(self) -> None:
        """Hands, row, discards; what is left is the deck, with the timer cards in it."""
        state, game, rnd = self.state, self.config, self.rnd
        deck = _shuffled(game.construction_deck, rnd)
        timer = [deck.pop() for _ in range(state.timer_left)]
        state.cards = _row(deck, CARD_SPACES)
        hands = []
        for _ in range(game.seats):
            count = rnd.choice((0, 2, 3, 5, 8))
            hands.append(bytes(sorted(deck.pop() for _ in range(min(count, len(deck))))))
        state.hands = tuple(hands)
        played = rnd.choice((0, 4, 12, len(deck)))
        state.discards = bytes(deck.pop() for _ in range(min(played, len(deck))))
        state.cards_drawn = len(game.construction_deck) - len(deck + timer)
        if timer and rnd.random() < 0.3:
            state.timer_deck, timer = bytes(sorted(timer)), []
        state.deck = bytes(sorted(deck + timer))

    def _players(self) -> None:
        state, game, rnd = self.state, self.config, self.rnd
        state.scores = tuple(rnd.randint(0, 90) for _ in range(game.seats))
        if not game.private_contracts:
            return
        deck = _shuffled(game.private_deck, rnd)
        state.dealt = tuple(
            bytes(deck[DEALT * seat : DEALT * (seat + 1)]) for seat in range(game.seats)
        )
        state.kept = tuple(bytes(sorted(rnd.sample(dealt, KEPT))) for dealt in state.dealt)

    def _turn_the_timer(self) -> None:
        """Put the table into the phase of the timer, if anything can be built with its cards."""
        state = self.state
        new = state.copy()
        turned = bytes(sorted(self.rnd.sample(state.timer_deck or state.deck, 2)))
        if state.timer_deck:
            new.timer_deck = without(state.timer_deck, turned)
        else:
            new.deck = without(state.deck, turned)
        new.timer_left -= 2
        new.turned = turned
        new.phase = TIMER
        cards, contracts = bytearray(state.cards), bytearray(state.contracts)
        gone = bytearray()
        first, second = (VALUE_OF[card] for card in turned)
        for position in (first, first + second):
            if position <= CARD_SPACES and cards[position - 1] != EMPTY:
                gone.append(cards[position - 1])
                cards[position - 1] = EMPTY
            if position <= CONTRACT_SPACES:
                contracts[position - 1] = EMPTY
        new.cards, new.contracts = bytes(cards), bytes(contracts)
        new.discards = state.discards + bytes(gone)
        if legal_builds(new):
            self.state = new


def _shuffled(pile: bytes, rnd: random.Random) -> list[int]:
    things = list(pile)
    rnd.shuffle(things)
    return things


def _row(deck: list[int], spaces: int) -> bytes:
    row = bytes(deck.pop() for _ in range(min(spaces, len(deck))))
    return row.ljust(spaces, bytes([EMPTY]))


def scenario_of(state: State, title: str = "What went wrong") -> str:
    """Return a table as a scenario, private contracts included, that counts its legal moves."""
    private = {key: FIELDS[key]._replace(usual=None) for key in ("private", "dealt")}
    lines = lines_of(describe_position(state) | described(private, state, {}))
    return (
        "\n".join(
            [
                "porto: 1",
                f"scenario: {scalar(title)}",
                *header_of(state.config),
                "position:",
                *(f"  {line}" for line in lines),
                "cases:",
                f"- legal-count: {len(legal_moves(state))}",
            ]
        )
        + "\n"
    )


def header_of(config: Config) -> list[str]:
    """Return who plays, with which box and options, as a scenario says it."""
    lines = [f"players: [{', '.join(map(scalar, config.players))}]"]
    if config.edition != BOX:
        lines += ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    options = [] if config.private_contracts else ["private-contracts: false"]
    options += [f"timer: {config.timer}"] if config.timer else []
    options += ["tie-break: seat-first"] if config.seat_first else []
    return lines + ([f"options: {{{', '.join(options)}}}"] if options else [])


def moves_near(state: State, rnd: random.Random) -> list[Move]:
    """Return builds that are legal but for one thing: another card, house or roof."""
    near: list[Move] = []
    for build in legal_builds(state)[:40]:
        near += [
            build,
            Build(build.color, build.number, build.house, build.token),
            Build(rnd.randrange(15), build.color, build.house, build.token),
            Build(build.number, rnd.randrange(15), build.house, build.token),
            Build(build.number, build.color, rnd.randrange(14), build.token),
            Build(build.number, build.color, build.house, rnd.randrange(15)),
        ]
    return near


DRAWS = [
    Draw(spaces)
    for size in range(CARD_SPACES + 1)
    for spaces in combinations(range(CARD_SPACES), size)
]
CLAIMS = [
    Claim(spaces)
    for size in range(CONTRACT_SPACES + 1)
    for spaces in combinations(range(CONTRACT_SPACES), size)
]
ODD_MOVES = [
    PASS,
    Keep((0, 1, 2)),
    Keep((0, 4)),
    Draw((1, 1)),
    Draw((), (0,)),
    Draw((0,), (14,)),
    Claim((2, 2)),
    Claim((), (7,)),
]


def candidates(state: State, rnd: random.Random) -> list[Move]:
    """Return moves of all kinds, most of them illegal, many of them only just."""
    cards = list({*state.hands[state.seat], *state.turned, rnd.randrange(len(CARDS))})
    builds = [
        Build(rnd.choice(cards), rnd.choice(cards), rnd.randrange(14), rnd.randrange(15))
        for _ in range(12)
    ]
    builds += [
        Build(rnd.choice(cards), rnd.choice(cards), house) for house in rnd.sample(range(14), 6)
    ]
    return [
        *moves_near(state, rnd),
        *builds,
        *rnd.sample(DRAWS, 12),
        *rnd.sample(CLAIMS, 3),
        *ODD_MOVES,
        *hand_built(rnd),
    ]


def hand_built(rnd: random.Random) -> list[Move]:
    """Return moves that no text says, of numbers that are often in no box."""

    def some(least: int, most: int, count: int) -> tuple[int, ...]:
        return tuple(rnd.randint(least, most) for _ in range(count))

    return [
        *(Build(*some(-3, 16, 4)) for _ in range(4)),
        *(kind(some(-2, 6, rnd.randint(0, 5))) for kind in (Draw, Claim, Keep) for _ in range(3)),
    ]
