"""What a seat may see in numbers, for the pictures.

The order of the stack needs no hiding: a state does not know it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from porto_cli.games.puerto_rico.engine.components import FOREST, counts_of
from porto_cli.games.puerto_rico.engine.effects import FinalScore, outcome
from porto_cli.games.puerto_rico.engine.state import OVER, Config, Player, State, to_move
from porto_cli.games.puerto_rico.view import view


class PlayerView(NamedTuple):
    """What is seen of a player; ``vp`` is None where it is not. The rest is as in ``Player``."""

    name: str
    doubloons: int
    vp: int | None
    goods: bytes
    island: bytes
    city: int
    colonists: bytes
    circles: bytes
    san_juan: int
    island_spaces: int
    city_spaces: int

    @property
    def forests(self) -> int:
        """Forests on the island."""
        return sum(self.island[FOREST:])


class TableView(NamedTuple):
    """The table as a seat sees it; what is not explained here is as in ``State``.

    ``seat`` is the observer, None for a bystander. ``stack`` says how many
    plantations of each kind are face down, ``cargo`` the spaces, the good and the barrels of
    each ship. ``outcome`` is None before the end.
    ``shown`` is the view of which all but the pictures is made.
    """

    config: Config
    seat: int | None
    phase: str
    to_move: tuple[int, ...]
    round: int
    governor: int
    chooser: int
    role: int
    taken: tuple[int, ...]
    role_doubloons: tuple[int, ...]
    violet: int
    copies: bytes
    players: tuple[PlayerView, ...]
    row: bytes
    stack: bytes
    discards: bytes
    quarries: int
    supply: int
    ship: int
    vp_pool: int
    goods_supply: bytes
    cargo: tuple[tuple[int, int, int], ...]
    trading_house: bytes
    end_triggered: tuple[str, ...]
    face_down: bool
    produced: bytes
    passes: int
    loaded: int
    wharf_used: int
    small_wharf_used: int
    outcome: tuple[FinalScore, ...] | None
    shown: dict[str, Any]


def table_view(state: State, seat: int | None = None, *, all_chips: bool = False) -> TableView:
    """Return the table as a seat, or (``None``) a bystander, sees it (PR-SECRET-1)."""
    over = state.phase == OVER
    return TableView(
        config=state.config,
        seat=seat,
        phase=state.phase,
        to_move=to_move(state),
        round=state.round,
        governor=state.governor,
        chooser=state.chooser,
        role=state.role,
        taken=state.taken,
        role_doubloons=state.role_doubloons,
        violet=state.violet,
        copies=state.copies,
        players=tuple(
            _view(player, name, vp_shown=all_chips or over or other == seat)
            for other, (player, name) in enumerate(
                zip(state.players, state.config.players, strict=True)
            )
        ),
        row=state.row,
        stack=counts_of(state.stack),
        discards=state.discards,
        quarries=state.quarries,
        supply=state.supply,
        ship=state.ship,
        vp_pool=state.vp_pool,
        goods_supply=state.goods_supply,
        cargo=tuple(
            zip(state.config.box.cargo, state.cargo_goods, state.cargo_barrels, strict=True)
        ),
        trading_house=state.trading_house,
        end_triggered=state.end_triggered,
        face_down=state.face_down,
        produced=state.produced,
        passes=state.passes,
        loaded=state.loaded,
        wharf_used=state.wharf_used,
        small_wharf_used=state.small_wharf_used,
        outcome=outcome(state),
        shown=view(state, seat, all_chips=all_chips),
    )


def _view(player: Player, name: str, *, vp_shown: bool) -> PlayerView:
    return PlayerView(
        name=name,
        doubloons=player.doubloons,
        vp=player.vp if vp_shown else None,
        goods=player.goods,
        island=player.island,
        city=player.city,
        colonists=player.colonists,
        circles=player.circles,
        san_juan=player.san_juan,
        island_spaces=player.island_spaces,
        city_spaces=player.city_spaces,
    )
