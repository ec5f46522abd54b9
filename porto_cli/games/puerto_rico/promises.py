"""What choices lead to that their words do not say: what a role promises in a menu, made from the
role as it begins (see :func:`begun`), and the placements that players think of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import sub
from random import Random

from porto_cli.games import game_of
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    LIBRARY,
    QUARRY,
    ROLES,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import takeable, yields
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    ColonistsDealt,
    Earned,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    Place,
    Produced,
    Sell,
    Take,
    TakeRole,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.play import apply, begun, legal_moves, violations
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import PLACE_NAMES, format_bundle
from porto_cli.move_list import MoveGroup, MoveOffer

ENOUGH = 500
"""Moves that are looked at to see whether there is one of a kind."""
_NAMED = 2
"""Kinds of goods up to which they are named in a row of 60 columns."""


def own_events(state: State, move: Move) -> list[Event]:
    """Return what a legal move brings the player who makes it, without what follows by itself.

    The engine is asked. What would come up by the move is never looked at.
    """
    _, events = apply(state, move, lambda stream, index, pile: 0)
    return [one for one in events if not one.auto and getattr(one, "seat", None) == state.seat]


def _settler_does(after: State, events: Sequence[Event]) -> str:
    if not after.players[after.seat].island_spaces:
        return "your island is full"
    wanted = [move.what for move in legal_moves(after) if isinstance(move, Take)]
    tiles = ["a plantation"] * any(after.row) + ["a quarry"] * (QUARRY in wanted)
    return " or ".join(tiles) or "no tile is left"


def _mayor_does(after: State, events: Sequence[Event]) -> str:
    dealt = [event for event in events if isinstance(event, ColonistsDealt)]
    own = sum(one.colonists + one.privilege for one in dealt if one.seat == after.chooser)
    return f"{own} of {phrases.colonists(sum(one.colonists + one.privilege for one in dealt))}"


def _builder_does(after: State, events: Sequence[Event]) -> str:
    if not after.players[after.seat].city_spaces:
        return "your city is full"
    if not any(isinstance(move, Build) for move in legal_moves(after, limit=ENOUGH)):
        return "nothing you can build"
    return f"build, {phrases.doubloons(_privilege(after))} off"


def _craftsman_does(after: State, events: Sequence[Event]) -> str:
    produced = [event for event in events if isinstance(event, Produced)]
    if not any(any(event.goods) for event in produced):
        return "nobody produces"
    own = next(event.goods for event in produced if event.seat == after.chooser)
    kinds = phrases.counted(own, GOODS)
    if not kinds:
        return "nothing for you"
    barrels = ", ".join(kinds)
    if len(kinds) > _NAMED:
        barrels = f"{sum(own)} barrels, {len(kinds)} kinds"
    extra = min(len(takeable(after)), _privilege(after))
    return f"{barrels} +{extra}" if extra else barrels


def _trader_does(after: State, events: Sequence[Event]) -> str:
    sales = [move for move in legal_moves(after) if isinstance(move, Sell)]
    if not sales:
        return _not_for_you(after, "nothing you can sell")
    gains = {phrases.total(gains_of(own_events(after, sale))[1]) for sale in sales}
    return f"sell, {'up to ' * (len(gains) > 1)}{phrases.doubloons(max(gains))}"


def _captain_does(after: State, events: Sequence[Event]) -> str:
    legal = legal_moves(after, limit=ENOUGH)
    loads: list[Move] = [move for move in legal if isinstance(move, Load)]
    if any(isinstance(move, LoadSmallWharf) for move in legal):
        loads.append(LoadSmallWharf(after.players[after.seat].goods))
    if not loads:
        return _not_for_you(after, "nothing you can load")
    gains = {phrases.total(gains_of(own_events(after, load))[0]) for load in loads}
    return f"first load, {'up to ' * (len(gains) > 1)}{max(gains)} VP"


def _not_for_you(after: State, why: str) -> str:
    """Return why the chooser can bring no barrel anywhere."""
    return why if any(after.players[after.seat].goods) else "you have no barrels"


def _prospector_does(after: State, events: Sequence[Event]) -> str:
    found = [one for one in events if isinstance(one, Earned) and one.reason == "prospector"]
    return phrases.doubloons(sum(one.doubloons for one in found))


def _privilege(state: State) -> int:
    """Return how much the player who has taken a role gets for that (PR-B-LIBRARY)."""
    return 2 if state.players[state.chooser].colonists[LIBRARY] else 1


_PROMISES: dict[str, Callable[[State, Sequence[Event]], str]] = {
    "settler": _settler_does,
    "mayor": _mayor_does,
    "builder": _builder_does,
    "craftsman": _craftsman_does,
    "trader": _trader_does,
    "captain": _captain_does,
    "prospector": _prospector_does,
}
"""What a role brings who takes it, made from its beginning, so that no label promises what does not
come: in a few words, as a line of a menu also has the doubloons on the card."""


def promise(state: State, move: TakeRole) -> str:
    """Return what a role brings the player to move when it is taken now."""
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
