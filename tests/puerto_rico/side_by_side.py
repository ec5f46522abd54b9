"""One game played twice: by the engine and by the referee, compared after every move."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from porto_cli.core.chance import seeded_chance
from porto_cli.games.puerto_rico.engine import (
    BASE,
    BUILDING_PLACES,
    CIRCLES,
    DRAFT,
    GOODS,
    GUIDE,
    NO_GOOD,
    PLACES,
    PRINTED,
    RANDOM,
    ROLES,
    TILES,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Earned, Event, Scored
from porto_cli.games.puerto_rico.engine.play import (
    apply,
    begin,
    count_moves,
    deal,
    legal_moves,
    violations,
)
from porto_cli.games.puerto_rico.engine.state import NOBODY, OVER, Config, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    format_bundle,
    format_move,
    parse_move,
)
from tests.puerto_rico.referee import LISTED, Referee

NAMES = ("Ana", "Bia", "Caio", "Duda", "Edu")

Kind = tuple[int, str, str]
"""Number of players, buildings, rulebook."""

KINDS: list[Kind] = list(product((2, 3, 4, 5), (BASE, DRAFT, RANDOM), (PRINTED, GUIDE)))


class SideBySide:
    """A game of a kind with a seed, in both implementations.

    Gifts (``doubloons`` and ``vp`` for each player, `give_building`) make games that cannot be,
    but in which rare things are frequent.
    """

    def __init__(self, kind: Kind, seed: str, doubloons: int = 0, vp: int = 0) -> None:
        players, buildings, rulebook = kind
        names = NAMES[:players]
        config = Config(names, buildings=buildings, rulebook=rulebook)
        self.chance = seeded_chance(seed)
        setup = deal(config, self.chance)
        self.state = begin(config, setup)
        self.events: list[Event] = []
        self.referee = Referee(list(names), buildings, rulebook, seed)
        self.played: list[str] = []
        for player in self.state.players:
            player.doubloons += doubloons
            player.vp += vp
        for other in self.referee.players:
            other["doubloons"] += doubloons
            other["vp"] += vp
        row = format_bundle(setup.tiles, PLANTATION_NAMES)
        assert self.referee.came_up == {"tiles": row}

    def give_building(self, seat: int, building: str) -> None:
        """At the start: a building that is in the game, and a colonist if it has a circle."""
        place = PLACES.index(building)
        player = self.state.players[seat]
        player.add_building(place)
        self.state.copies = plus(self.state.copies, place, -1)
        other = self.referee.players[seat]
        other["city"].append(building)
        self.referee.copies[building] -= 1
        if CIRCLES[place]:
            player.colonists = plus(player.colonists, place, 1)
            self.state.supply -= 1
            other["colonists"][building] = 1
            self.referee.supply -= 1
        self.state.survey()

    @property
    def over(self) -> bool:
        return self.referee.phase == "over"

    def play(self, text: str) -> None:
        self.played.append(text)
        self.state, self.events = apply(self.state, parse_move(text), self.chance)
        self.referee.play(text)

    def compare(self) -> None:
        """Everything that lies on the table, who is to move, and what the last move brought."""
        assert table(self.state) == self.referee.table()
        if self.events:
            assert dict(PUERTO_RICO.chance_entries(self.state, self.events)) == self.referee.came_up
            assert gains(self.state, self.events) == gained(self.referee)

    def compare_moves(self) -> None:
        """The legal moves; where there are too many for a list, how many."""
        count = self.referee.count()
        assert count_moves(self.state) == count
        if count <= LISTED:
            legal = [format_move(move) for move in legal_moves(self.state)]
            assert sorted(legal) == sorted(self.referee.moves())

    def compare_judgement(self, text: str) -> bool:
        """Whether a move is legal; returns what both say."""
        move = parse_move(text)
        assert format_move(move) == text
        broken = violations(self.state, move)
        assert (text, self.referee.is_legal(text)) == (text, not broken), broken
        return not broken

    def compare_reckoning(self) -> None:
        result = final_scores(self.state)
        names = [
            {
                "chips": one.chips,
                "buildings": one.buildings,
                **{PLACES[place]: vp for place, vp in one.bonuses},
                "total": one.total,
                "tie-break": one.tie_break,
                "place": one.place,
            }
            for one in result
        ]
        assert names == self.referee.final_scores()


def by_name(names: tuple[str, ...], counts: bytes) -> dict[str, int]:
    return {names[i]: number for i, number in enumerate(counts) if number}


def gains(state: State, events: list[Event]) -> Counter[tuple[str, str, str]]:
    """The VP and doubloons of some events; sums of 0 are left out."""
    found: Counter[tuple[str, str, str]] = Counter()
    names = state.config.players
    for event in events:
        if isinstance(event, Scored):
            found["vp", names[event.seat], event.reason] += event.vp
        elif isinstance(event, Earned):
            found["doubloons", names[event.seat], event.reason] += event.doubloons
    return Counter({key: number for key, number in found.items() if number})


def gained(referee: Referee) -> Counter[tuple[str, str, str]]:
    return Counter({key: number for key, number in referee.gains.items() if number})


def table(state: State) -> dict[str, Any]:
    """The engine's table in the form of `Referee.table`."""
    names = state.config.players

    def who(seat: int) -> str | None:
        return None if seat == NOBODY else names[seat]

    ships = zip(state.config.box.cargo, state.cargo_goods, state.cargo_barrels, strict=True)
    return {
        "phase": state.phase,
        "to-move": None if state.phase == OVER else names[state.seat],
        "round": state.round,
        "governor": names[state.governor],
        "chooser": who(state.chooser),
        "roles": {
            ROLES[role]: (who(state.taken[role]), state.role_doubloons[role])
            for role in state.config.box.roles
        },
        "violet": sorted(PLACES[place] for place in buildings_in(state.violet)),
        "copies": {PLACES[p]: state.copies[p] for p in BUILDING_PLACES if state.copies[p]},
        "row": by_name(GOODS, state.row),
        "stack": len(state.stack),
        "discards": by_name(GOODS, state.discards),
        "quarries": state.quarries,
        "supply": state.supply,
        "ship": state.ship,
        "pool": state.vp_pool,
        "goods": by_name(GOODS, state.goods_supply),
        "cargo": {
            size: None if good == NO_GOOD else (GOODS[good], barrels)
            for size, good, barrels in ships
        },
        "house": sorted(GOODS[good] for good in state.trading_house),
        "ends": sorted(state.end_triggered),
        "players": [
            {
                "name": name,
                "doubloons": player.doubloons,
                "vp": player.vp,
                "goods": by_name(GOODS, player.goods),
                "island": by_name(TILES, player.island),
                "city": sorted(PLACES[place] for place in buildings_in(player.city)),
                "colonists": by_name(PLACES, player.colonists),
                "san-juan": player.san_juan,
            }
            for name, player in zip(names, state.players, strict=True)
        ],
    }
