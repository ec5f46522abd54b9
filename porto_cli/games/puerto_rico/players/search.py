"""``search``: flat Monte Carlo search, with the evaluation of the positions that playouts end in.

It plays a round on from the moves that look best. The static evaluation is the VP that each player
can be expected to have at the end, and who wins.

Positions are evaluated between two roles, when the next card is to be taken, by the weights of
``weights.json``. The file has an entry for each number of players, ``"2"`` to ``"5"``. Other files
of this form, for some of them, are made by ``python -m bench.training puerto-rico-search``, see
``docs/players.md``. An entry has these keys:

==================  ============================================================================
recipe              how the weights were made: a list of steps, each with a ``step`` and its
                    parameters, such as ``seed``, ``program`` (its version), ``plan``
each of ``NAMES``   the weights of this feature: by itself, by the rounds left, towards the end
==================  ============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from porto_cli.game import Move, View
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    CITY_HALL,
    CITY_SPACES,
    CORN,
    CUSTOMS_HOUSE,
    FACTORY,
    FIRST_BUILDING,
    FORTRESS,
    GOODS,
    GUILD_HALL,
    HARBOR,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    PRICES,
    PRODUCERS,
    QUARRY,
    RESIDENCE,
    SMALL_MARKET,
    SMALL_WAREHOUSE,
    STOREHOUSE,
    VIOLET,
    WHARF,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import FACTORY_EARNS
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_scores
from porto_cli.games.puerto_rico.engine.moves import Build, Take, TakeRole
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    MAYOR_PHASE,
    OVER,
    ROLE_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.players.appraisal import EFFECTS, Appraisal, Prices, rounds_left
from porto_cli.games.puerto_rico.players.appraisal import PRICES as THUMB_PRICES
from porto_cli.games.puerto_rico.players.priced import (
    AT_ONCE,
    likely_move,
    placement,
    priced_player,
    scorer,
)
from porto_cli.players.search import Search, rough_chance
from porto_cli.players.weights_files import are_numbers, demand, demand_recipe, read_entries

FILE = Path(__file__).with_name("weights.json")
"""The weights that come with the program."""
PLAYERS = ("2", "3", "4", "5")
"""For whom there are weights."""
NAMES = (
    *("constant", "doubloons", "doubloons_above_8", "barrels", "barrels_above_4"),
    *("kinds_held", "dearest_held", "made", "made_corn", "kinds_made", "prices_made"),
    *("dearest_made", "can_be_made", "plants_spare", "tiles_spare", "quarries"),
    *("quarries_empty", "people", "in_san_juan", "spaces_built", "circles_empty", "tiles"),
    *("large_bonus_to_come", "guild_hall", "residence", "fortress", "customs_house"),
    *("city_hall", "effects", "effects_to_come", "harbor", "wharf", "factory", "markets"),
    *("warehouses", "turns_to_wait", "made_by_others", "barrels_of_others"),
)
"""What a row of weights is for: the features, in their order."""
BASES = 3
"""Each feature counts by itself, by the rounds left, and more towards the end."""

Rows = tuple[tuple[float, ...], ...]
"""For each feature its weights."""


@cache
def weights_of(seats: int) -> Rows:
    """Return the weights for a number of players that come with the program."""
    return _shipped()[str(seats)]


@cache
def _shipped() -> dict[str, Rows]:
    return read_weights(FILE.read_text("utf-8"))


def read_weights(text: str) -> dict[str, Rows]:
    """Return the weights of a file that has the form of ``weights.json``, for whom it has some.

    Raises ValueError, which says what is wrong, for a text that has another form.
    """
    return read_entries(text, PLAYERS, _rows_of_entry)


def entry_of(rows: Rows, recipe: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return weights as an entry of a file; ``recipe`` says how they came about, step by step."""
    return {"recipe": list(recipe), **dict(zip(NAMES, rows, strict=True))}


def _rows_of_entry(key: str, entry: object) -> Rows:
    """Return the weights of an entry; raise ValueError if it has another form."""
    keys = {"recipe", *NAMES}
    if not isinstance(entry, dict) or set(entry) != keys:
        wrong = sorted(keys.symmetric_difference(entry if isinstance(entry, dict) else ()))
        raise ValueError(
            f"The entry {key!r} has to have 'recipe' and each feature that this program knows as "
            f"keys, and no others; missing or too many: {', '.join(wrong)}."
        )
    demand_recipe(key, entry["recipe"])
    for name in NAMES:
        demand(key, name, are_numbers(entry[name], BASES), f"a list of {BASES} numbers")
    return tuple(tuple(entry[name]) for name in NAMES)


