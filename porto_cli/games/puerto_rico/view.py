"""What a seat may see and do, by the names of the JSON documents; and the schema of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from porto_cli.core.chance import first_of_pile
from porto_cli.core.documents import (
    Count,
    Keywords,
    Positive,
    Schema,
    ShownTable,
    definitions,
    enum,
    of_event,
    of_fields,
    ref,
)
from porto_cli.core.values import json_fields
from porto_cli.games.puerto_rico import META, phrases
from porto_cli.games.puerto_rico.engine import (
    BUILDING_VP,
    BUILDINGS,
    COST,
    GOODS,
    HOUSE_RULES,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    buildings_in,
    counts_of,
)
from porto_cli.games.puerto_rico.engine.boards import fewest_and_most, nearest_placement, price
from porto_cli.games.puerto_rico.engine.effects import FinalScore, final_score, final_scores
from porto_cli.games.puerto_rico.engine.moves import (
    EARN_REASONS,
    FACE_DOWN,
    SCORE_REASONS,
    Build,
    Built,
    Event,
    Load,
    Loaded,
    LoadSmallWharf,
    Move,
    Produced,
    Sell,
    Sold,
    Stored,
    Take,
    TookGoods,
    bundle_dict,
    gains_of,
    onto_name,
    returned_json,
)
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, kinds_allowed, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    DRAFT_PHASE,
    END_REASONS,
    MAYOR_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PHASES,
    PRIVILEGE_PHASE,
    Player,
    State,
    to_move,
)
from porto_cli.kinds import bits_of
from porto_cli.seam import Glance, Step

# -- What a seat may see of a game, by the names of ``porto show --format json``
#
# All that shows a table is made of a view, and bots of people get one. The only secret are the VP
# chips of others (PR-SECRET-1), and what follows from them.

if TYPE_CHECKING:
    from typing import TypedDict
else:
    from porto_cli.core.documents import Declared as TypedDict

# -- What the documents hold: the schema is made of this, and porto-json(5) says what it means.

PREFIX = "puerto-rico-"
"""How the names of definitions begin."""
Good = Annotated[str, ref(f"{PREFIX}good")]
Tile = Annotated[str, ref(f"{PREFIX}tile")]
BuildingName = Annotated[str, ref(f"{PREFIX}building")]
PlaceName = Annotated[str, ref(f"{PREFIX}place")]
RoleName = Annotated[str, ref(f"{PREFIX}role")]
Goods = Annotated[dict[str, int], ref(f"{PREFIX}goods")]
"""A *bundle*: a mapping from name to number without the names whose number is 0."""
Tiles = Annotated[dict[str, int], ref(f"{PREFIX}tiles")]
Reckoning = Annotated[dict[str, int | None], ref(f"{PREFIX}reckoning")]
"""``chips``, ``buildings``, each occupied large building by its name, ``total``, ``tie-break``
(doubloons and barrels) and ``place``. There is ``None`` where it depends on chips that are secret;
and there is no place before the end."""


class RoleCard(TypedDict):
    """A role card."""

    taken: Annotated[str | None, "Who took it this round."]
    doubloons: Annotated[Count, "Those on it."]


class Ship(TypedDict):
    """What is on a cargo ship."""

    good: Good
    barrels: Positive


class OnTile(TypedDict):
    """The tiles of a kind on an island, and the colonists on them."""

    tiles: Positive
    colonists: Count


class PlayerSeen(TypedDict):
    """A player, as far as the seat that looks may know."""

    name: str
    doubloons: Count
    vp: Annotated[Count | None, "VP chips; null where they are secret."]
    goods: Goods
    san_juan: Annotated[Count, "Colonists in San Juan."]
    island: dict[Tile, OnTile]
    city: Annotated[dict[BuildingName, Count], "The colonists in each building."]
    circles: Annotated[
        dict[PlaceName, Positive], "How many colonists each tile and building can have."
    ]
    island_spaces: Annotated[Count, "Free ones."]
    city_spaces: Annotated[Count, "Free ones."]
    score: Annotated[Reckoning, "Were the game to end now."]


class Table(TypedDict):
    """What a seat may see of a position."""

    player: Annotated[str | None, "Who looks; null is a bystander."]
    phase: Annotated[str, ref(f"{PREFIX}phase")]
    round: Positive
    governor: Annotated[str, "The governor of the round."]
    role: Annotated[RoleName | None, "The role being played; null between roles."]
    chooser: Annotated[str | None, "Who took it."]
    to_move: Annotated[
        list[str],
        "The players whose move the game waits for; none when it is over.",
        Keywords(maxItems=1),
    ]
    options: Annotated[dict[str, str], ref(f"{PREFIX}options")]
    violet: Annotated[
        list[BuildingName], "The violet buildings in the game; in the draft those chosen so far."
    ]
    draft: Annotated[list[BuildingName], "What can be chosen in the draft; empty after it."]
    roles: dict[RoleName, RoleCard]
    tiles: Annotated[Tiles, "Face-up plantations."]
    stack: Annotated[Count, "Plantations face down."]
    stack_tiles: Annotated[Tiles, "Those of which kinds: their order is unknown."]
    tile_discards: Annotated[Tiles, "Plantations that were discarded."]
    quarries: Annotated[Count, "Quarries left."]
    supply: Annotated[Count, "Colonists in the supply."]
    ship: Annotated[Count, "Colonists on the ship."]
    vp_pool: Annotated[Count, "VP left in the pool."]
    goods_supply: Annotated[Goods, "Barrels in the supply."]
    cargo: Annotated[dict[str, Ship | None], "Each cargo ship, by its spaces; null if it is empty."]
    trading_house: Annotated[list[Good], Keywords(maxItems=4)]
    buildings: Annotated[dict[BuildingName, Positive], "Copies left of each building."]
    prices: Annotated[
        dict[BuildingName, Count],
        "What each of these costs: in the builder phase the player to move.",
    ]
    players: Annotated[list[PlayerSeen], "In turn order.", Keywords(minItems=2, maxItems=5)]
    end_triggered: Annotated[
        list[Annotated[str, ref(f"{PREFIX}end")]], "Why the game ends with this round."
    ]
    face_down: Annotated[bool, "Settler: the player to move has used the Hacienda."]
    produced: Annotated[Goods, "Craftsman: the barrels that the chooser has produced."]
    passes: Annotated[Count, "Captain: turns in a row without a load."]
    loaded: Annotated[list[str], "Captain: who has loaded."]
    wharf_used: Annotated[list[str], "Captain: who has used the Wharf."]
    small_wharf_used: Annotated[list[str], "Captain: who has used the Small Wharf."]
    result: Annotated[
        dict[str, Reckoning] | None,
        Keywords(anyOf=[ref(f"{PREFIX}result"), {"type": "null"}]),
        "The score of each player, first place first; null before the end.",
    ]


class Show(Table, ShownTable):
    """porto show --format json of a game of Puerto Rico: the table."""

    game: Annotated[str, ref(f"{PREFIX}game")]
    turn: Positive | None


# -- What a seat sees


def view(
    state: State, seat: int | None = None, *, all_chips: bool = False, reckoned: bool = True
) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see: a :class:`Table`; with the VP chips
    of all if told so. Where it is not ``reckoned`` each ``score`` is empty and there is no
    ``result``: what the end would bring takes most of the time.
    """
    config, names = state.config, state.config.players
    over = state.phase == OVER
    shown = [all_chips or over or other == seat for other in range(config.seats)]
    counted = final_scores(state) if reckoned else []
    scores = _scores(state, counted, shown) if reckoned else [{} for _ in names]
    buyer = state.seat if state.phase == BUILDER_PHASE else None
    seen: Table = {
        "player": None if seat is None else names[seat],
        "phase": state.phase,
        "round": state.round,
        "governor": names[state.governor],
        "role": None if state.role == NO_ROLE else ROLES[state.role],
        "chooser": _name(state.chooser, names),
        "to_move": [names[mover] for mover in to_move(state)],
        "options": config.options,
        "violet": _names(buildings_in(state.violet)),
        "draft": _names(_draft(state)),
        "roles": {
            ROLES[role]: {
                "taken": _name(state.taken[role], names),
                "doubloons": state.role_doubloons[role],
            }
            for role in config.box.roles
        },
        "tiles": bundle_dict(state.row, TILES),
        "stack": len(state.stack),
        "stack_tiles": bundle_dict(counts_of(state.stack), TILES),
        "tile_discards": bundle_dict(state.discards, TILES),
        "quarries": state.quarries,
        "supply": state.supply,
        "ship": state.ship,
        "vp_pool": state.vp_pool,
        "goods_supply": bundle_dict(state.goods_supply, GOODS),
        "cargo": {
            str(spaces): None if good == NO_GOOD else {"good": GOODS[good], "barrels": barrels}
            for spaces, good, barrels in zip(
                config.box.cargo, state.cargo_goods, state.cargo_barrels, strict=True
            )
        },
        "trading_house": [GOODS[good] for good in state.trading_house],
        "buildings": bundle_dict(state.copies, PLACES),
        "prices": {
            PLACES[place]: COST[place] if buyer is None else price(state, buyer, place)
            for place in (*buildings_in(state.on_offer), *_draft(state))
        },
        "players": [
            _player(player, name, score, vp=player.vp if known else None)
            for player, name, score, known in zip(state.players, names, scores, shown, strict=True)
        ],
        "end_triggered": list(state.end_triggered),
        "face_down": state.face_down,
        "produced": bundle_dict(state.produced, GOODS),
        "passes": state.passes,
        "loaded": _seats(state.loaded, names),
        "wharf_used": _seats(state.wharf_used, names),
        "small_wharf_used": _seats(state.small_wharf_used, names),
        "result": {
            names[one.seat]: scores[one.seat]
            for one in sorted(counted, key=lambda one: (one.place, one.seat))
        }
        if over and reckoned
        else None,
    }
    return {**seen}


