"""The moves that a mail offers: roles, tiles, buildings with their prices, goods, placements."""

from __future__ import annotations

from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import BUILDING_PLACES, NO_COLONISTS, PLACES
from porto_cli.games.puerto_rico.engine.craftsman_trader import yields
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Take,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves, violations
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import CAPTAIN_PHASE, MAYOR_PHASE, State
from porto_cli.games.puerto_rico.move_list import heading
from porto_cli.games.puerto_rico.options import MOST, option_of
from porto_cli.games.puerto_rico.ui.answers import label_of
from porto_cli.games.puerto_rico.ui.next_step import added
from porto_cli.match.replay import Replay
from porto_cli.ui_values import MOST_OFFERED, MoveGroup, MoveOffer


def move_groups(replay: Replay, seat: int, *, private: bool) -> list[MoveGroup]:
    """Return the moves of the seat to move, see :meth:`porto_cli.ui.Ui.move_groups`."""
    state: State = replay.state
    if state.phase == MAYOR_PHASE:
        from porto_cli.games.puerto_rico.players.priced import best_move

        known = replay.game.view(state, seat if private else None).table
        return [_placements(state, best_move(known))]
    legal = legal_moves(state, limit=MOST if state.phase == CAPTAIN_PHASE else None)
    if not private:
        # Whoever can return a VP chip has one.
        legal = [move for move in legal if not (isinstance(move, Build) and move.vp)]
    last = [move for move in legal if isinstance(move, MoveGuest | Pass)]
    last.sort(key=lambda move: isinstance(move, Pass))
    usual = [move for move in legal if move not in last]
    usual.sort(key=lambda move: _rank(state, move))
    shown = [*usual[: MOST_OFFERED - len(last)], *last]
    more = ""
    if len(legal) > len(shown):
        more = "Any other legal move can be written in the same words."
    return [MoveGroup(heading(state), tuple(_offer(state, one) for one in shown), more)]


def _rank(state: State, move: Move) -> tuple[bool, int, int]:
    """Return the place of a move: by VP and doubloons, after them what few players choose."""
    option = option_of(state, move)
    return _is_special(move), -option.vp, -option.doubloons


def _is_special(move: Move) -> bool:
    """Return whether a move differs in a detail from another one that says the same in short."""
    match move:
        case Take():
            return move.forest or move.no_colonist
        case Build():
            return bool(move.returned) or move.no_colonist
    return isinstance(move, LoadSmallWharf)


def _offer(state: State, move: Move) -> MoveOffer:
    label = str(move)
    if isinstance(move, MoveGuest):
        label = f"First move a guest to {PLACES[move.place]}"
    elif not _is_special(move):
        label = label_of(state, move)
    vp = option_of(state, move).vp if isinstance(move, Build) else 0
    return MoveOffer(label, (str(move),), f"{vp} VP" if vp else "")


# -- Colonists


def _placements(state: State, best: Move) -> MoveGroup:
    """Return some placements: what a quick player would do, with the fewest changes, and buildings
    first.
    """
    player = state.players[state.seat]
    buildings = bytearray(NO_COLONISTS)
    for place in BUILDING_PLACES:
        buildings[place] = player.circles[place]
    wanted: list[tuple[str, Move]] = [
        ("Everybody stays, and the new ones fill empty circles", nearest_placement(state)),
        ("As a bot would place them", best),
        ("Buildings first", nearest_placement(state, bytes(buildings))),
    ]
    offers: dict[Move, MoveOffer] = {}
    for why, move in wanted:
        if isinstance(move, Place) and not violations(state, move, state.seat):
            manned = player.copy()
            manned.colonists = move.colonists
            label = f"{why}: {phrases.places(move.colonists)}"
            goods = phrases.goods(yields(manned, state.goods_supply))
            note = f"the craftsman would bring {goods}"
            offers.setdefault(move, MoveOffer(label, (str(move),), note))
    more = (
        "To place them another way, write where the new ones go, for example: place "
        f"{added(state)}. To move others as well: place add PLACE from PLACE. Or write all places "
        "with their numbers, as above."
    )
    return MoveGroup(heading(state), tuple(offers.values()), more)
