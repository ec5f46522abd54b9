"""What choices lead to that their words do not say: what a role promises in a menu, made from the
role as it begins (see :func:`begun`), and the placements that players think of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import sub
from random import Random

from porto_cli.core.message import plural
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    LIBRARY,
    QUARRY,
    ROLES,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import takeable, yields
from porto_cli.games.puerto_rico.engine.moves import (
    ColonistsDealt,
    Earned,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    Pass,
    Place,
    Produced,
    Sell,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import begun, legal_moves, violations
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import PLACE_NAMES, format_bundle
from porto_cli.move_list import MoveGroup, MoveOffer

ENOUGH = 500
"""Moves that are looked at to see whether there is one of a kind."""


def _settler_does(after: State, events: Sequence[Event]) -> str:
    if not after.players[after.seat].island_spaces:
        return "tiles for the others; your island is full"
    enough = sum(after.row) >= after.config.seats
    tiles = "tiles for all" if enough else "tiles while they last"
    if any(isinstance(move, Take) and move.what == QUARRY for move in legal_moves(after)):
        return f"{tiles}; you may take a quarry"
    return f"{tiles}; no quarry is left"


def _mayor_does(after: State, events: Sequence[Event]) -> str:
    dealt = [event for event in events if isinstance(event, ColonistsDealt)]
    ship = sum(event.colonists for event in dealt)
    few = "" if ship >= after.config.seats else "only "
    own = sum(event.privilege for event in dealt)
    return f"{few}{phrases.colonists(ship)} for all to share, {own} extra for you"


def _builder_does(after: State, events: Sequence[Event]) -> str:
    if not after.players[after.seat].city_spaces:
        return "the others may build; your city is full"
    return f"all may build; you pay {phrases.doubloons(_privilege(after))} less"


def _craftsman_does(after: State, events: Sequence[Event]) -> str:
    produced = [event for event in events if isinstance(event, Produced)]
    own = next(event.goods for event in produced if event.seat == after.chooser)
    if not any(any(event.goods) for event in produced):
        return "nobody produces anything now"
    if not any(own):
        return "the others produce, you nothing"
    extra = min(len(takeable(after)), _privilege(after))
    more = ("no extra barrel is left", "plus one barrel", "plus two barrels of different kinds")
    return f"all produce, you {phrases.goods(own)}{' ' if extra else '; '}{more[extra]}"


def _trader_does(after: State, events: Sequence[Event]) -> str:
    if any(isinstance(move, Sell) for move in legal_moves(after)):
        return f"all may sell; you get {plural(_privilege(after), 'extra doubloon')}"
    return _not_for_you(after, "sell", "the house takes", Sell)


def _captain_does(after: State, events: Sequence[Event]) -> str:
    legal = legal_moves(after, limit=ENOUGH)
    vp = _privilege(after)
    if any(isinstance(move, Load | LoadSmallWharf) for move in legal):
        if any(isinstance(move, Pass) for move in legal):
            return f"all load; you get {vp} extra VP if you load any"
        return f"all load; you get {vp} extra VP"
    return _not_for_you(after, "load", "the ships take", Load, LoadSmallWharf)


def _not_for_you(after: State, verb: str, take: str, *kinds: type[Move]) -> str:
    """Return what a role does in which the chooser can bring no barrel anywhere."""
    moves = (move for other in _others(after) for move in legal_moves(other, limit=ENOUGH))
    if not any(isinstance(move, kinds) for move in moves):
        return f"nobody can {verb} a barrel now"
    own = f"{take} none of yours" if any(after.players[after.seat].goods) else "you have no barrels"
    return f"others may {verb}; {own}"


def _prospector_does(after: State, events: Sequence[Event]) -> str:
    found = [one for one in events if isinstance(one, Earned) and one.reason == "prospector"]
    gain = phrases.doubloons(sum(one.doubloons for one in found))
    return f"you get {gain}, the others nothing"


def _privilege(state: State) -> int:
    """Return how much the player who has taken a role gets for that (PR-B-LIBRARY)."""
    return 2 if state.players[state.chooser].colonists[LIBRARY] else 1


def _others(state: State) -> Iterator[State]:
    """Yield the state as if it were the turn of each other player."""
    for seat in range(state.config.seats):
        if seat != state.seat:
            other = state.copy()
            other.seat = seat
            yield other


_PROMISES: dict[str, Callable[[State, Sequence[Event]], str]] = {
    "settler": _settler_does,
    "mayor": _mayor_does,
    "builder": _builder_does,
    "craftsman": _craftsman_does,
    "trader": _trader_does,
    "captain": _captain_does,
    "prospector": _prospector_does,
}
"""What a role does, made from its beginning, so that no label promises what does not come."""


def promise(state: State, move: TakeRole) -> str:
    """Return what a role does when it is taken now."""
    after, events = begun(state, move)
    return _PROMISES[ROLES[move.role].removesuffix("-2")](after, events)


def quick_move(state: State) -> Move:
    """Return the move that a bot makes at a glance, by what the player to move may know: what menus
    point at and forms begin with.
    """
    # Player programs are loaded only where somebody chooses.
    from porto_cli.games.puerto_rico.players.levels import value_player
    from porto_cli.games.puerto_rico.players.priced import LISTED

    known = game_of("puerto-rico").view(state, state.seat)
    move: Move = value_player(known, legal_moves(state, limit=LISTED), Random(0))
    return move


def produced_by(state: State, colonists: bytes) -> str:
    """Return what colonists on these places would produce now."""
    return phrases.goods(yields(colonists, state.goods_supply))


# -- Placements for a mail: some of millions


def placements(state: State, known: State, title: str) -> MoveGroup:
    """Return some placements: with the fewest changes, and what a quick player would do.

    ``known`` is the table as the readers may see it.
    """
    wanted: list[tuple[str, Move]] = [
        ("Everybody stays, and the new ones fill empty circles", nearest_placement(state)),
        ("As a bot would place them", quick_move(known)),
    ]
    offers: dict[Move, MoveOffer] = {}
    for why, move in wanted:
        if isinstance(move, Place) and not violations(state, move, state.seat):
            label = f"{why}: {phrases.places(move.colonists)}"
            note = f"the craftsman would bring {produced_by(state, move.colonists)}"
            offers.setdefault(move, MoveOffer(label, (str(move),), note))
    more = [*in_short(state), "Or write all places with their numbers, as above."]
    return MoveGroup(title, tuple(offers.values()), " ".join(more))


def in_short(state: State) -> Iterator[str]:
    """Yield how a placement can be written in fewer words, with one that is legal: all stay where
    they are, and the new ones fill the gaps.
    """
    player, placed = state.players[state.seat], nearest_placement(state)
    added = bytes(map(sub, placed.colonists, player.colonists))
    if any(added):
        words = format_bundle(added, PLACE_NAMES)
        yield f"To say only where the new ones go: place add {words}."
    yield "To move others as well: place add PLACE from PLACE."
    empty = sum(player.circles) - player.people
    if 0 < empty <= player.people:
        yield f"To fill all circles but {empty}: place leave PLACE."
