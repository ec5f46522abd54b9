"""Puerto Rico a second time, written from the rulings alone: slow, obvious, nothing shared.

The referee plays a game of any kind from players, options and seed. Moves go in and come out as
canonical texts; the table is dictionaries and lists of names. Each method says which rulings it
is. Nothing here is imported from the program, so that an error of the one is not an error of the
other; `test_referee` plays both side by side.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, product
from math import prod
from typing import Any

# --- Components -----------------------------------------------------------------------------------

GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"]
PRICE = dict(zip(GOODS, (0, 1, 2, 3, 4), strict=True))
BARRELS = dict(zip(GOODS, (10, 11, 11, 9, 9), strict=True))
PLANTATIONS = dict(zip(GOODS, (10, 12, 11, 9, 8), strict=True))
QUARRIES = 8
FORESTS = [f"forest-{good}" for good in GOODS]
TILES = [*GOODS, "quarry", *FORESTS]

TABLE = [
    row.split()
    for row in """
    small-indigo-plant 1 1 1 1 1 4 2
    small-sugar-mill   2 1 1 1 1 4 2
    indigo-plant       3 2 2 3 1 3 2
    sugar-mill         4 2 2 3 1 3 2
    tobacco-storage    5 3 3 3 1 3 2
    coffee-roaster     6 3 3 2 1 3 2
    small-market       1 1 1 1 1 2 1
    aqueduct           1 1 1 1 1 2 1 *
    hacienda           2 1 1 1 1 2 1
    construction-hut   2 1 1 1 1 2 1
    forest-house       2 1 1 1 1 2 1 *
    black-market       2 1 1 1 1 2 1 *
    small-warehouse    3 1 1 1 1 2 1
    storehouse         3 1 1 1 1 2 1 *
    hospice            4 2 2 1 1 2 1
    guest-house        4 2 2 2 1 2 1 *
    office             5 2 2 1 1 2 1
    large-market       5 2 2 1 1 2 1
    trading-post       5 2 2 1 1 2 1 *
    church             5 2 2 1 1 2 1 *
    large-warehouse    6 2 2 1 1 2 1
    small-wharf        6 2 2 1 1 2 1 *
    factory            7 3 3 1 1 2 1
    lighthouse         7 3 3 1 1 2 1 *
    university         8 3 3 1 1 2 1
    harbor             8 3 3 1 1 2 1
    specialty-factory  8 3 3 1 1 2 1 *
    library            8 3 3 1 1 2 1 *
    wharf              9 3 3 1 1 2 1
    union-hall         9 3 3 1 1 2 1 *
    guild-hall        10 4 4 1 2 1 1
    residence         10 4 4 1 2 1 1
    fortress          10 4 4 1 2 1 1
    customs-house     10 4 4 1 2 1 1
    city-hall         10 4 4 1 2 1 1
    statue            10 8 4 0 2 1 1 *
    cloister          10 4 4 1 2 1 1 *
    """.strip().splitlines()
]
"""Building: cost, VP, column, circles, spaces, copies, copies with two players; * expansion."""

BUILDINGS = {name: [int(number) for number in numbers[:7]] for name, *numbers in TABLE}
EXPANSION = [row[0] for row in TABLE if row[-1] == "*"]
SMALL_PRODUCTION = ["small-indigo-plant", "small-sugar-mill"]
LARGE_PRODUCTION = ["indigo-plant", "sugar-mill", "tobacco-storage", "coffee-roaster"]
PRODUCTION = SMALL_PRODUCTION + LARGE_PRODUCTION
VIOLET = [building for building in BUILDINGS if building not in PRODUCTION]
BASE = [building for building in VIOLET if building not in EXPANSION]
WORTH_MORE = [b for b, row in BUILDINGS.items() if row[4] == 2 and b != "statue"]  # PR-SCORE-3
MAKES = {  # PR-CRAFTSMAN-2
    "indigo": ["small-indigo-plant", "indigo-plant"],
    "sugar": ["small-sugar-mill", "sugar-mill"],
    "tobacco": ["tobacco-storage"],
    "coffee": ["coffee-roaster"],
}
SIX = ["settler", "mayor", "builder", "craftsman", "trader", "captain"]

# PR-SETUP-2: by the number of players
MONEY = {2: 3, 3: 2, 4: 3, 5: 4}
SUPPLY = {2: 40, 3: 55, 4: 75, 5: 95}
VP = {2: 65, 3: 75, 4: 100, 5: 122}
SHIPS = {2: [4, 6], 3: [4, 5, 6], 4: [5, 6, 7], 5: [6, 7, 8]}
STARTING = {
    2: ["indigo", "corn"],
    3: ["indigo", "indigo", "corn"],
    4: ["indigo", "indigo", "corn", "corn"],
    5: ["indigo", "indigo", "indigo", "corn", "corn"],
}
ROLES = {
    2: [*SIX, "prospector"],
    3: SIX,
    4: [*SIX, "prospector"],
    5: [*SIX, "prospector", "prospector-2"],
}

LISTED = 200
"""So many bundles (placements, small wharf) are listed; where there are more, only counted."""


# --- Notation and chance --------------------------------------------------------------------------


def write_bundle(counts: dict[str, int]) -> str:
    """A multiset as text: names in the order of the tables, each with its number unless 1."""
    words = []
    for name in [*TILES, *BUILDINGS]:
        if counts.get(name, 0) > 0:
            words.append(name)
            if counts[name] > 1:
                words.append(str(counts[name]))
    return " ".join(words) or "none"


def read_bundle(words: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    name = ""
    for word in words:
        if word.isdigit():
            counts[name] = int(word)
        elif word != "none":
            name, counts[word] = word, 1
    return counts


def choose(seed: str, stream: str, index: int, pile: list[str]) -> str:
    """Chance: one of a pile, which is sorted by the names as bytes."""
    ordered = sorted(pile, key=str.encode)
    fair = 65536 // len(ordered) * len(ordered)
    attempt = 0
    while True:
        digest = sha256(f"porto/1/{seed}/{stream}/{index}/{attempt}".encode()).digest()
        x = digest[0] * 256 + digest[1]
        if x < fair:
            return ordered[x % len(ordered)]
        attempt += 1


def without_none(counts: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number}


def in_all(counts: dict[str, int]) -> int:
    return sum(counts.values())


def choices(limits: dict[str, int], size: int) -> Iterator[dict[str, int]]:
    """All multisets of a size in which no name comes more often than its limit."""
    if not limits:
        if size == 0:
            yield {}
        return
    (name, limit), *others = limits.items()
    rest = dict(others)
    for number in range(max(0, size - in_all(rest)), min(limit, size) + 1):
        for choice in choices(rest, size - number):
            yield {name: number, **choice}


def number_of_choices(limits: dict[str, int], size: int) -> int:
    """How many these are: the coefficient of x^size in the product of (1 + x + … + x^limit).

    With x = 2^64 the coefficients stand side by side in one large number.
    """
    product_of_all = prod(sum(1 << 64 * n for n in range(limit + 1)) for limit in limits.values())
    return (product_of_all >> 64 * size) % (1 << 64)


# --- The game -------------------------------------------------------------------------------------


class Referee:
    """A game under way: everything on the table, and who is to move.

    `came_up` has what the last item turned up (`tile`, `tiles`, as a record writes it), `gains`
    the VP and doubloons that it brought: (kind, player, reason) with the sum.
    """

    def __init__(
        self, names: list[str], buildings: str = "base", rulebook: str = "printed", seed: str = ""
    ) -> None:
        """PR-SETUP-1 to PR-SETUP-7."""
        n = len(names)
        self.n = n
        self.guide = rulebook == "guide"
        self.seed = seed
        self.players: list[dict[str, Any]] = [
            {
                "name": name,
                "doubloons": MONEY[n],
                "vp": 0,
                "goods": dict.fromkeys(GOODS, 0),
                "island": dict.fromkeys(TILES, 0),
                "city": [],
                "colonists": {},  # by tile and building
                "san-juan": 0,
            }
            for name in names
        ]
        fewer = 2 if n == 2 else 0  # PR-TWO-1
        self.goods = {good: number - fewer for good, number in BARRELS.items()}
        tiles_fewer = 3 if n == 2 else 0
        self.stack = {good: number - tiles_fewer for good, number in PLANTATIONS.items()}
        self.quarries = QUARRIES - tiles_fewer
        for player, tile in zip(self.players, STARTING[n], strict=True):  # PR-SETUP-3
            player["island"][tile] = 1
            self.stack[tile] -= 1
        self.discards = dict.fromkeys(GOODS, 0)
        self.supply, self.ship = SUPPLY[n], n
        self.cargo = {size: {"good": None, "barrels": 0} for size in SHIPS[n]}
        self.house: list[str] = []
        self.roles = {role: {"taken": None, "doubloons": 0} for role in ROLES[n]}
        self.violet: list[str] = []
        self.copies = {building: self.all_copies(building) for building in PRODUCTION}
        self.ends: set[str] = set()
        self.gains: Counter[tuple[str, str, str]] = Counter()
        self.came_up: dict[str, str] = {}
        self.turned_up = 0  # tiles so far, the index of chance
        self.round, self.governor, self.chooser = 1, 0, None
        self.queue: list[int] = []  # who comes after `seat` in this phase
        self.reset_turns()
        self.row = self.new_row()

        if buildings == "base":  # PR-SETUP-7
            self.take_into_the_game(BASE)
        elif buildings == "random":
            self.take_into_the_game(self.random_buildings())
        if buildings == "draft":
            self.phase, self.seat = "draft", 0
        else:
            self.next_role()
        self.play_forced_moves()

    def copy(self) -> Referee:
        return pickle.loads(pickle.dumps(self))

    def reset_turns(self) -> None:
        """What is remembered of a turn or a phase, and no longer."""
        self.face_down = False  # the Hacienda has been used this turn
        self.produced = dict.fromkeys(GOODS, 0)  # by the chooser
        self.loaded: set[int] = set()
        self.wharf_used: set[int] = set()
        self.small_wharf_used: set[int] = set()
        self.passes = 0

    def all_copies(self, building: str) -> int:
        return BUILDINGS[building][6 if self.n == 2 else 5]

    # --- Small questions --------------------------------------------------------------------------

    @property
    def player(self) -> dict:
        return self.players[self.seat]

    def circles(self, player: dict) -> dict[str, int]:
        """Each tile has one circle, a forest none; buildings have those of the table."""
        tiles = {t: player["island"][t] for t in [*GOODS, "quarry"]}
        buildings = {b: BUILDINGS[b][3] for b in BUILDINGS if b in player["city"]}
        return without_none(tiles | buildings)

    def colonists(self, player: dict) -> int:
        return in_all(player["colonists"]) + player["san-juan"]

    def works(self, building: str, player: dict) -> bool:
        """PR-OCCUPIED-1."""
        return player["colonists"].get(building, 0) > 0

    def free_spaces(self, player: dict) -> int:
        """PR-SETUP-6: of the city."""
        return 12 - sum(BUILDINGS[building][4] for building in player["city"])

    def full_island(self, player: dict) -> bool:
        """PR-SETTLER-2."""
        return in_all(player["island"]) >= 12

    def clockwise(self, first: int) -> list[int]:
        """PR-ROLE-2."""
        return [(first + k) % self.n for k in range(self.n)]

    def privileges(self, player: dict) -> int:
        """How often the privilege counts: twice with a Library, PR-B-LIBRARY."""
        if self.chooser is None or player is not self.players[self.chooser]:
            return 0
        return 2 if self.works("library", player) else 1

    def owned(self, player: dict) -> list[str]:
        return [good for good in GOODS if player["goods"][good]]

    def pool(self) -> int:
        """PR-VP-1."""
        return max(0, VP[self.n] - sum(player["vp"] for player in self.players))

    def score(self, player: dict, reason: str, vp: int) -> None:
        player["vp"] += vp
        self.gains["vp", player["name"], reason] += vp
        if vp > 0 and self.pool() == 0:
            self.ends.add("vp")  # PR-END-3

    def earn(self, player: dict, reason: str, doubloons: int) -> None:
        player["doubloons"] += doubloons
        self.gains["doubloons", player["name"], reason] += doubloons

    def give_back(self, player: dict, good: str, number: int) -> None:
        player["goods"][good] -= number
        self.goods[good] += number

    def colonist_could_come(self) -> bool:
        """PR-B-HOSPICE: from the supply, or else from the colonist ship."""
        return self.supply > 0 or self.ship > 0

    def colonist_comes(self, player: dict, place: str) -> None:
        if self.supply > 0:
            self.supply -= 1
        elif self.ship > 0:
            self.ship -= 1
        else:
            return
        player["colonists"][place] = player["colonists"].get(place, 0) + 1

    # --- Tiles that come up -----------------------------------------------------------------------

    def turn_up(self) -> str | None:
        """The next tile of the stack; PR-SETTLER-6."""
        if in_all(self.stack) == 0:
            self.stack, self.discards = self.discards, dict.fromkeys(GOODS, 0)
        if in_all(self.stack) == 0:
            return None
        pile = [good for good in GOODS for _ in range(self.stack[good])]
        tile = choose(self.seed, "tiles", self.turned_up, pile)
        self.turned_up += 1
        self.stack[tile] -= 1
        return tile

    def new_row(self) -> dict[str, int]:
        """PR-SETUP-4, PR-SETTLER-4."""
        row = dict.fromkeys(GOODS, 0)
        for _ in range(self.n + 1):
            tile = self.turn_up()
            if tile:
                row[tile] += 1
        if in_all(row):  # told only if something came up
            self.came_up["tiles"] = write_bundle(row)
        return row

    # --- Which buildings are in the game ----------------------------------------------------------

    def may_be_chosen(self, chosen: list[str]) -> list[str]:
        """PR-DRAFT-1 to PR-DRAFT-3."""
        allowed = []
        for building in VIOLET:
            cost = BUILDINGS[building][0]
            places = sum(BUILDINGS[other][0] == cost for other in BASE)
            taken = sum(BUILDINGS[other][0] == cost for other in chosen)
            excluded = (building == "hacienda" and "forest-house" in chosen) or (
                building == "forest-house" and "hacienda" in chosen
            )
            if building not in chosen and taken < places and not excluded:
                allowed.append(building)
        return allowed

    def random_buildings(self) -> list[str]:
        """PR-RANDOM-1."""
        chosen: list[str] = []
        costs = sorted(BUILDINGS[building][0] for building in BASE)
        for index, cost in enumerate(costs):
            pile = [b for b in self.may_be_chosen(chosen) if BUILDINGS[b][0] == cost]
            chosen.append(choose(self.seed, "buildings", index, pile))
        return chosen

    def take_into_the_game(self, buildings: list[str]) -> None:
        for building in buildings:
            self.violet.append(building)
            self.copies[building] = self.all_copies(building)

    # --- Legal moves ------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        """All legal moves as texts; of more than `LISTED` bundles none, see `count`."""
        return [*self.plain_moves(), *(self.bundle_moves() if self.bundles() <= LISTED else [])]

    def count(self) -> int:
        """How many legal moves there are, exactly."""
        return len(self.plain_moves()) + self.bundles()

    def plain_moves(self) -> list[str]:
        """All moves but those with a bundle that can have very many forms."""
        return {
            "draft": self.draft_moves,
            "role": self.role_moves,
            "settler": self.settler_moves,
            "library": self.library_moves,
            "mayor": list,
            "builder": self.builder_moves,
            "craftsman": self.craftsman_moves,
            "privilege": self.privilege_moves,
            "trader": self.trader_moves,
            "captain": self.captain_moves,
            "store": self.store_moves,
            "over": list,
        }[self.phase]()

    def bundles(self) -> int:
        """The number of placements, or of loads with the Small Wharf."""
        if self.phase == "mayor":
            circles = self.circles(self.player)
            return sum(number_of_choices(circles, size) for size in self.sizes_of_placements())
        if self.phase == "captain" and self.may_use_small_wharf():
            return prod(number + 1 for number in self.player["goods"].values()) - 1
        return 0

    def bundle_moves(self) -> list[str]:
        if self.phase == "mayor":
            return [
                f"place {write_bundle(choice)}"
                for size in self.sizes_of_placements()
                for choice in choices(self.circles(self.player), size)
            ]
        if self.phase == "captain" and self.may_use_small_wharf():
            numbers = product(*(range(number + 1) for number in self.player["goods"].values()))
            goods = (dict(zip(GOODS, row, strict=True)) for row in numbers)
            return [f"load {write_bundle(row)} small-wharf" for row in goods if in_all(row)]
        return []

    def is_legal(self, text: str) -> bool:
        """Whether a canonical text is a legal move; bundles are judged, not looked up."""
        verb, *words = text.split()
        if self.phase == "mayor" and verb == "place":
            return self.may_place(read_bundle(words))
        if self.phase == "captain" and verb == "load" and words[-1] == "small-wharf":
            goods = read_bundle(words[:-1])
            return (
                self.may_use_small_wharf()
                and in_all(goods) > 0
                and all(number <= self.player["goods"].get(g, 0) for g, number in goods.items())
            )
        return text in self.plain_moves()

    def draft_moves(self) -> list[str]:
        return [f"choose {building}" for building in self.may_be_chosen(self.violet)]

    def role_moves(self) -> list[str]:
        """PR-ROLE-1, PR-MAYOR-1; nobody passes, PR-OPTIONAL-1."""
        moves = [f"role {role}" for role, card in self.roles.items() if card["taken"] is None]
        if "role mayor" in moves and self.supply > 0:
            moves.append("role mayor no-colonist")
        return moves + self.guest_moves()

    def plantations_to_take(self, *, hospice: bool) -> list[str]:
        """PR-SETTLER-1, PR-B-FOREST-HOUSE."""
        moves = []
        for good in GOODS:
            if self.row[good]:
                moves.append(f"take {good}")
                if hospice:
                    moves.append(f"take {good} no-colonist")
                if self.works("forest-house", self.player):
                    moves.append(f"take {good} forest")
        return moves

    def settler_moves(self) -> list[str]:
        player = self.player
        if self.full_island(player):  # PR-SETTLER-2
            return ["pass"]
        hospice = self.works("hospice", player) and self.colonist_could_come()
        moves = ["pass", *self.plantations_to_take(hospice=hospice)]
        may_take_quarry = self.seat == self.chooser or self.works("construction-hut", player)
        if may_take_quarry and self.quarries:  # PR-SETTLER-3, PR-B-HUT
            moves.append("take quarry")
            if hospice:
                moves.append("take quarry no-colonist")
        tiles_left = in_all(self.stack) + in_all(self.discards) > 0
        if self.works("hacienda", player) and not self.face_down and tiles_left:  # PR-B-HACIENDA
            moves.append("take face-down")
        return moves + self.guest_moves()

    def library_moves(self) -> list[str]:
        """PR-B-LIBRARY: a second tile, without a colonist."""
        if self.full_island(self.player):
            return ["pass"]
        return ["pass", *self.plantations_to_take(hospice=False), *self.guest_moves()]

    def sizes_of_placements(self) -> range:
        """PR-MAYOR-4, PR-GUIDE-2: how many colonists a placement uses."""
        most = min(self.colonists(self.player), in_all(self.circles(self.player)))
        return range(0 if self.guide else most, most + 1)

    def may_place(self, placement: dict[str, int]) -> bool:
        """PR-MAYOR-3 to PR-MAYOR-5."""
        circles = self.circles(self.player)
        if any(number > circles.get(place, 0) for place, number in placement.items()):
            return False
        return in_all(placement) in self.sizes_of_placements()

    def price(self, building: str, player: dict) -> int:
        """PR-BUILDER-2, PR-B-FOREST-HOUSE, PR-GUIDE-3."""
        cost, vp, column = BUILDINGS[building][:3]
        quarries = min(player["colonists"].get("quarry", 0), vp if self.guide else column)
        forests = sum(player["island"][forest] for forest in FORESTS)
        by_forests = forests // 2 if self.works("forest-house", player) else 0
        return max(0, cost - quarries - self.privileges(player) - by_forests)

    def builder_moves(self) -> list[str]:
        player = self.player
        free = self.free_spaces(player)
        if free == 0:
            return ["pass"]
        moves = ["pass"]
        for building, left in self.copies.items():
            if building in player["city"] or left == 0 or BUILDINGS[building][4] > free:
                continue  # PR-BUILDER-3 to PR-BUILDER-5
            missing = self.price(building, player) - player["doubloons"]
            for returned in self.ways_to_pay(player, missing):
                text = f"build {building}"
                if returned:
                    text += " return " + " ".join(returned)
                moves.append(text)
                if self.colonist_with_building(player, building, returned):
                    moves.append(f"{text} no-colonist")
        return moves + self.guest_moves()

    def ways_to_pay(self, player: dict, missing: int) -> list[list[str]]:
        """PR-B-BLACK-MARKET: what may be returned, exactly as much as is missing."""
        if missing <= 0:
            return [[]]
        if not self.works("black-market", player):
            return []
        barrel = self.owned(player)
        chip = ["vp"] if player["vp"] > 0 else []
        places = [place for place, number in player["colonists"].items() if number]
        if player["san-juan"]:
            places.append("san-juan")
        colonist = [f"colonist {place}" for place in places]
        return [
            list(things)
            for kinds in combinations([barrel, chip, colonist], min(missing, 4))
            for things in product(*kinds)
        ]

    def colonist_with_building(self, player: dict, building: str, returned: list[str]) -> bool:
        """PR-B-UNIVERSITY: asked when all has been returned."""
        if BUILDINGS[building][3] == 0:
            return False
        occupied = player["colonists"].get("university", 0)
        if "colonist university" in returned:
            occupied -= 1
        comes_back = any(thing.startswith("colonist") for thing in returned)
        return occupied > 0 and (comes_back or self.colonist_could_come())

    def craftsman_moves(self) -> list[str]:
        return ["pass", *self.guest_moves()]

    def privilege_moves(self) -> list[str]:
        """PR-CRAFTSMAN-4, PR-B-LIBRARY."""
        goods = [good for good in GOODS if self.produced[good] and self.goods[good]]
        if not goods:
            return ["pass"]
        moves = ["pass", *(f"take {good}" for good in goods)]
        if self.works("library", self.player):
            moves += [f"take {one} {other}" for one, other in combinations(goods, 2)]
        return moves + self.guest_moves()

    def trader_moves(self) -> list[str]:
        """PR-TRADER-1 to PR-TRADER-3, PR-B-OFFICE, PR-B-TRADING-POST."""
        player = self.player
        goods = self.owned(player)
        if not goods:
            return ["pass"]
        moves = ["pass"]
        for good in goods:
            if len(self.house) < 4 and (good not in self.house or self.works("office", player)):
                moves.append(f"sell {good}")
            if self.works("trading-post", player):
                moves.append(f"sell {good} trading-post")
        return moves + self.guest_moves()

    def cargo_loads(self, player: dict) -> list[str]:
        """PR-CAPTAIN-3, PR-GUIDE-1."""
        loads = []
        empty = [size for size, ship in self.cargo.items() if ship["good"] is None]
        for good in self.owned(player):
            carrying = [size for size, ship in self.cargo.items() if ship["good"] == good]
            if carrying:
                (size,) = carrying
                ships = [size] if self.cargo[size]["barrels"] < size else []
            else:
                most = max((min(size, player["goods"][good]) for size in empty), default=0)
                ships = [
                    size for size in empty if self.guide or min(size, player["goods"][good]) == most
                ]
            loads += [f"load {good} {size}" for size in ships]
        return loads

    def may_use_wharf(self) -> bool:
        return self.works("wharf", self.player) and self.seat not in self.wharf_used

    def may_use_small_wharf(self) -> bool:
        return self.works("small-wharf", self.player) and self.seat not in self.small_wharf_used

    def captain_moves(self) -> list[str]:
        """PR-CAPTAIN-4, PR-B-WHARF; the loads of the Small Wharf are bundles."""
        player = self.player
        goods = self.owned(player)
        if not goods:
            return ["pass"]
        moves = self.cargo_loads(player) or ["pass"]
        if self.may_use_wharf():
            moves += [f"load {good} wharf" for good in goods]
        return moves + self.guest_moves()

    def can_store(self, player: dict, goods: dict[str, int]) -> bool:
        """PR-STORE-1, PR-B-WAREHOUSE, PR-B-STOREHOUSE."""
        kinds = 0
        if self.works("small-warehouse", player):
            kinds += 1
        if self.works("large-warehouse", player):
            kinds += 2
        single = 4 if self.works("storehouse", player) else 1
        return any(
            sum(number for good, number in goods.items() if good not in whole) <= single
            for whole in combinations(GOODS, kinds)
        )

    def store_moves(self) -> list[str]:
        """PR-STORE-2: what can be stored, and nothing more with it."""
        player = self.player
        goods = player["goods"]
        if self.can_store(player, goods):  # PR-STORE-3
            return [f"store {write_bundle(goods)}"]
        moves = []
        for row in product(*(range(goods[good] + 1) for good in GOODS)):
            kept = dict(zip(GOODS, row, strict=True))
            with_one_more = [
                {**kept, good: kept[good] + 1} for good in GOODS if kept[good] < goods[good]
            ]
            if self.can_store(player, kept) and not any(
                self.can_store(player, more) for more in with_one_more
            ):
                moves.append(f"store {write_bundle(kept)}")
        return moves + self.guest_moves()

    def guest_moves(self) -> list[str]:
        """PR-B-GUEST-HOUSE."""
        player = self.player
        if not self.works("guest-house", player):
            return []
        return [
            f"guest {place}"
            for place, circles in self.circles(player).items()
            if place != "guest-house" and player["colonists"].get(place, 0) < circles
        ]

    # --- Playing ----------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """A legal move, and all that follows without a choice."""
        self.came_up = {}
        self.gains = Counter()
        self.make(text)
        self.play_forced_moves()

    def play_forced_moves(self) -> None:
        """PR-AUTO-1."""
        while self.phase != "over" and self.count() == 1:
            self.make(self.moves()[0])

    def make(self, text: str) -> None:
        verb, *words = text.split()
        if verb == "guest":
            self.player["colonists"]["guest-house"] -= 1
            self.player["colonists"][words[0]] = self.player["colonists"].get(words[0], 0) + 1
            return  # the decision is still to be made
        if verb == "pass" and self.phase == "captain":
            self.passes += 1
            self.next_captain_turn()
            return
        if verb == "pass" and self.phase != "craftsman":
            self.next_seat()
            return
        {
            "draft": self.make_choice,
            "role": self.take_role,
            "settler": self.settle,
            "library": self.settle,
            "mayor": self.place,
            "builder": self.build,
            "craftsman": self.produce,
            "privilege": self.take_goods,
            "trader": self.sell,
            "captain": self.load,
            "store": self.store,
        }[self.phase](words)

    def next_seat(self) -> None:
        """The next player of the phase, or what comes after the phase."""
        self.face_down = False
        if self.queue:
            self.seat = self.queue.pop(0)
        else:
            self.after_phase()

    def begin_phase(self, phase: str, seats: list[int]) -> None:
        self.phase, self.queue = phase, list(seats)
        self.next_seat()

    def after_phase(self) -> None:
        if self.phase == "settler" and self.works("library", self.players[self.chooser]):
            self.begin_phase("library", [self.chooser])
        elif self.phase in ("settler", "library"):
            self.end_settler()
        elif self.phase == "mayor":
            self.end_mayor()
        elif self.phase == "craftsman":
            self.begin_phase("privilege", [self.chooser])
        elif self.phase == "trader":
            self.end_trader()
        elif self.phase == "store":
            self.end_captain()
        else:
            self.next_role()

    # --- Draft, rounds and roles ------------------------------------------------------------------

    def make_choice(self, words: list[str]) -> None:
        """PR-DRAFT-1."""
        self.take_into_the_game(words)
        if len(self.violet) == 17:
            self.next_role()
        else:
            self.seat = len(self.violet) % self.n

    def next_role(self) -> None:
        """PR-ROUND-1, PR-TWO-2: the next player takes a card, or the round is over."""
        self.chooser = None
        self.reset_turns()
        taken = sum(card["taken"] is not None for card in self.roles.values())
        if taken == (6 if self.n == 2 else self.n):
            if self.end_round():
                return
            taken = 0
        self.phase, self.seat = "role", (self.governor + taken) % self.n

    def end_round(self) -> bool:
        """PR-ROUND-3, PR-END-4; whether the game is over."""
        if self.ends:
            self.phase = "over"
            for player in self.players:
                self.send_guests(player)
            return True
        for card in self.roles.values():
            if card["taken"] is None:
                card["doubloons"] += 1
            card["taken"] = None
        self.governor = (self.governor + 1) % self.n
        self.round += 1
        return False

    def take_role(self, words: list[str]) -> None:
        """PR-ROLE-1."""
        role, player = words[0], self.player
        card = self.roles[role]
        card["taken"] = self.seat
        self.earn(player, "role", card["doubloons"])
        card["doubloons"] = 0
        self.chooser = self.seat
        everybody = self.clockwise(self.chooser)
        if role.startswith("prospector"):
            self.earn(player, "prospector", self.privileges(player))  # PR-PROSPECTOR-1
            self.next_role()
            return
        if role == "mayor":
            self.deal_colonists(privilege="no-colonist" not in words)
        if role == "captain" and self.works("lighthouse", player):
            self.earn(player, "lighthouse", 1)  # PR-B-LIGHTHOUSE
        self.begin_phase(role, everybody)

    # --- Settler ----------------------------------------------------------------------------------

    def settle(self, words: list[str]) -> None:
        player, what = self.player, words[0]
        if what == "face-down":  # PR-B-HACIENDA
            tile = self.turn_up()
            player["island"][tile] += 1
            self.came_up["tile"] = tile
            self.face_down = True
            return
        if what == "quarry":
            self.quarries -= 1
            player["island"]["quarry"] += 1
        else:
            self.row[what] -= 1
            player["island"][f"forest-{what}" if "forest" in words else what] += 1
        hospice = self.phase == "settler" and self.works("hospice", player)
        if hospice and "forest" not in words and "no-colonist" not in words:
            self.colonist_comes(player, what)  # PR-B-HOSPICE
        self.next_seat()

    def end_settler(self) -> None:
        """PR-SETTLER-4, PR-SETTLER-5."""
        for good in GOODS:
            self.discards[good] += self.row[good]
        self.row = self.new_row()
        self.next_role()

    # --- Mayor ------------------------------------------------------------------------------------

    def deal_colonists(self, *, privilege: bool) -> None:
        """PR-MAYOR-1, PR-MAYOR-2."""
        chooser = self.players[self.chooser]
        if privilege:
            number = min(self.privileges(chooser), self.supply)
            chooser["san-juan"] += number
            self.supply -= number
        k = 0
        while self.ship:
            self.players[(self.chooser + k) % self.n]["san-juan"] += 1
            self.ship -= 1
            k += 1

    def place(self, words: list[str]) -> None:
        """PR-MAYOR-3: those left over stay in San Juan."""
        player = self.player
        everybody = self.colonists(player)
        player["colonists"] = read_bundle(words)
        player["san-juan"] = everybody - in_all(player["colonists"])
        self.next_seat()

    def end_mayor(self) -> None:
        """PR-MAYOR-6, PR-END-1."""
        empty = sum(
            circles - player["colonists"].get(place, 0)
            for player in self.players
            for place, circles in self.circles(player).items()
            if place in BUILDINGS
        )
        wanted = max(empty, self.n)
        if self.supply < wanted:
            self.ends.add("colonists")
        self.ship = min(wanted, self.supply)
        self.supply -= self.ship
        self.next_role()

    # --- Builder ----------------------------------------------------------------------------------

    def build(self, words: list[str]) -> None:
        """PR-BUILDER-1, PR-BUILDER-6; the price is settled before anything is returned."""
        player, building = self.player, words[0]
        price = self.price(building, player)
        if "return" in words:
            self.return_things(player, words[words.index("return") + 1 :])
        self.earn(player, "build", -price)
        player["city"].append(building)
        self.copies[building] -= 1
        has_university = building != "university" and self.works("university", player)
        if has_university and BUILDINGS[building][3] and "no-colonist" not in words:
            self.colonist_comes(player, building)  # PR-B-UNIVERSITY
        if building != "church" and self.works("church", player):  # PR-B-CHURCH
            self.score(player, "church", {1: 0, 2: 1, 3: 1, 4: 2}[BUILDINGS[building][2]])
        if self.free_spaces(player) == 0:
            self.ends.add("city")  # PR-END-2
        self.next_seat()

    def return_things(self, player: dict, words: list[str]) -> None:
        """PR-B-BLACK-MARKET."""
        things = 0
        for word in words:
            if word in GOODS:
                self.give_back(player, word, 1)
                things += 1
            elif word == "vp":
                self.score(player, "black-market", -1)
                things += 1
            elif word == "colonist":
                place = words[words.index("colonist") + 1]
                if place == "san-juan":
                    player["san-juan"] -= 1
                else:
                    player["colonists"][place] -= 1
                self.supply += 1
                things += 1
                break
        self.earn(player, "black-market", things)

    # --- Craftsman --------------------------------------------------------------------------------

    def produce(self, words: list[str]) -> None:
        """PR-CRAFTSMAN-1 to PR-CRAFTSMAN-3, PR-B-AQUEDUCT, PR-B-FACTORY, PR-B-SPECIALTY-FACTORY."""
        player = self.player
        workers = player["colonists"]
        made = dict.fromkeys(GOODS, 0)
        for good in GOODS:
            number = workers.get(good, 0)
            if good != "corn":
                number = min(number, sum(workers.get(building, 0) for building in MAKES[good]))
            made[good] = min(number, self.goods[good])
            large = {"indigo": "indigo-plant", "sugar": "sugar-mill"}.get(good)
            if self.works("aqueduct", player) and large and self.works(large, player):
                if made[good] and self.goods[good] > made[good]:
                    made[good] += 1
            player["goods"][good] += made[good]
            self.goods[good] -= made[good]
        kinds = sum(number > 0 for number in made.values())
        if self.works("factory", player):
            self.earn(player, "factory", [0, 0, 1, 2, 3, 5][kinds])
        if self.works("specialty-factory", player):
            most = max(number for good, number in made.items() if good != "corn")
            self.earn(player, "specialty-factory", max(0, most - 1))
        if self.seat == self.chooser:
            self.produced = made
        self.next_seat()

    def take_goods(self, words: list[str]) -> None:
        """PR-CRAFTSMAN-4."""
        for good in words:
            self.give_back(self.player, good, -1)
        self.next_seat()

    # --- Trader -----------------------------------------------------------------------------------

    def sell(self, words: list[str]) -> None:
        """PR-TRADER-1, PR-B-MARKET, PR-B-TRADING-POST."""
        player, good = self.player, words[0]
        self.earn(player, "sale", PRICE[good])
        self.earn(player, "trader", self.privileges(player))
        if "trading-post" in words:
            self.give_back(player, good, 1)
        else:
            player["goods"][good] -= 1
            self.house.append(good)
            self.earn(player, "small-market", 1 if self.works("small-market", player) else 0)
            self.earn(player, "large-market", 2 if self.works("large-market", player) else 0)
        self.next_seat()

    def end_trader(self) -> None:
        """PR-TRADER-4."""
        if len(self.house) == 4:
            for good in self.house:
                self.goods[good] += 1
            self.house = []
        self.next_role()

    # --- Captain ----------------------------------------------------------------------------------

    def load(self, words: list[str]) -> None:
        """PR-CAPTAIN-1, PR-B-WHARF, PR-B-SMALL-WHARF, and what a load brings."""
        player, onto = self.player, words[-1]
        if self.seat not in self.loaded:
            if self.works("union-hall", player):  # before the first load
                pairs = sum(number // 2 for number in player["goods"].values())
                self.score(player, "union-hall", pairs)
            self.score(player, "captain", self.privileges(player))
        self.loaded.add(self.seat)
        if onto == "small-wharf":
            self.small_wharf_used.add(self.seat)
            goods = read_bundle(words[:-1])
            for good, number in goods.items():
                self.give_back(player, good, number)
            self.score(player, "shipping", in_all(goods) // 2)
        elif onto == "wharf":
            self.wharf_used.add(self.seat)
            number = player["goods"][words[0]]
            self.give_back(player, words[0], number)
            self.score(player, "shipping", number)
        else:
            ship = self.cargo[int(onto)]
            number = min(player["goods"][words[0]], int(onto) - ship["barrels"])
            player["goods"][words[0]] -= number
            ship["good"] = words[0]
            ship["barrels"] += number
            self.score(player, "shipping", number)
        if self.works("harbor", player):
            self.score(player, "harbor", 1)  # PR-B-HARBOR
        if self.works("lighthouse", player):
            self.earn(player, "lighthouse", 1)  # PR-B-LIGHTHOUSE
        self.passes = 0
        self.next_captain_turn()

    def next_captain_turn(self) -> None:
        """PR-CAPTAIN-2."""
        if self.passes == self.n:
            self.begin_phase("store", self.clockwise(self.chooser))  # PR-STORE-1
        else:
            self.seat = (self.seat + 1) % self.n

    def store(self, words: list[str]) -> None:
        kept = read_bundle(words)
        for good in GOODS:
            self.give_back(self.player, good, self.player["goods"][good] - kept.get(good, 0))
        self.next_seat()

    def end_captain(self) -> None:
        """PR-STORE-4."""
        for size, ship in self.cargo.items():
            if ship["barrels"] == size:
                self.goods[ship["good"]] += size
                self.cargo[size] = {"good": None, "barrels": 0}
        self.next_role()

    # --- The end ----------------------------------------------------------------------------------

    def worth(self, building: str, player: dict) -> int:
        """PR-SCORE-3: what a large building brings if it is occupied."""
        city, island = player["city"], player["island"]
        if building == "guild-hall":
            small = sum(b in SMALL_PRODUCTION for b in city)
            return small + 2 * sum(b in LARGE_PRODUCTION for b in city)
        if building == "residence":
            return {12: 7, 11: 6, 10: 5}.get(in_all(island), 4)
        if building == "fortress":
            return self.colonists(player) // 3
        if building == "customs-house":
            return player["vp"] // 4
        if building == "city-hall":
            return sum(b in VIOLET for b in city)
        if building == "cloister":
            forests = sum(island[forest] for forest in FORESTS)
            kinds = [*(island[tile] for tile in [*GOODS, "quarry"]), forests]
            return [0, 1, 3, 6, 10][sum(number // 3 for number in kinds)]
        raise ValueError(building)

    def send_guests(self, player: dict) -> None:
        """PR-SCORE-4: guests go to the large buildings that are worth most."""
        empty = [b for b in WORTH_MORE if b in player["city"] and not self.works(b, player)]
        empty.sort(key=lambda building: -self.worth(building, player))
        for building in empty:
            if self.works("guest-house", player):
                player["colonists"]["guest-house"] -= 1
                player["colonists"][building] = 1

    def final_scores(self) -> list[dict]:
        """PR-SCORE-1 to PR-SCORE-3, PR-RANK-1: by seat, each with its entries."""
        results = []
        for player in self.players:
            result = {
                "chips": player["vp"],
                "buildings": sum(BUILDINGS[building][1] for building in player["city"]),
            }
            for building in WORTH_MORE:
                if self.works(building, player):
                    result[building] = self.worth(building, player)
            result["total"] = sum(result.values())
            result["tie-break"] = player["doubloons"] + in_all(player["goods"])
            results.append(result)
        ranks = [(result["total"], result["tie-break"]) for result in results]
        for result, rank in zip(results, ranks, strict=True):
            result["place"] = 1 + sum(other > rank for other in ranks)
        return results

    # --- What lies on the table -------------------------------------------------------------------

    def table(self) -> dict:
        """Everything, as plain data; nothing that is 0 is named."""
        return {
            "phase": self.phase,
            "to-move": None if self.phase == "over" else self.player["name"],
            "round": self.round,
            "governor": self.players[self.governor]["name"],
            "chooser": None if self.chooser is None else self.players[self.chooser]["name"],
            "roles": {
                role: (
                    None if card["taken"] is None else self.players[card["taken"]]["name"],
                    card["doubloons"],
                )
                for role, card in self.roles.items()
            },
            "violet": sorted(self.violet),
            "copies": without_none(self.copies),
            "row": without_none(self.row),
            "stack": in_all(self.stack),
            "discards": without_none(self.discards),
            "quarries": self.quarries,
            "supply": self.supply,
            "ship": self.ship,
            "pool": self.pool(),
            "goods": without_none(self.goods),
            "cargo": {
                size: (ship["good"], ship["barrels"]) if ship["good"] else None
                for size, ship in self.cargo.items()
            },
            "house": sorted(self.house),
            "ends": sorted(self.ends),
            "players": [
                {
                    "name": player["name"],
                    "doubloons": player["doubloons"],
                    "vp": player["vp"],
                    "goods": without_none(player["goods"]),
                    "island": without_none(player["island"]),
                    "city": sorted(player["city"]),
                    "colonists": without_none(player["colonists"]),
                    "san-juan": player["san-juan"],
                }
                for player in self.players
            ],
        }
