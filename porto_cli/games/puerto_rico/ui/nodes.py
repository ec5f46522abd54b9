"""What is shown of a table, thing by thing; :mod:`.table` puts it together.

A part of the middle is one node that serves all media: chips for a terminal, a grid for pages and
mails where there is one, and sentences. What players have, and the buildings, are nodes of their
own for those media in which they look different.
"""

from __future__ import annotations

from itertools import groupby

from porto_cli.core.message import Sentence, both, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    BUILDING_VP,
    CITY_SPACES,
    COLUMN,
    COST,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    SPACES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    NOBODY,
    OVER,
)
from porto_cli.games.puerto_rico.engine.table_view import PlayerView, TableView
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    Block,
    Chunk,
    Drawing,
    Flow,
    Grid,
    Labels,
    Node,
    Paragraph,
    Piece,
    Text,
)
from porto_cli.paper.text import line_of
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, padded

CHIPS = 0
"""The gap between chips."""
BOARD = Labels(column=len("  island 12/12 "), roomy=56, indent=4, style=DIM)
"""The labels of islands and cities."""
_LONGEST = max(len(PLACES[place]) for place in BUILDING_PLACES)
CELL = len("10 ") + _LONGEST + len("  ×4") + 2
"""Columns of a building in the list, in color, too."""


def _chip(place: int, text: Text = "", number: int = 1) -> Piece:
    """Return a good, tile or building on its color, with its number unless that is 1.

    ``text`` is what is written instead of its name.
    """
    name = str(text) or PLACES[place]
    return (name if number == 1 else f"{name} {number}", phrases.style_of(place))


def _chips(counts: bytes) -> list[Chunk]:
    """Return goods or tiles with their numbers."""
    return [[_chip(place, number=number)] for place, number in enumerate(counts) if number]


# -- the middle of the table


def middle(seen: TableView) -> dict[str, Block]:
    """Return what lies in the middle of the table, by name, in the order in which it is shown."""
    return {
        "roles": _roles(seen),
        "tiles": _plantations(seen),
        "people": _people(seen),
        "ships": _ships(seen),
        "house": _house(seen),
        "supply": _supply(seen),
    }


def _roles(seen: TableView) -> Block:
    """Each card with its doubloons, or with who has taken it this round."""
    chunks: list[Chunk] = []
    rows: list[list[Chunk]] = []
    free, taken = [], []
    for role in seen.config.box.roles:
        name, doubloons = ROLES[role], seen.role_doubloons[role]
        now = role == seen.role
        if seen.taken[role] != NOBODY:
            player = seen.players[seen.taken[role]].name
            style = BOLD if now else DIM
            taker = say("{role}: {player}", role=name, player=player)
            chunks.append([("▸ " if now else "", BOLD), (taker, style)])
            taken.append(str(say("{role} by {player}", role=name, player=player)))
        else:
            player = str(say("free"))
            chunks.append([name, (f" +{doubloons}" if doubloons else "", BOLD)])
            with_them = phrases.doubloons(doubloons)
            lying = say("{role} with {doubloons}", role=name, doubloons=with_them)
            free.append(str(lying) if doubloons else name)
        head = say("{role}, now", role=name) if now else name
        rows.append([[head], [player], [str(doubloons or "")]])
    spoken = []
    if free:
        spoken.append(say("Roles to take: {roles}.", roles=", ".join(free)))
    if taken:
        spoken.append(say("Roles taken in this round: {roles}.", roles=", ".join(taken)))
    heads = (say("role"), say("taken by"), say("doubloons on it"))
    return Block(
        say("Roles"), [Flow(chunks, gap=3)], page=[Grid(heads, rows, numbers=(2,))], spoken=spoken
    )


def _plantations(seen: TableView) -> Block:
    """The face-up tiles and the quarries, and how many are face down."""
    stack, discards = sum(seen.stack), sum(seen.discards)
    chunks = _chips(seen.row) or [[(say("none"), DIM)]]
    if seen.quarries:
        chunks.append([_chip(QUARRY, number=seen.quarries)])
    rest = say("face down {count}", count=stack)
    if discards:
        rest = say("face down {count}, discarded {discards}", count=stack, discards=discards)
    spoken = [
        say("Face-up plantations: {tiles}.", tiles=phrases.tiles(seen.row)),
        say(
            "Plantations face down: {stack}, discarded: {discards}. Quarries left: {quarries}.",
            stack=stack,
            discards=discards,
            quarries=seen.quarries,
        ),
    ]
    flow = Flow([*chunks, [(rest, DIM)]], CHIPS)
    return Block(say("Tiles"), [flow], heading=say("Plantations"), spoken=spoken)


