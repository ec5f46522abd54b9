"""What a seat may see of a game, by the names of ``porto show --format json``.

All that shows a table is made of a view, and bots of people get one. The only secret are the VP
chips of others (PR-SECRET-1), and what follows from them. A *bundle* is a mapping from name to
number without the names whose number is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    COST,
    GOODS,
    NO_GOOD,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
    counts_of,
)
from porto_cli.games.puerto_rico.engine.effects import (
    FinalScore,
    at_home,
    final_score,
    final_scores,
)
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    Player,
    State,
    to_move,
)
from porto_cli.games.puerto_rico.events import bundle_dict


def view(state: State, seat: int | None = None, *, all_chips: bool = False) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see; with the VP chips of all if told so.

    ================  ===========================================================================
    ``player``        the name of who looks; ``None`` for a bystander
    ``phase``         ``draft``, ``role``, that of a role like ``settler``, ``library``,
                      ``privilege``, ``store`` or ``over``
    ``round``         counted from 1
    ``governor``      the governor of the round
    ``role``          the role being played; ``None`` between roles
    ``chooser``       who took it
    ``to_move``       the players whose move the game waits for; none when it is over
    ``options``       ``buildings`` and ``rulebook``
    ``violet``        the violet buildings in the game; in the draft those chosen so far
    ``draft``         the buildings that can be chosen in the draft; empty after it
    ``roles``         the role cards: who has ``taken`` each this round, and the ``doubloons`` on it
    ``tiles``         face-up plantations
    ``stack``         plantations face down, ``stack_tiles`` of which kinds: their order is unknown
    ``tile_discards`` plantations that were discarded
    ``quarries``      quarries left
    ``supply``        colonists in the supply
    ``ship``          colonists on the ship
    ``vp_pool``       VP left in the pool
    ``goods_supply``  barrels in the supply
    ``cargo``         for each cargo ship, by its spaces, its ``good`` and ``barrels``; ``None`` if
                      it is empty
    ``trading_house`` the goods in it
    ``buildings``     copies left of each building
    ``prices``        what each of these costs: in the builder phase the player to move
    ``players``       all players in turn order, see below
    ``end_triggered`` why the game ends with this round: ``colonists``, ``city``, ``vp``
    ``face_down``     settler: the player to move has used the Hacienda
    ``produced``      craftsman: the barrels that the chooser has produced
    ``passes``        captain: turns in a row without a load
    ``loaded``        captain: who has loaded; ``wharf_used`` and ``small_wharf_used`` a wharf
    ``result``        the ``score`` of each player, first place first; ``None`` before the end
    ================  ===========================================================================

    A player has ``name``, ``doubloons``, ``vp`` (chips; ``None`` where secret), ``goods``,
    ``san_juan`` (colonists there), ``island`` (for each kind its ``tiles`` and the ``colonists``
    on them), ``city`` (for each building the colonists in it), ``circles`` (how many colonists
    each of these can have), ``island_spaces`` and ``city_spaces`` (free ones), and ``score``:
    ``chips``, ``buildings``, each occupied large building by its name, ``total``, ``tie-break``
    (doubloons and barrels) and ``place``, were the game to end now. There is ``None`` where it
    depends on chips that are secret; and there is no place before the end.
    """
    config, names = state.config, state.config.players
    over = state.phase == OVER
    shown = [all_chips or over or other == seat for other in range(config.seats)]
    counted = final_scores(state)
    scores = [
        {**one.named(), "place": one.place if over else None} if known else _score_in_part(player)
        for one, player, known in zip(counted, state.players, shown, strict=True)
    ]
    buyer = state.seat if state.phase == BUILDER_PHASE else None
    return {
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
        if over
        else None,
    }


def _name(seat: int, names: Sequence[str]) -> str | None:
    return None if seat == NOBODY else names[seat]


def _names(places: Iterable[int]) -> list[str]:
    return [PLACES[place] for place in places]


def _seats(seats: int, names: Sequence[str]) -> list[str]:
    """Return the players of a set of seats."""
    return [name for seat, name in enumerate(names) if seats >> seat & 1]


def _draft(state: State) -> tuple[int, ...]:
    """Return the buildings that can be chosen (PR-DRAFT-2)."""
    return buildings_in(kinds_allowed(state.violet)) if state.phase == DRAFT_PHASE else ()


def _player(
    player: Player, name: str, score: dict[str, int | None], *, vp: int | None
) -> dict[str, Any]:
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


# -- what the end would bring


_MANY = 200
"""More VP than any player has."""


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
    """Count the VP of a player with a number of VP chips, guests at home (PR-SCORE-4)."""
    reckoned = player.copy()
    reckoned.vp = vp
    return final_score(at_home(reckoned), 0)


def standings(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the standings of a view, as ``porto score --format json`` has them: after the end the
    first place first, before it in seat order. ``None`` is what the seat may not know.
    """
    scores = seen["result"] or {player["name"]: player["score"] for player in seen["players"]}
    return {
        "over": seen["result"] is not None,
        "players": [{"name": name, **score} for name, score in scores.items()],
    }
