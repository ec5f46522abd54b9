"""Positions for the tests, written with names: what is not said is as after a setup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from porto_cli.games.puerto_rico.engine import (
    BIT,
    GOODS,
    NO_GOOD,
    PLACES,
    ROLES,
    buildings_in,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.moves import Event
from porto_cli.games.puerto_rico.engine.play import apply, begin, copies_of, deal, violations
from porto_cli.games.puerto_rico.engine.state import NOBODY, Config, State
from porto_cli.games.puerto_rico.notation import (
    GOOD_NAMES,
    PLACE_NAMES,
    TILE_NAMES,
    expand_move,
    parse_bundle,
)


def first(stream: str, index: int, pile: bytes) -> int:
    """The chance that always turns up the first of the pile."""
    return 0


def coming(*names: str) -> Callable[[str, int, bytes], int]:
    """The chance that turns up these tiles in order."""
    left = list(names)

    def chance(stream: str, index: int, pile: bytes) -> int:
        return pile.index(GOODS.index(left.pop(0)))

    return chance


def goods(text: str) -> bytes:
    return parse_bundle(text.split(), GOOD_NAMES)


def places(text: str) -> bytes:
    return parse_bundle(text.split(), PLACE_NAMES)


def kinds(text: str) -> int:
    return sum(BIT[PLACES.index(name)] for name in text.split())


ROLE_OF = {"library": "settler", "privilege": "craftsman", "store": "captain"}


def table(
    players: int = 3,
    phase: str = "role",
    *,
    buildings: str = "base",
    rulebook: str = "printed",
    violet: str = "",
    to_move: int | None = None,
    chooser: int = 0,
    **facts: Any,
) -> State:
    """A position. ``a``, ``b`` … are what these seats have, as ``{"goods": "corn 2", …}``."""
    config = Config(tuple("ABCDE"[:players]), buildings=buildings, rulebook=rulebook)
    state = begin(config, deal(config, first))
    state.phase = phase
    if violet:
        state.violet |= kinds(violet)
    if phase == "draft":
        state.violet = kinds(violet)
    state.copies = copies_of(config, state.violet)
    if phase not in ("role", "draft", "over"):
        role = ROLES.index(ROLE_OF.get(phase, phase))
        state.role = role
        state.chooser = chooser
        state.seat = chooser
        taken = [NOBODY] * len(ROLES)
        others = [other for other in config.box.roles if other != role]
        for turn in range(chooser):
            taken[others[turn]] = turn
        taken[role] = chooser
        state.taken = tuple(taken)
    if to_move is not None:
        state.seat = to_move
    for seat, name in enumerate("abcde"[:players]):
        give(state, seat, facts.pop(name, {}))
    if "cargo" in facts:
        carried, barrels = bytearray(state.cargo_goods), bytearray(state.cargo_barrels)
        for ship, text in facts.pop("cargo").items():
            loaded = goods(text)
            index = config.box.cargo.index(ship)
            barrels[index] = sum(loaded)
            carried[index] = next((good for good, n in enumerate(loaded) if n), NO_GOOD)
        state.cargo_goods, state.cargo_barrels = bytes(carried), bytes(barrels)
    if "house" in facts:
        house = goods(facts.pop("house"))
        state.trading_house = b"".join(bytes([good]) * n for good, n in enumerate(house))
    if "row" in facts:
        state.row = goods(facts.pop("row"))
    if "stack" in facts:
        state.stack = pile_of(goods(facts.pop("stack")))
    for name in ("discards", "produced", "goods_supply"):
        if name in facts:
            setattr(state, name, goods(facts.pop(name)))
    for name, fact in facts.items():
        assert hasattr(state, name), name
        setattr(state, name, fact)
    state.survey()
    return state


def expansion(players: int, phase: str, violet: str, **facts: Any) -> State:
    """A position with these violet buildings in the game."""
    return table(players, phase, buildings="random", violet=violet, **facts)


def give(state: State, seat: int, has: dict[str, Any]) -> None:
    player = state.players[seat]
    for name, fact in sorted(has.items(), key=lambda item: item[0] == "full"):
        if name == "goods":
            player.goods = goods(fact)
        elif name == "island":
            player.island = parse_bundle(fact.split(), TILE_NAMES)
        elif name == "city":
            player.city = kinds(fact)
        elif name == "colonists":
            player.colonists = places(fact)
        elif name == "full":
            # Every building of the list is owned, with a colonist on it.
            player.city |= kinds(fact)
            colonists = bytearray(player.colonists)
            for place in buildings_in(kinds(fact)):
                colonists[place] = max(1, colonists[place])
            player.colonists = bytes(colonists)
        else:
            assert hasattr(player, name), name
            setattr(player, name, fact)


class Played(NamedTuple):
    """What a line of moves led to."""

    state: State
    events: list[Event]


def play(state: State, *moves: str, chance: Any = first) -> Played:
    """Make moves, each of them legal, one after the other."""
    events: list[Event] = []
    for text in moves:
        move = expand_move(text, state)
        assert violations(state, move) == [], text
        before = repr(state.contents())
        new, more = apply(state, move, chance)
        assert repr(state.contents()) == before
        state, events = new, events + more
    return Played(state, events)