def _people(seen: TableView) -> Block:
    """The colonists and the VP chips that are left."""
    facts = {"ship": seen.ship, "supply": seen.supply, "vp": seen.vp_pool}
    spoken = say(
        "Colonists on the ship: {ship}, in the supply: {supply}. VP in the pool: {vp}.", **facts
    )
    chunks = [
        [say("{ship} on the ship", **facts)],
        [say("{supply} in the supply", **facts)],
        [say("VP pool {vp}", **facts)],
    ]
    return Block(
        say("People"),
        [Flow(chunks, gap=3)],
        heading=say("Colonists and VP"),
        page=[Paragraph([spoken])],
        spoken=[spoken],
    )


def _ships(seen: TableView) -> Block:
    """Each cargo ship: its spaces, what it carries, and how much room there is."""
    chunks: list[Chunk] = []
    rows: list[list[Chunk]] = []
    for spaces, good, barrels in seen.cargo:
        room = spaces - barrels
        load = "▮" * barrels + "▯" * room
        empty = good == NO_GOOD
        freight = (load, DIM) if empty else _chip(good, f"{GOODS[good]} {load}")
        chunks.append([(f"{spaces} ", BOLD), freight])
        carries = say("empty") if empty else _chip(good)
        head = say("ship of {spaces}", spaces=spaces)
        rows.append([[head], [carries], [str(barrels)], [str(room)]])
    heads = (say("ship"), say("carries"), say("barrels"), say("room"))
    return Block(
        say("Ships"),
        [Flow(chunks, gap=3)],
        heading=say("Cargo ships"),
        page=[Grid(heads, rows, numbers=(2, 3))],
        spoken=[_ship(*ship) for ship in seen.cargo],
    )


def _ship(spaces: int, good: int, barrels: int) -> Sentence:
    if good == NO_GOOD:
        return say("The cargo ship of {spaces} is empty.", spaces=spaces)
    facts: dict[str, object] = {
        "spaces": spaces,
        "barrels": barrels,
        "good": GOODS[good],
        "room": spaces - barrels,
    }
    if barrels >= spaces:
        return say("The cargo ship of {spaces} is full of {good}.", **facts)
    return say(
        "The cargo ship of {spaces} carries {barrels} {good} and has room for {room}.", **facts
    )


def _house(seen: TableView) -> Block:
    """The trading house: what is sold there, and how much room there is."""
    held = [GOODS[good] for good in seen.trading_house]
    free = HOUSE_SPACES - len(held)
    facts: dict[str, object] = {"free": free, "goods": both(held)}
    if not held:
        note = say("empty, room for {free}", **facts)
        spoken = say("The trading house is empty and has room for {free}.", **facts)
    elif free:
        note = say("room for {free}", **facts)
        spoken = say("The trading house holds {goods} and has room for {free}.", **facts)
    else:
        note = say("full")
        spoken = say("The trading house is full: {goods}.", **facts)
    flow = Flow([*([_chip(good)] for good in seen.trading_house), [(note, DIM)]], CHIPS)
    return Block(say("House"), [flow], heading=say("Trading house"), spoken=[spoken])


def _supply(seen: TableView) -> Block:
    """The barrels that are left."""
    chunks = [
        [_chip(good, f"{GOODS[good]} {number}")] for good, number in enumerate(seen.goods_supply)
    ]
    spoken = say("Barrels in the supply: {goods}.", goods=phrases.goods(seen.goods_supply))
    return Block(
        say("Supply"), [Flow(chunks, CHIPS)], heading=say("Barrels in the supply"), spoken=[spoken]
    )


# -- the players


def player(seen: TableView, seat: int) -> list[Node]:
    """Return what a player has: in hand, on the island, in the city."""
    return [head(seen, seat), *_board(seen.players[seat])]