SURE, SURE_AT_THE_END = 6.0, 1.0
"""The lead in VP with which a win is assumed to be fairly sure."""


def features(player: Player, wait: int, made_in_all: int, barrels_in_all: int) -> list[float]:
    """Return the features of a player who takes a role card after a number of others.

    They are those of ``NAMES`` in ``weights.py``, in that order.
    """
    circles, colonists = player.circles, player.colonists
    goods = player.goods
    made = made_corn = min(colonists[CORN], 9)
    possible = circles[CORN]
    kinds = 1 if made else 0
    prices = highest_price = 0
    plants_spare = tiles_spare = 0
    for good in range(1, len(GOODS)):
        tiles = circles[good]
        plants = manned = 0
        for place in PRODUCERS[good]:
            plants += circles[place]
            manned += colonists[place]
        if tiles > plants:
            tiles_spare += tiles - plants
            possible += plants
        else:
            plants_spare += plants - tiles
            possible += tiles
        number = min(colonists[good], manned)
        if number:
            made += number
            kinds += 1
            prices += PRICES[good]
            highest_price = PRICES[good]
    barrels = sum(goods)
    held = 0
    for good in range(len(GOODS)):
        if goods[good]:
            held = PRICES[good]
    city = player.city
    to_come = effects = effects_to_come = 0.0
    for place in buildings_in(city & VIOLET):
        bonus = BONUS.get(place)
        if colonists[place]:
            effects += EFFECTS.get(place, 0.0)
        elif bonus is not None:
            to_come += bonus(player)
        else:
            effects_to_come += EFFECTS.get(place, 0.0)
    doubloons = player.doubloons
    quarries = colonists[QUARRY]
    return [
        1.0,
        doubloons,
        doubloons - 8 if doubloons > 8 else 0,
        barrels,
        barrels - 4 if barrels > 4 else 0,
        len(GOODS) - goods.count(0),
        held,
        made,
        made_corn,
        kinds,
        prices,
        highest_price,
        possible - made,
        plants_spare,
        tiles_spare,
        quarries,
        circles[QUARRY] - quarries,
        player.san_juan + sum(colonists),
        player.san_juan,
        CITY_SPACES - player.city_spaces,
        sum(circles[FIRST_BUILDING:]) - sum(colonists[FIRST_BUILDING:]),
        sum(player.island),
        to_come,
        city >> GUILD_HALL & 1,
        city >> RESIDENCE & 1,
        city >> FORTRESS & 1,
        city >> CUSTOMS_HOUSE & 1,
        city >> CITY_HALL & 1,
        effects,
        effects_to_come,
        colonists[HARBOR],
        colonists[WHARF],
        FACTORY_EARNS[kinds] if colonists[FACTORY] else 0,
        (colonists[SMALL_MARKET] + 2 * colonists[LARGE_MARKET]) * (kinds > 0),
        colonists[SMALL_WAREHOUSE] + colonists[STOREHOUSE] + 2 * colonists[LARGE_WAREHOUSE],
        wait,
        made_in_all - made,
        barrels_in_all - barrels,
    ]


def bases(rounds: float) -> tuple[float, ...]:
    """Return the factors of the features, by the number of rounds left."""
    return 1.0, rounds / 10, max(0.0, 1 - rounds / 2)


def score(player: Player) -> float:
    """Return the VP that a player has in the present position."""
    vp = player.vp
    colonists = player.colonists
    for place in buildings_in(player.city):
        vp += BUILDING_VP[place]
        if colonists[place] and place in BONUS:
            vp += BONUS[place](player)
    return vp


def rows(state: State) -> list[list[float]]:
    """Return the features of each seat."""
    players = state.players
    seats = len(players)
    barrels = sum([sum(player.goods) for player in players])
    made = sum([sum(player.colonists[: len(GOODS)]) for player in players])
    return [
        features(player, (seat - state.seat) % seats, made, barrels)
        for seat, player in enumerate(players)
    ]


