"""What a seat may see of a game, and what it can do, by names: all that a fair player needs.

A :class:`~porto_cli.games.puerto_rico.engine.table_view.TableView`, of which the tables that people
see are drawn, has the same in numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    NO_GOOD,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import (
    Move,
)
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import (
    MAYOR_PHASE,
    NO_ROLE,
    NOBODY,
    State,
)
from porto_cli.games.puerto_rico.engine.table_view import table_view
from porto_cli.games.puerto_rico.event_text import bundle_dict
from porto_cli.games.puerto_rico.options import MOST, Option, option_of


class Player(NamedTuple):
    """A player, as one seat may see it. What there is none of is not named.

    ``name``           as in the record
    ``vp``             VP chips; ``None`` where this seat may not know them
    ``score``          all VP, were the game to end now; ``None`` where ``vp`` is
    ``doubloons``      how many
    ``goods``          barrels of each good
    ``island``         tiles of each kind: plantations, ``quarry``, forests like ``forest-corn``
    ``buildings``      each building with the colonists in it
    ``circles``        how many colonists each tile and building can have
    ``colonists``      how many each has
    ``san_juan``       colonists in San Juan
    ``island_spaces``  free spaces of the island
    ``city_spaces``    free spaces of the city
    """

    name: str
    vp: int | None
    score: int | None
    doubloons: int
    goods: dict[str, int]
    island: dict[str, int]
    buildings: dict[str, int]
    circles: dict[str, int]
    colonists: dict[str, int]
    san_juan: int
    island_spaces: int
    city_spaces: int


class Role(NamedTuple):
    """A role card: the ``doubloons`` on it, and who has taken it in this round, or ``None``."""

    doubloons: int
    taken: str | None


class Ship(NamedTuple):
    """A cargo ship and its ``spaces``; its ``good``, ``None`` if empty, and ``barrels``."""

    spaces: int
    good: str | None
    barrels: int


class Observation(NamedTuple):
    """What one seat, or a bystander, may see of a game. Nothing hidden makes a difference.

    Everything is called as in the notation; of bundles, what there is none of is not named.

    ``player``         the observer; ``None`` is a bystander, who sees no VP chips before the end
    ``seat``           the place in ``players``, counted from 0; ``None`` for a bystander
    ``phase``          ``draft``, ``role``, that of a role like ``settler``, ``library``,
                       ``privilege``, ``store`` or ``over``
    ``role``           the role that is being played; ``None`` between roles
    ``chooser``        who has taken it
    ``round``          the round, counted from 1
    ``governor``       the governor of the round
    ``to_move``        the players whose move the game waits for; none when it is over
    ``moves``          the legal moves of this seat, the one that scores most first, of those the
                       one that earns most, then by barrels; where there are very many of them,
                       as for colonists, some
    ``move_count``     how many legal moves there are
    ``players``        all players in turn order
    ``roles``          the role cards
    ``row``            face-up plantations
    ``stack``          plantations face down: in which order, nobody knows
    ``discards``       plantations that were discarded
    ``quarries``       quarries left
    ``supply``         colonists in the supply
    ``colonist_ship``  colonists on the ship
    ``vp_pool``        VP left in the pool
    ``goods_supply``   barrels in the supply
    ``ships``          the cargo ships, the smallest first
    ``trading_house``  the goods in it
    ``buildings``      copies left of each building
    ``violet``         the violet buildings in the game; in the draft those chosen so far
    ``end_triggered``  why the game ends with this round: ``colonists``, ``city``, ``vp``
    """

    player: str | None
    seat: int | None
    phase: str
    role: str | None
    chooser: str | None
    round: int
    governor: str
    to_move: tuple[str, ...]
    moves: tuple[Option, ...]
    move_count: int
    players: tuple[Player, ...]
    roles: dict[str, Role]
    row: dict[str, int]
    stack: dict[str, int]
    discards: dict[str, int]
    quarries: int
    supply: int
    colonist_ship: int
    vp_pool: int
    goods_supply: dict[str, int]
    ships: tuple[Ship, ...]
    trading_house: tuple[str, ...]
    buildings: dict[str, int]
    violet: tuple[str, ...]
    end_triggered: tuple[str, ...]

    @property
    def me(self) -> Player:
        """The observing player. Raises LookupError for a bystander."""
        if self.seat is None:
            raise LookupError("A bystander is not a player.")
        return self.players[self.seat]

    def __repr__(self) -> str:
        """Show the state of the game in brief; everything else is an attribute."""
        return (
            f"<Observation player={self.player} phase={self.phase} round={self.round} "
            f"to_move={','.join(self.to_move) or 'nobody'} moves={self.move_count}>"
        )


def observe(state: State, seat: int | None) -> Observation:
    """Return what a seat, or (``None``) a bystander, may see and do (PR-SECRET-1)."""
    seen = table_view(state, seat)
    names = state.config.players
    scores = [score.total for score in final_scores(state)]
    moves = [] if seat is None else [option_of(state, move) for move in _listed(state, seat)]
    moves.sort(key=lambda one: (-one.vp, -one.doubloons, -sum(one.goods.values())))
    return Observation(
        player=None if seat is None else names[seat],
        seat=seat,
        phase=seen.phase,
        role=None if seen.role == NO_ROLE else ROLES[seen.role],
        chooser=_name(names, seen.chooser),
        round=seen.round,
        governor=names[seen.governor],
        to_move=tuple(names[mover] for mover in seen.to_move),
        moves=tuple(moves),
        move_count=0 if seat is None else count_moves(state, seat),
        players=tuple(
            Player(
                name=player.name,
                vp=player.vp,
                score=None if player.vp is None else score,
                doubloons=player.doubloons,
                goods=bundle_dict(player.goods, GOODS),
                island=bundle_dict(player.island, TILES),
                buildings={
                    PLACES[place]: player.colonists[place] for place in buildings_in(player.city)
                },
                circles=bundle_dict(player.circles, PLACES),
                colonists=bundle_dict(player.colonists, PLACES),
                san_juan=player.san_juan,
                island_spaces=player.island_spaces,
                city_spaces=player.city_spaces,
            )
            for player, score in zip(seen.players, scores, strict=True)
        ),
        roles={
            ROLES[role]: Role(seen.role_doubloons[role], _name(names, seen.taken[role]))
            for role in seen.config.box.roles
        },
        row=bundle_dict(seen.row, TILES),
        stack=bundle_dict(seen.stack, TILES),
        discards=bundle_dict(seen.discards, TILES),
        quarries=seen.quarries,
        supply=seen.supply,
        colonist_ship=seen.ship,
        vp_pool=seen.vp_pool,
        goods_supply=bundle_dict(seen.goods_supply, GOODS),
        ships=tuple(
            Ship(spaces, None if good == NO_GOOD else GOODS[good], barrels)
            for spaces, good, barrels in seen.cargo
        ),
        trading_house=tuple(GOODS[good] for good in seen.trading_house),
        buildings=bundle_dict(seen.copies, PLACES),
        violet=tuple(PLACES[place] for place in buildings_in(seen.violet)),
        end_triggered=seen.end_triggered,
    )


def _listed(state: State, seat: int) -> list[Move]:
    """Return the legal moves, or some; of placements first the one that leaves everybody there."""
    moves = legal_moves(state, seat, MOST)
    if state.phase != MAYOR_PHASE or not moves:
        return moves
    first = nearest_placement(state)
    return [first, *(move for move in moves if move != first)][:MOST]


def _name(names: tuple[str, ...], seat: int) -> str | None:
    return None if seat == NOBODY else names[seat]
