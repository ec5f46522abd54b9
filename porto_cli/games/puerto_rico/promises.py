"""What a choice leads to, and the form in which the numbers of a move are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import sub
from random import Random
from typing import Any

from porto_cli.core import InvalidMoveError
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import GOODS, LIBRARY, PLACES, QUARRY, ROLES
from porto_cli.games.puerto_rico.engine.boards import nearest_placement
from porto_cli.games.puerto_rico.engine.goods import takeable, yields
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    BY_WHARF,
    Build,
    ColonistsDealt,
    Event,
    Load,
    Loaded,
    LoadSmallWharf,
    Move,
    Place,
    Produced,
    Sell,
    Sold,
    Take,
    TakeRole,
    format_move,
    gains_of,
    onto_name,
)
from porto_cli.games.puerto_rico.engine.play import apply, begun, legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import (
    PLACE_NAMES,
    expand_move,
    format_bundle,
)
from porto_cli.term.prompt import Asker, Rules, Share, Sheet

# -- What choices lead to
#
# What their words do not say: what a role promises in a menu, made from the role as it begins (see
# :func:`begun`), and the placements that players think of.

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


def promise(state: State, move: TakeRole) -> str:
    """Return what a role brings the player to move when it is taken now.

    It is made from the role as it begins, so that no label promises what does not come. It is
    short, as a row of a menu also has the doubloons on the card.
    """
    after, events = begun(state, move)
    player = after.players[state.seat]
    privilege = 2 if player.colonists[LIBRARY] else 1
    match ROLES[move.role].removesuffix("-2"):
        case "settler" if not player.island_spaces:
            return "your island is full"
        case "settler":
            takes = [one.what for one in legal_moves(after) if isinstance(one, Take)]
            tiles = ["a plantation"] * any(after.row) + ["a quarry"] * (QUARRY in takes)
            return " or ".join(tiles) or "no tile is left"
        case "mayor":
            dealt = [event for event in events if isinstance(event, ColonistsDealt)]
            own = sum(one.colonists + one.privilege for one in dealt if one.seat == state.seat)
            every = sum(one.colonists + one.privilege for one in dealt)
            return f"{own} of {phrases.colonists(every)}"
        case "builder" if not player.city_spaces:
            return "your city is full"
        case "builder":
            can = any(isinstance(one, Build) for one in legal_moves(after, limit=ENOUGH))
            return f"build, {phrases.doubloons(privilege)} off" if can else "nothing you can build"
        case "craftsman":
            made = {one.seat: one.goods for one in events if isinstance(one, Produced)}
            extra = min(len(takeable(after)), privilege)
            anybody = any(map(any, made.values()))
            return _barrels(made[state.seat], extra) if anybody else "nobody produces"
        case "prospector":
            return phrases.doubloons(privilege)
        case _ if not any(player.goods):
            return "you have no barrels"
        case "trader":
            sales = [one for one in legal_moves(after) if isinstance(one, Sell)]
            _, best, earned = _best(after, sales, 1)
            sold = [f"{GOODS[one.good]} for " for one in best if isinstance(one, Sold)]
            return sold[0] + phrases.doubloons(earned) if best else "nothing you can sell"
        case "captain":
            load, best, vp = _best(after, _loads(after), 0)
            loaded = [phrases.goods(one.goods) for one in best if isinstance(one, Loaded)]
            least = "at least " if load and _can_load_more(after, load) else ""
            return f"load {loaded[0]} for {least}{vp} VP" if best else "nothing you can load"
    raise AssertionError(move)


def _barrels(own: bytes, extra: int) -> str:
    """Return what somebody produces."""
    kinds = phrases.counted(own, GOODS)
    if not kinds:
        return "nothing for you"
    several = f"{sum(own)} barrels, {len(kinds)} kinds"
    return (several if len(kinds) > _NAMED else ", ".join(kinds)) + f" +{extra}" * bool(extra)


def _loads(state: State) -> Iterator[Move]:
    """Yield what can be loaded first; of the small wharf only all barrels."""
    legal = legal_moves(state, limit=ENOUGH)
    yield from (move for move in legal if isinstance(move, Load))
    if any(isinstance(move, LoadSmallWharf) for move in legal):
        yield LoadSmallWharf(state.players[state.seat].goods)


def _can_load_more(state: State, load: Move) -> bool:
    """Return whether who loads first so could load something else later in the phase."""
    then, _ = apply(state, load, lambda stream, index, pile: 0)
    then.seat = state.seat
    return then.phase == state.phase and any(_loads(then))


def _best(state: State, moves: Iterable[Move], of: int) -> tuple[Move | None, list[Event], int]:
    """Return the move that brings most VP (``of`` 0) or doubloons (1), what it does, and how many
    it brings.
    """
    found = [(move, own_events(state, move)) for move in moves]
    gained = [phrases.total(gains_of(events)[of]) for _, events in found]
    if not found:
        return None, [], 0
    most = max(gained)
    return *found[gained.index(most)], most


def quick_move(state: State) -> Move:
    """Return the move that a bot makes at a glance, by what the player to move may know: what forms
    begin with.
    """
    # Player programs are loaded only where somebody chooses.
    from porto_cli.games.puerto_rico.players import priced, value_player

    known = game_of("puerto-rico").view(state, state.seat)
    move: Move = value_player(known, legal_moves(state, limit=priced.LISTED), Random(0))
    return move


def produced_by(state: State, colonists: bytes) -> str:
    """Return what colonists on these places would produce now."""
    return phrases.goods(yields(colonists, state.goods_supply))


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


# -- The form in which a player places all colonists, or loads barrels by the Small Wharf


def ask_numbers(asker: Asker, state: State, rules: Rules) -> str:
    """Ask the player to move where all colonists go, or which barrels the Small Wharf takes."""
    question = "Which barrels does the small wharf take?"
    if state.phase == MAYOR_PHASE:
        question = f"{state.config.players[state.seat]}, where do your colonists go?"
    form = sheet(state, asker.hinted)
    return form.move(asker.distribute(question, form, rules=rules))


def sheet(state: State, hinted: str = "") -> Sheet:
    """Return the form for a placement, or in the captain phase for a load by the Small Wharf: a row
    for each place with circles, or for each good. At first it is as ``hinted``, else as a bot would
    place at a glance, or has all barrels.
    """
    player, start = state.players[state.seat], _numbers(_read(hinted, state))
    names: Sequence[str]
    kind: type[Place | LoadSmallWharf]
    if is_placing := state.phase == MAYOR_PHASE:
        kind, names, most, total = Place, PLACES, player.circles, player.people
        text, start = "place {}", start or _numbers(quick_move(state))
        spent = "All your colonists are placed; first take one away elsewhere."
    else:
        kind, names, most, total = LoadSmallWharf, GOODS, player.goods, sum(player.goods)
        text, start = f"load {{}} {onto_name(BY_SMALL_WHARF)}", start or most
        spent = "Nothing is left for it."
    rows = [row for row, number in enumerate(most) if number]

    def made(numbers: Sequence[int]) -> Place | LoadSmallWharf:
        by_row = dict(zip(rows, numbers, strict=True))
        return kind(bytes(by_row.get(row, 0) for row in range(len(names))))

    def standing(numbers: Sequence[int]) -> str:
        used = sum(numbers)
        if not is_placing:
            return f"Barrels: {used}, for {used // 2} VP."
        produced = produced_by(state, *made(numbers))
        return f"Not placed: {total - used} of {total}. Produces {produced}."

    def read(words: str) -> list[int]:
        counts = _numbers(expand_move(text.format(words), state, state.seat))
        for row, number in enumerate(counts):
            if number and row not in rows:
                raise InvalidMoveError(f"You have no {names[row]}.")
        return [counts[row] for row in rows]

    return Sheet(
        [Share([(names[row], phrases.style_of(row))], start[row], most[row]) for row in rows],
        total,
        standing,
        lambda numbers: _fault(state, made(numbers)),
        spent,
        lambda numbers: format_move(made(numbers)),
        read,
    )


def _numbers(move: Move | None) -> bytes:
    """Return the numbers of a placement, or of a load by the Small Wharf; none of another move."""
    match move:
        case Place(numbers) | LoadSmallWharf(numbers):
            return numbers
    return b""


def placed(state: State, text: str) -> State | None:
    """Return the table with the colonists as a placement has them, as long as there are enough: it
    may be one that is not allowed yet. ``None`` for another text.
    """
    if state.phase != MAYOR_PHASE:
        return None
    new, player = state.copy(), state.players[state.seat].copy()
    move = _read(text, state)
    if not isinstance(move, Place) or sum(move.colonists) > player.people:
        return None
    player.san_juan = player.people - sum(move.colonists)
    player.colonists = move.colonists
    new.players[state.seat] = player
    return new


def loaded(state: State, text: str) -> dict[str, dict[str, Any]]:
    """Return the cargo ship that a move loads, as a view has it, before a full one is unloaded;
    nothing for another text.
    """
    move = _read(text, state)
    if not isinstance(move, Load) or violations(state, move, state.seat) or move.onto == BY_WHARF:
        return {}
    ship = state.config.box.cargo.index(move.onto)
    (load,) = (one for one in own_events(state, move) if isinstance(one, Loaded))
    barrels = state.cargo_barrels[ship] + sum(load.goods)
    return {str(move.onto): {"good": GOODS[move.good], "barrels": barrels}}


def _read(text: str, state: State) -> Move | None:
    """Return a move; ``None`` where the text is no whole one."""
    with suppress(InvalidMoveError):
        return expand_move(text, state, state.seat) if text else None
    return None


def _fault(state: State, move: Move) -> str | None:
    """Return the first rule that a move breaks, or ``None`` if it is legal."""
    broken = violations(state, move, state.seat)
    return broken[0].sentence if broken else None
