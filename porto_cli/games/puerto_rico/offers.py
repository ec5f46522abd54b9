"""The placements that a mail offers: of millions, those that players think of."""

from __future__ import annotations

from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import BUILDING_PLACES, NO_COLONISTS
from porto_cli.games.puerto_rico.engine.craftsman_trader import yields
from porto_cli.games.puerto_rico.engine.moves import Move, Place
from porto_cli.games.puerto_rico.engine.play import violations
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.next_step import added
from porto_cli.games.puerto_rico.players.priced import best_move
from porto_cli.games.puerto_rico.words import HEADINGS
from porto_cli.move_list import MoveGroup, MoveOffer


def placements(state: State, known: State) -> MoveGroup:
    """Return some placements: what a quick player would do, with the fewest changes, and buildings
    first. ``known`` is the table as the readers may see it.
    """
    player = state.players[state.seat]
    buildings = bytearray(NO_COLONISTS)
    for place in BUILDING_PLACES:
        buildings[place] = player.circles[place]
    wanted: list[tuple[str, Move]] = [
        ("Everybody stays, and the new ones fill empty circles", nearest_placement(state)),
        ("As a bot would place them", best_move(known)),
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
    return MoveGroup(HEADINGS[state.phase], tuple(offers.values()), more)