def _name(seat: int, names: Sequence[str]) -> str | None:
    return None if seat == NOBODY else names[seat]


def _names(places: Iterable[int]) -> list[str]:
    return [PLACES[place] for place in places]


def _seats(seats: int, names: Sequence[str]) -> list[str]:
    """Return the players of a set of seats."""
    return [names[seat] for seat in bits_of(seats)]


def _draft(state: State) -> tuple[int, ...]:
    """Return the buildings that can be chosen (PR-DRAFT-2)."""
    return buildings_in(kinds_allowed(state.violet)) if state.phase == DRAFT_PHASE else ()


def _player(
    player: Player, name: str, score: dict[str, int | None], *, vp: int | None
) -> PlayerSeen:
    return {
        "name": name,
        "doubloons": player.doubloons,
        "vp": vp,
        "goods": bundle_dict(player.goods, GOODS),
        "san_juan": player.san_juan,
        "island": {
            tile: {"tiles": number, "colonists": player.colonists[TILES.index(tile)]}
            for tile, number in bundle_dict(player.island, TILES).items()
        },
        "city": {PLACES[place]: player.colonists[place] for place in buildings_in(player.city)},
        "circles": bundle_dict(player.circles, PLACES),
        "island_spaces": player.island_spaces,
        "city_spaces": player.city_spaces,
        "score": score,
    }