def head(seen: TableView, seat: int) -> Flow:
    """Return who a player is and has in hand."""
    player = seen.players[seat]
    governor = seat == seen.governor and seen.phase != OVER
    name: list[Piece] = [("▸ " if seat in seen.to_move else "  ", BOLD), (player.name, BOLD)]
    if governor:
        name.append(f" ({say('governor')})")
    facts: dict[str, object] = {
        "player": player.name,
        "doubloons": phrases.doubloons(player.doubloons),
        "vp": player.vp,
        "goods": phrases.goods(player.goods),
        "count": player.san_juan,
    }
    chunks: list[Chunk] = [[say("{doubloons}", **facts)]]
    spoken = [say("{player}: {doubloons}; {goods}.", **facts)]
    if player.vp is not None:
        chunks.append([say("{vp} VP", **facts)])
        spoken = [say("{player}: {doubloons}; {vp} VP; {goods}.", **facts)]
    if player.san_juan:
        chunks.append([say("San Juan {count}", **facts)])
    if governor:
        spoken.append(say("{player} is governor.", **facts))
    chunks += _barrels(player) or [[(say("no barrels"), DIM)]]
    return Flow(chunks, gap=3, first=[*name, "   "], indent=4, spoken=spoken)


def _barrels(player: PlayerView) -> list[Chunk]:
    return [
        [_chip(good, f"{GOODS[good]} {number}")]
        for good, number in enumerate(player.goods)
        if number
    ]


def _board(player: PlayerView) -> list[Node]:
    """The island and the city, with the spaces that are in use."""
    facts: dict[str, object] = {"player": player.name, "count": player.san_juan}
    island = {"used": ISLAND_SPACES - player.island_spaces, "spaces": ISLAND_SPACES}
    city = {"used": CITY_SPACES - player.city_spaces, "spaces": CITY_SPACES}
    spoken = [
        say(
            "Island of {player}, {used} of {spaces} spaces: {tiles}.",
            tiles=", ".join(_tiles_in_words(player)) or say("nothing"),
            **facts,
            **island,
        ),
        say(
            "City of {player}, {used} of {spaces} spaces: {buildings}.",
            buildings=", ".join(
                _manned(place, PLACES[place], player) for place in buildings_in(player.city)
            )
            or say("nothing"),
            **facts,
            **city,
        ),
    ]
    if player.san_juan:
        spoken.append(say("Colonists of {player} in San Juan: {count}.", **facts))
    tiles = _tiles(player) or [[(say("no tiles"), DIM)]]
    buildings = _city(player) or [[(say("no buildings"), DIM)]]
    return [
        Block(
            _spaces(say("island"), **island), [Flow(tiles, CHIPS)], spoken=spoken[:1], labels=BOARD
        ),
        Block(
            _spaces(say("city"), **city), [Flow(buildings, CHIPS)], spoken=spoken[1:], labels=BOARD
        ),
    ]


def _spaces(name: Sentence, used: int, spaces: int) -> str:
    return f"  {name!s:6} {used:2}/{spaces}"


def _tiles(player: PlayerView) -> list[Chunk]:
    """Plantations and quarries with a circle for each; forests have none, only their number."""
    chunks: list[Chunk] = [
        [_with_circles(tile, player)] for tile, number in _some(player.island[:FOREST])
    ]
    if player.forests:
        chunks.append([_chip(FOREST, say("forest"), player.forests)])
    return chunks


def _city(player: PlayerView, *, vp: bool = False) -> list[Chunk]:
    return [
        [_with_circles(place, player, f" {BUILDING_VP[place]}" if vp else "")]
        for place in buildings_in(player.city)
    ]


def _with_circles(place: int, player: PlayerView, more: str = "") -> Piece:
    """Return a kind of tile or a building with its circles, the occupied ones first."""
    colonists, circles = player.colonists[place], player.circles[place]
    signs = "●" * colonists + "○" * (circles - colonists)
    return _chip(place, f"{PLACES[place]} {signs}".rstrip() + more)


def _some(counts: bytes) -> list[tuple[int, int]]:
    return [(index, number) for index, number in enumerate(counts) if number]


def _tiles_in_words(player: PlayerView) -> list[str]:
    found = [
        _manned(tile, PLACES[tile] if number == 1 else f"{number} {PLACES[tile]}", player)
        for tile, number in _some(player.island[:FOREST])
    ]
    forests = say("{count} forest", count=player.forests)
    return [*found, str(forests)] if player.forests else found


def _manned(place: int, name: str, player: PlayerView) -> str:
    """Return a tile or a building, and how far it is occupied (PR-OCCUPIED-1)."""
    colonists, circles = player.colonists[place], player.circles[place]
    if not circles:
        return name
    if not colonists:
        return str(say("{name} (not occupied)", name=name))
    if colonists == circles:
        return str(say("{name} (occupied)", name=name))
    return str(
        say(
            "{name} ({colonists} of {circles} occupied)",
            name=name,
            colonists=colonists,
            circles=circles,
        )
    )