def values(state: State) -> list[float]:
    """Return the VP that each seat can be expected to have at the end."""
    if state.phase == OVER:
        return [one.total + 0.01 * one.tie_break for one in final_scores(state)]
    weights = weights_of(state.config.seats)
    shares = bases(rounds_left(state))
    mixed = [sum([a * b for a, b in zip(shares, row, strict=True)]) for row in weights]
    return [
        score(player) + sum([a * b for a, b in zip(mixed, row, strict=True)])
        for player, row in zip(state.players, rows(state), strict=True)
    ]


def margin_of(vps: Sequence[float], seat: int) -> float:
    """Return how many VP a seat is ahead, of those of all seats.

    Half of it is towards the best of the others, half towards their mean.
    """
    others = [*vps]
    own = others.pop(seat)
    return own - (max(others) + sum(others) / len(others)) / 2


def margin(state: State, seat: int) -> float:
    """Return how many VP a player can be expected to be ahead at the end."""
    return margin_of(values(state), seat)


def winning_chance(state: State, seat: int) -> float:
    """Return about the chance of a player to win."""
    return rough_chance(margin(state, seat), SURE_AT_THE_END if state.phase == OVER else SURE)


SIMULATIONS = 100
"""How often is played on for a move."""
WIDTH = 6
"""Moves that are looked at more closely."""
PLACEMENTS = 4
"""How many placements of colonists are."""
TRIES = 8
"""How many are thought of, some of which are the same."""
MISJUDGED = 0.6
"""By how much what a colonist brings is misjudged for them, up or down, at most."""
CREDIT = 0.02
"""How much it counts, as a chance to win, for each VP, what a move is worth by rules of thumb."""
NOISE = 0.3
"""By how many VP who plays in playouts misjudges moves, at most."""


def search_player(
    view: View, moves: Sequence[Move], rng: Random, *, simulations: int | None = None
) -> Move:
    """Play on from the best moves, so often in all, and take the one that turns out best.

    The buildings of the game are chosen as ``priced`` does: what that leads to is too far away.
    """
    if view.table.phase == DRAFT_PHASE:
        return priced_player(view, moves, rng)
    return searching(view.table, simulations or SIMULATIONS)(view, moves, rng)


def searching(state: State, simulations: int) -> Search:
    """Return the search for this state, over as many roles as there are players."""
    return Search(
        "puerto-rico",
        simulations=simulations,
        propose=promising,
        policy=likely,
        value=winning_chance,
        credit=credit,
        span=state.config.seats,
        clock=roles_played,
    )


def roles_played(state: State) -> int:
    """Return how many roles have been played to their end."""
    taken = (state.round - 1) * state.config.box.turns + state.roles_taken
    return taken if state.phase == ROLE_PHASE else taken - 1


def likely(state: State, seat: int, rng: Random) -> Move:
    """Return a move by rules of thumb, with some noise."""
    return likely_move(state, rng, NOISE)


def promising(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    width: int = WIDTH,
    prices: Prices = THUMB_PRICES,
) -> list[Move]:
    """Return the moves that are worth a look, the best ones first; they need not be those given."""
    state: State = view.table
    appraisal = Appraisal(state, prices)
    if state.phase == MAYOR_PHASE:
        return _placements(appraisal, rng)[:width]
    worth = scorer(appraisal)
    sensible = [move for move in moves if not _is_odd(move)] or moves
    return sorted(sensible, key=worth, reverse=True)[:width]


def credit(view: View, moves: Sequence[Move], prices: Prices = THUMB_PRICES) -> list[float]:
    """Return what speaks for each move by rules of thumb: it decides where little differs."""
    state: State = view.table
    if state.phase == MAYOR_PHASE:
        return [-CREDIT * nth for nth in range(len(moves))]
    worth = scorer(Appraisal(state, prices))
    return [CREDIT * min(AT_ONCE, max(-AT_ONCE, worth(move))) for move in moves]


def _is_odd(move: Move) -> bool:
    """Return whether a move declines a colonist: that is hardly ever good."""
    return isinstance(move, TakeRole | Take | Build) and move.no_colonist


def _placements(appraisal: Appraisal, rng: Random) -> list[Move]:
    """Return the best placement by prices, and those of people who misjudge what places bring."""
    player = appraisal.state.players[appraisal.state.seat]

    def misjudged() -> float:
        return 1 + MISJUDGED * (2 * rng.random() - 1)

    found: dict[Move, None] = {placement(appraisal, player): None}
    for _ in range(TRIES):
        found[placement(appraisal, player, misjudged)] = None
    return list(found)[:PLACEMENTS]