# -- What a seat may do


MOST = 200
"""Moves that are listed; of more of them it is said what they are made of."""


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them; where there are
    too many, what a move has to satisfy: numbers and bundles by name.
    """
    count = count_moves(state, seat)
    if count > MOST:
        return {"count": count, **_demands(state)}
    return {"count": count, "moves": [facts(state, move) for move in legal_moves(state, seat)]}


def example(state: State, moves: Sequence[Move]) -> Move:
    """Return one of some legal moves as an example: of builds for money, sales and loads what
    brings most VP, and then most doubloons; of others the first that is more than a verb.
    """

    def rank(move: Move) -> tuple[int, ...]:
        is_build = isinstance(move, Build) and move == Build(move.building)
        if not is_build and not isinstance(move, Sell | Load):
            return (" " in str(move),)
        found = facts(state, move)
        return 2, found["vp"], found["doubloons"]

    return max(moves, key=rank)


def facts(state: State, move: Move) -> dict[str, Any]:
    """Return a legal move and what it brings the player who makes it.

    ``move``       the move in the notation
    ``kind``       its verb, like ``load``
    …              its parts by name, as in the events
    ``scores``     VP with their reasons
    ``earns``      doubloons with their reasons; what is paid is negative
    ``vp``         all VP at once: chips, and those printed on a building
    ``doubloons``  all doubloons at once; less than 0 if it costs more than it earns
    ``barrels``    barrels that come to the player, by their goods; those that go are negative

    What follows by itself, and what others get, is no part of it.
    """
    own = own_events(state, move)
    scores, earns = gains_of(own)
    text = str(move)
    return {
        "move": text,
        "kind": text.partition(" ")[0],
        **_fields(state, move, own),
        "scores": [list(gain) for gain in scores],
        "earns": [list(gain) for gain in earns],
        "vp": phrases.total(scores)
        + (BUILDING_VP[move.building] if isinstance(move, Build) else 0),
        "doubloons": phrases.total(earns),
        "barrels": _barrels(own),
    }


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do (PR-SECRET-1).

    It is the :func:`~porto_cli.games.puerto_rico.view.view` with ``count``, how many legal moves
    the seat has, and ``moves``, each as ``porto moves --format json`` writes it: the one that
    scores most first, of those the one that earns most, then by barrels. Where there are very many
    of them, as for colonists, they are some.
    """
    moves = [] if seat is None else [facts(state, move) for move in _listed(state, seat)]
    moves.sort(key=lambda one: (-one["vp"], -one["doubloons"], -sum(one["barrels"].values())))
    return {
        **view(state, seat),
        "count": 0 if seat is None else count_moves(state, seat),
        "moves": moves,
    }