def _in_hand(player: PlayerView) -> Flow:
    return Flow(_chips(player.goods) or [[say("none")]], first=[say("Barrels:")])


def board_in_a_grid(player: PlayerView) -> list[Node]:
    """What a player has: barrels, then island and city, row by row."""
    rows: list[list[Chunk]] = [
        [
            [_chip(tile, PLACES[tile] if number == 1 else f"{number} {PLACES[tile]}")],
            [_occupied(tile, player)],
            [""],
        ]
        for tile, number in _some(player.island[:FOREST])
    ]
    if player.forests:
        rows.append([[_chip(FOREST, say("{n} forest", n=player.forests))], [""], [""]])
    rows += [
        [[_chip(place)], [_occupied(place, player)], [str(BUILDING_VP[place])]]
        for place in buildings_in(player.city)
    ]
    heads = (say("tile or building"), say("occupied"), say("VP"))
    spaces = say(
        "Free spaces: {island} on the island, {city} in the city.",
        island=player.island_spaces,
        city=player.city_spaces,
    )
    grid: list[Node] = [Grid(heads, rows, numbers=(2,))] if rows else []
    return [_in_hand(player), *grid, Paragraph([spaces], DIM)]


def _occupied(place: int, player: PlayerView) -> Sentence | str:
    circles = player.circles[place]
    if not circles:
        return ""
    return say("{colonists} of {circles}", colonists=player.colonists[place], circles=circles)


def board_in_chips(player: PlayerView) -> Block:
    """The same for a mail, where every building has its VP behind it."""
    none: list[Chunk] = [[say("none")]]
    island = say("Island, {free} free:", free=player.island_spaces)
    city = say("City, {free} free:", free=player.city_spaces)
    flows = [
        _in_hand(player),
        Flow(_tiles(player) or none, first=[island]),
        Flow(_city(player, vp=True) or none, first=[city]),
    ]
    return Block(say("Board of {player}", player=player.name), flows)


def players(seen: TableView) -> Block:
    """All players in a grid, for a page and a mail."""
    rows: list[list[Chunk]] = []
    for seat, player in enumerate(seen.players):
        governor = seat == seen.governor and seen.phase != OVER
        name = say("{player} (governor)", player=player.name) if governor else player.name
        vp = say("secret") if player.vp is None else str(player.vp)
        rows.append([[name], [str(player.doubloons)], [vp], [str(player.san_juan)]])
    heads = (say("player"), say("doubloons"), say("VP chips"), say("in San Juan"))
    return Block(say("Players"), [Grid(heads, rows, numbers=(1, 2, 3))])


# -- the buildings


def _offer(seen: TableView) -> list[int]:
    """Return the buildings that can still be built by somebody, as on the board."""
    return [place for place in BUILDING_PLACES if seen.copies[place]]


def _offered(seen: TableView, place: int, screen: Screen) -> Line:
    """One building: its cost, its name, the copies left; what the player to move pays now.

    A mark shows that the player to move can pay for it.
    """
    name = padded(line_of([_chip(place)], screen), _LONGEST + 2 * screen.color)
    copies = line_of([(f" ×{seen.copies[place]}", DIM)], screen)
    if seen.phase != BUILDER_PHASE:
        return [(f"{COST[place]:3} ", PLAIN), *name, *copies]
    mover = seen.to_move[0]
    player = seen.players[mover]
    costs = price(seen, mover, place)
    owned = bool(player.city & BIT[place])
    possible = costs <= player.doubloons and not owned and SPACES[place] <= player.city_spaces
    style = BOLD if possible else PLAIN
    return [
        *line_of([("▸" if possible else " ", BOLD)], screen),
        (f"{costs:2} ", style),
        *name,
        *copies,
    ]


def by_columns(seen: TableView) -> list[Node]:
    """The buildings below each other, by the columns of the board."""
    places = sorted(_offer(seen), key=lambda place: (COLUMN[place], COST[place], place))

    def lines(screen: Screen) -> list[Line]:
        found: list[Line] = []
        for column, some in groupby(places, key=COLUMN.__getitem__):
            found.append([(str(say("column {column}", column=column)), DIM)])
            found += [_offered(seen, place, screen) for place in some]
        return found

    return [_note(seen), Drawing(lines)]