def _listed(state: State, seat: int) -> list[Move]:
    """Return the legal moves, or some; of placements first the one that leaves everybody there."""
    moves = legal_moves(state, seat, MOST)
    if state.phase != MAYOR_PHASE or not moves:
        return moves
    first = nearest_placement(state)
    return [first, *(move for move in moves if move != first)][:MOST]


def _barrels(events: Iterable[Event]) -> dict[str, int]:
    """Return the barrels that come to a player, less those that go."""
    found: Counter[int] = Counter()
    for event in events:
        match event:
            case Produced(goods=goods) | TookGoods(goods=goods):
                found.update(dict(enumerate(goods)))
            case Loaded(goods=goods) | Stored(returned=goods):
                found.subtract(dict(enumerate(goods)))
            case Sold(good=good) | Built(returned=(good, _, _)):
                found[good] -= 1
    return {GOODS[good]: found[good] for good in range(len(GOODS)) if found[good]}


def _fields(state: State, move: Move, events: Iterable[Event]) -> dict[str, Any]:
    match move:
        case Take(what, second) if state.phase == PRIVILEGE_PHASE:
            return {"goods": {GOODS[good]: 1 for good in (what, second) if good != NO_GOOD}}
        case Take(what, _, forest, no_colonist):
            tile = "face-down" if what == FACE_DOWN else TILES[what]
            source = {QUARRY: "quarries", FACE_DOWN: "stack"}.get(what, "row")
            return {"tile": tile, "from": source, "forest": forest, "no_colonist": no_colonist}
        case Build(building, good, vp, colonist, no_colonist):
            return {
                "building": PLACES[building],
                "price": price(state, state.seat, building),
                "returned": returned_json(good, vp, colonist),
                "no_colonist": no_colonist,
            }
        case Load() | LoadSmallWharf():
            loaded = next(event for event in events if isinstance(event, Loaded))
            return {"goods": bundle_dict(loaded.goods, GOODS), "onto": onto_name(loaded.onto)}
    return json_fields(move)


def _demands(state: State) -> dict[str, Any]:
    player = state.players[state.seat]
    if state.phase == MAYOR_PHASE:
        fewest, _ = fewest_and_most(state, player)
        return {
            "colonists": player.people,
            "fewest": fewest,
            "circles": bundle_dict(player.circles, PLACES),
        }
    if state.phase == CAPTAIN_PHASE:
        return {"goods": bundle_dict(player.goods, GOODS)}
    builds = [move for move in legal_moves(state) if isinstance(move, Build)]
    return {
        "doubloons": player.doubloons,
        "prices": {
            PLACES[building]: price(state, state.seat, building)
            for building in dict.fromkeys(build.building for build in builds)
        },
        "goods": bundle_dict(player.goods, GOODS),
        "vp": player.vp > 0,
        "colonists": {
            **bundle_dict(player.colonists, PLACES),
            **({"san-juan": player.san_juan} if player.san_juan else {}),
        },
    }