def by_cost(seen: TableView) -> list[Node]:
    """The buildings in as many columns as there is room for, from the cheapest down."""
    places = sorted(_offer(seen), key=lambda place: (COST[place], place))

    def lines(screen: Screen) -> list[Line]:
        columns = max(1, (screen.width + 2) // (CELL + 2))
        rows = -(-len(places) // columns)
        found: list[Line] = []
        for row in range(rows):
            cells = [_offered(seen, place, screen) for place in places[row::rows]]
            found.append([span for cell in cells for span in padded(cell, CELL + 2)])
        return found

    return [_note(seen), Drawing(lines)]


def _note(seen: TableView) -> Paragraph:
    note = say("Buildings: cost and copies")
    if seen.phase == BUILDER_PHASE:
        player = seen.players[seen.to_move[0]].name
        note = say("Buildings: what {player} pays, copies", player=player)
    return Paragraph([note], DIM)


def in_words(seen: TableView) -> list[Node]:
    """The buildings in a sentence."""
    offer = _offer(seen)
    if seen.phase == OVER or not offer:
        return []
    if seen.phase == BUILDER_PHASE:
        mover = seen.to_move[0]
        prices = (f"{PLACES[place]} {price(seen, mover, place)}" for place in offer)
        spoken = say(
            "Buildings that are left, with what {player} pays now: {buildings}.",
            player=seen.players[mover].name,
            buildings=", ".join(prices),
        )
        return [Paragraph([spoken])]
    costs = (
        say(
            "{building} {cost} ({copies} left)",
            building=PLACES[place],
            cost=COST[place],
            copies=seen.copies[place],
        )
        for place in offer
    )
    spoken = say(
        "Buildings that are left, with their cost and the copies: {buildings}.",
        buildings=", ".join(map(str, costs)),
    )
    return [Paragraph([spoken])]


def buildings(seen: TableView) -> Block:
    """The buildings in a grid, for a page and a mail."""
    if seen.phase == DRAFT_PHASE:
        return Block(say("Buildings"), draft(seen))
    notes: list[Node] = []
    mover = seen.to_move[0] if seen.phase == BUILDER_PHASE else None
    if mover is not None:
        player = seen.players[mover].name
        notes.append(Paragraph([say("The cost is what {player} pays now.", player=player)]))
    rows: list[list[Chunk]] = [
        [
            [_chip(place)],
            [str(COST[place] if mover is None else price(seen, mover, place))],
            [str(BUILDING_VP[place])],
            [str(seen.copies[place])],
        ]
        for place in sorted(_offer(seen), key=lambda place: (COST[place], place))
    ]
    heads = (say("building"), say("cost"), say("VP"), say("left"))
    return Block(say("Buildings"), [*notes, Grid(heads, rows, numbers=(1, 2, 3))])


def draft(seen: TableView) -> list[Node]:
    """The violet kinds of the game: those chosen, and by cost those that can be chosen."""
    chosen, allowed = buildings_in(seen.violet), buildings_in(kinds_allowed(seen.violet))
    facts: dict[str, object] = {"count": len(chosen), "all": VIOLET_KINDS}
    chosen_in_words = say(
        "Buildings chosen, {count} of {all}: {buildings}.",
        buildings=", ".join(PLACES[place] for place in chosen) or say("none"),
        **facts,
    )
    allowed_in_words = say(
        "Buildings that can be chosen, with their cost: {buildings}.",
        buildings=", ".join(f"{PLACES[place]} {COST[place]}" for place in allowed),
    )
    nodes: list[Node] = [
        Paragraph([say("Chosen: {count} of {all}", **facts)], DIM, spoken=[chosen_in_words])
    ]
    if chosen:
        nodes.append(Flow([[_chip(place)] for place in chosen], CHIPS, indent=4, spoken=()))
    nodes.append(Paragraph([say("To choose, by cost")], DIM, spoken=[allowed_in_words]))
    for cost, kinds in groupby(sorted(allowed, key=COST.__getitem__), key=COST.__getitem__):
        chunks: list[Chunk] = [[_chip(place)] for place in kinds if VIOLET & BIT[place]]
        if chunks:
            nodes.append(Flow(chunks, CHIPS, first=[f"{cost:3} "], indent=4, spoken=()))
    return nodes