def own_events(state: State, move: Move) -> list[Event]:
    """Return what a legal move brings the player who makes it, without what follows by itself.

    The engine is asked. What would come up by the move is never looked at.
    """
    _, events = apply(state, move, first_of_pile)
    return [one for one in events if not one.auto and one.seat == state.seat]


# -- What the end would bring


_MANY = 200
"""More VP than any player has."""


def _scores(
    state: State, counted: Sequence[FinalScore], shown: Sequence[bool]
) -> list[dict[str, int | None]]:
    """Return the score of each player, in part where the VP chips are not shown."""
    over = state.phase == OVER
    return [
        {**one.named(), "place": one.place if over else None} if known else _score_in_part(player)
        for one, player, known in zip(counted, state.players, shown, strict=True)
    ]


def _score_in_part(player: Player) -> dict[str, int | None]:
    """Return the score without the VP chips: only what holds however many they are."""
    fewest, most = _counted(player, 0).named(), _counted(player, _MANY).named()
    keys = ("chips", "buildings", *PLACES, "total", "tie-break")
    score = {
        key: fewest[key] if key in fewest and fewest[key] == most.get(key) else None
        for key in keys
        if key in fewest or key in most
    }
    return {**score, "place": None}


def _counted(player: Player, vp: int) -> FinalScore:
    """Count the VP of a player with a number of VP chips."""
    reckoned = player.copy()
    reckoned.vp = vp
    return final_score(reckoned, 0)


def standings(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the standings of a view, as ``porto score --format json`` has them: after the end the
    first place first, before it in seat order. ``None`` is what the seat may not know.
    """
    scores = seen["result"] or {player["name"]: player["score"] for player in seen["players"]}
    return {
        "over": seen["result"] is not None,
        "players": [{"name": name, **score} for name, score in scores.items()],
    }


# -- The schema of its documents
#
# The JSON documents of the game, as far as their schema is made of what the game declares: the
# table, events, options, the names of things. The others are in ``schema.json``.

_NAMES = {
    "good": (GOODS, ""),
    "tile": (TILES, "A plantation, a quarry, or a forest over a plantation."),
    "building": (tuple(building.name for building in BUILDINGS), ""),
    "place": (PLACES, "A place of colonists."),
    "role": (ROLES, ""),
    "phase": (PHASES, "What the game waits for."),
    "end": (END_REASONS, "Why the game ends."),
    "vp_reason": (SCORE_REASONS, "What VP are for."),
    "doubloon_reason": (EARN_REASONS, "What doubloons are for."),
}
"""The names that are possible, and what they are."""


def own_definitions() -> dict[str, Schema]:
    """Return the definitions, by their names."""
    named = {
        f"{PREFIX}{name}": enum(*names) | ({"description": about} if about else {})
        for name, (names, about) in _NAMES.items()
    }
    options = of_fields({}, {rule.name: enum(*rule.choices) for rule in HOUSE_RULES})
    about = "Something that happened; auto marks what came from a move that made itself."
    return {
        **named,
        **definitions({f"{PREFIX}show": Show}, PREFIX),
        f"{PREFIX}kind": enum(*META.verbs),
        f"{PREFIX}options": options,
        # What 'porto verify' says of a game are its options, too.
        f"{PREFIX}facts": options,
        f"{PREFIX}event": {
            "description": about,
            "oneOf": [_event(kind) for kind in Event.__subclasses__()],
        },
    }


def _event(kind: type[Event]) -> Schema:
    """``auto`` is there, and true, if the move has made itself."""
    made = of_event(kind)
    made["properties"]["auto"] = {"const": True}
    return made


def glance(state: State, seat: int | None) -> Glance:
    """Return the round and what each player has, as far as the seat may know (PR-SECRET-1)."""
    scores = [player["score"]["total"] for player in view(state, seat)["players"]]
    return Glance(0 if state.phase == DRAFT_PHASE else state.round, tuple(scores))
