"""A game from its setup on: what chance decides before the first decision, and the moves of all
phases: which are legal, why others are not, and what each leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import sub
from typing import Any, NamedTuple

from porto_cli.core import Refusals, Violation, cited
from porto_cli.core.chance import Chance, drawn
from porto_cli.games.puerto_rico.engine import (
    BASE,
    BASE_KINDS,
    BIT,
    BUILDING,
    BUILDING_PLACES,
    CAPTAIN,
    COST,
    CRAFTSMAN,
    DRAFT,
    FOREST_HOUSE,
    HACIENDA,
    LIBRARY,
    LIGHTHOUSE,
    MAYOR,
    NO_GOOD,
    ONE,
    PLACES,
    PROSPECTOR,
    QUARRY,
    RANDOM,
    ROLES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
    counts_of,
    pile_of,
    set_of,
)
from porto_cli.games.puerto_rico.engine.boards import (
    count_placements,
    deal_colonists,
    end_build,
    end_tile,
    has_placing_decision,
    legal_builds,
    legal_placements,
    legal_tiles,
    play_build,
    play_placement,
    play_tile,
    refuse_build,
    refuse_placement,
    refuse_tile,
)
from porto_cli.games.puerto_rico.engine.effects import (
    STREAM,
    begin_phase,
    earn,
    end_role,
    guest_moves,
    play_guest,
    refuse_guest,
)
from porto_cli.games.puerto_rico.engine.goods import (
    LIGHTHOUSE_PAYS,
    count_loads,
    end_loading,
    end_production,
    end_sale,
    has_storing_decision,
    legal_loads,
    legal_privileges,
    legal_sales,
    legal_stores,
    play_load,
    play_privilege,
    play_sale,
    play_small_wharf,
    play_store,
    produce,
    produce_now,
    refuse_load,
    refuse_pass,
    refuse_privilege,
    refuse_sale,
    refuse_small_wharf,
    refuse_store,
    takeable,
)
from porto_cli.games.puerto_rico.engine.moves import (
    KINDS,
    PASS,
    Build,
    Choose,
    Chose,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Passed,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
    TookRole,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Config,
    Player,
    State,
)

# -- The setup: what chance decides before the first decision, the first state, and the draft

KINDS_OF_COST = {
    cost: set_of([place for place in buildings_in(VIOLET) if COST[place] == cost])
    for cost in sorted({COST[place] for place in buildings_in(VIOLET)})
}
"""The violet kinds of each cost, the lowest first."""

PLACES_OF_COST = {cost: (kinds & BASE_KINDS).bit_count() for cost, kinds in KINDS_OF_COST.items()}
"""The number of violet kinds of each cost in a game (PR-DRAFT-2)."""

_EITHER = BIT[HACIENDA] | BIT[FOREST_HOUSE]


class Deal(NamedTuple):
    """What chance decides before the first decision.

    ``kinds`` is the set of violet kinds in the game, empty if the players draft them; ``tiles`` is
    the row: how many plantations of each kind.
    """

    kinds: int
    tiles: bytes


def deal(config: Config, chance: Chance) -> Deal:
    """Draw the violet kinds, if they are random, and turn up the row."""
    return Deal(deal_kinds(config, chance), deal_tiles(config, chance))


def deal_kinds(config: Config, chance: Chance) -> int:
    """Return the violet kinds of the game; none before a draft (PR-SETUP-7, PR-RANDOM-1)."""
    if config.buildings != RANDOM:
        return config.kinds
    kinds = 0
    index = 0
    for cost, places in PLACES_OF_COST.items():
        for _ in range(places):
            allowed = buildings_in(kinds_allowed(kinds) & KINDS_OF_COST[cost])
            pile = bytes(sorted(allowed, key=PLACES.__getitem__))
            kinds |= BIT[pile[chance("buildings", index, pile)]]
            index += 1
    return kinds


def kinds_allowed(chosen: int) -> int:
    """Return the violet kinds that can still be chosen (PR-DRAFT-2, PR-DRAFT-3)."""
    allowed = VIOLET & ~chosen
    if chosen & _EITHER:
        allowed &= ~_EITHER
    for cost, kinds in KINDS_OF_COST.items():
        if (chosen & kinds).bit_count() >= PLACES_OF_COST[cost]:
            allowed &= ~kinds
    return allowed


def face_down_at_start(config: Config) -> bytes:
    """Return the plantations that are mixed face down, as a pile (PR-SETUP-3, PR-SETUP-4)."""
    starting = bytes(map(config.box.starting_tiles.count, range(len(config.plantations))))
    return pile_of(bytes(map(sub, config.plantations, starting)))


def deal_tiles(config: Config, chance: Chance) -> bytes:
    """Turn up the first row (PR-SETUP-4)."""
    return counts_of(drawn(face_down_at_start(config), config.row, STREAM, chance)[0])


def begin(config: Config, setup: Deal) -> State:
    """Return the table before the first decision (PR-SETUP-2 to PR-SETUP-7).

    Raises ValueError if the row has plantations that are not among those face down.
    """
    box = config.box
    state = State()
    state.config = config
    state.phase = DRAFT_PHASE if config.buildings == DRAFT else ROLE_PHASE
    state.players = [Player() for _ in config.players]
    for player, tile in zip(state.players, box.starting_tiles, strict=True):
        player.doubloons = box.doubloons
        player.add_tile(tile)
    state.violet = config.kinds if config.buildings == BASE else setup.kinds
    state.copies = copies_of(config, state.violet)
    state.row = setup.tiles
    face_down = counts_of(face_down_at_start(config))
    state.stack = pile_of(bytes(map(sub, face_down, setup.tiles)))
    state.tiles_drawn = sum(setup.tiles)
    state.quarries = config.quarries
    state.supply = box.colonists
    state.ship = box.ship
    state.goods_supply = config.barrels
    state.cargo_goods = ONE[NO_GOOD] * len(box.cargo)
    state.cargo_barrels = bytes(len(box.cargo))
    state.survey()
    return state


def copies_of(config: Config, violet: int) -> bytes:
    """Return the copies of each building, including the production buildings."""
    return bytes(
        number
        if place in BUILDING_PLACES and (not BUILDING[place].violet or violet & BIT[place])
        else 0
        for place, number in enumerate(config.copies)
    )


def refuse_choice(state: State, move: Choose) -> Refusals:
    """Yield why this building cannot be chosen for the game."""
    building, name = move.building, PLACES[move.building]
    if not VIOLET & BIT[building]:
        why = f"{name} is a production building; those are always in the game."
        yield "PR-DRAFT-1", why
        return
    if state.violet & BIT[building]:
        yield "PR-DRAFT-1", f"{name} has already been chosen."
    cost = COST[building]
    places = PLACES_OF_COST[cost]
    chosen = buildings_in(state.violet & KINDS_OF_COST[cost])
    if len(chosen) >= places:
        names = ", ".join(PLACES[place] for place in chosen)
        why = f"A game has {places} violet buildings that cost {cost}; already chosen: {names}."
        yield "PR-DRAFT-2", why
    if _EITHER & BIT[building]:
        for other in buildings_in(state.violet & _EITHER & ~BIT[building]):
            yield "PR-DRAFT-3", f"{name} cannot be chosen, because {PLACES[other]} was."


def play_choice(state: State, move: Choose, events: list[Event]) -> None:
    """Put the kind into the game; with the last one the first round begins."""
    state.violet |= BIT[move.building]
    state.copies = copies_of(state.config, state.violet)
    state.on_offer |= BIT[move.building]
    events.append(Chose(seat=state.seat, building=move.building))
    if state.violet.bit_count() == VIOLET_KINDS:
        state.phase = ROLE_PHASE
        state.seat = state.governor
    else:
        state.seat = (state.seat + 1) % state.config.seats


# -- Taking a role card, which begins a phase

_TAKE = tuple(TakeRole(role) for role in range(len(ROLES)))
_MAYOR_WITHOUT = TakeRole(MAYOR, no_colonist=True)


def legal_roles(state: State) -> list[Move]:
    """Return the role cards that can be taken (PR-ROUND-2, PR-ROLE-1, PR-MAYOR-1)."""
    taken = state.taken
    moves: list[Move] = [_TAKE[role] for role in state.config.box.roles if taken[role] == NOBODY]
    if taken[MAYOR] == NOBODY and state.supply:
        moves.append(_MAYOR_WITHOUT)
    moves += guest_moves(state)
    return moves


def refuse_role(state: State, move: TakeRole) -> Refusals:
    """Yield why this role card cannot be taken like this."""
    role, name = move.role, ROLES[move.role]
    if role not in state.config.box.roles:
        yield "PR-SETUP-2", f"There is no {name} with {state.config.seats} players."
    elif state.taken[role] != NOBODY:
        owner = state.config.players[state.taken[role]]
        yield "PR-ROLE-1", f"{owner} has already taken the {name} this round."
    if move.no_colonist:
        if role != MAYOR:
            yield "PR-MAYOR-1", f"The {name} card brings no colonist."
        elif not state.supply:
            yield "PR-MAYOR-1", "The supply is empty, so no colonist comes with the mayor."


def play_role(state: State, move: TakeRole, events: list[Event]) -> None:
    """Take a card and the doubloons on it, and begin the role (PR-ROLE-1)."""
    seat, role = state.seat, move.role
    doubloons = state.role_doubloons[role]
    state.taken = (*state.taken[:role], seat, *state.taken[role + 1 :])
    state.chooser = seat
    state.role = role
    events.append(TookRole(seat=seat, role=role, no_colonist=move.no_colonist))
    if doubloons:
        state.role_doubloons = (*state.role_doubloons[:role], 0, *state.role_doubloons[role + 1 :])
        earn(state, seat, "role", doubloons, events)
    if role >= PROSPECTOR:
        # PR-PROSPECTOR-1, PR-B-LIBRARY.
        library = state.players[seat].colonists[LIBRARY]
        earn(state, seat, "prospector", 2 if library else 1, events)
        end_role(state, events)
        return
    begin_phase(state, ROLES[role])
    if role == MAYOR:
        deal_colonists(state, move.no_colonist, events)
    elif role == CRAFTSMAN:
        produce(state, events)
    elif role == CAPTAIN and state.players[seat].colonists[LIGHTHOUSE]:
        # PR-B-LIGHTHOUSE: it pays its owner at once.
        earn(state, seat, "lighthouse", LIGHTHOUSE_PAYS, events)


def begun(state: State, move: TakeRole) -> tuple[State, list[Event]]:
    """Return the state after a role was taken, before the first decision in it, and what happened.

    ``move`` has to be legal. With the craftsman all players have produced, as if no guest moved
    (PR-B-GUEST-HOUSE). Nothing comes up before the end of a role, so no chance is needed.
    """
    new = state.copy()
    events: list[Event] = []
    play_role(new, move, events)
    while new.phase == CRAFTSMAN_PHASE:
        produce_now(new, PASS, events)
    return new, events


# -- The decision of each phase


def _never(state: State, move: Move) -> Refusals:
    """Refuse nothing: in most phases passing is always legal."""
    return iter(())


def _declining(end_turn: Callable[..., None]) -> Callable[..., None]:
    """Return the ``play`` of a pass that only ends the turn."""

    def play(state: State, move: Pass, events: list[Event], *chance: Chance) -> None:
        events.append(Passed(seat=state.seat))
        end_turn(state, events, *chance)

    return play


ALL_OF_THEM = 1 << 62
"""A limit that no list of moves reaches."""


class Decision(NamedTuple):
    """What the player to move can do in a phase."""

    task: str
    """What the player to move must do, if not pass, as in a sentence."""
    moves: dict[type[Move], tuple[Callable[[State, Any], Refusals], Callable[..., None]]]
    """The kinds of moves, except those of guests: the refusals of one, and what it does."""
    legal: Callable[..., list[Move]]
    """Lists the legal moves; where there can be too many, not many more than a limit."""
    counted: Callable[[State], int] | None = None
    """Counts the legal moves, where there can be too many."""
    no_pass: str = "PR-TURN-1"
    """The ruling that forbids passing, if it is not among the moves."""
    guests: Callable[[State], bool] = lambda state: True
    """Whether there is something to decide, so a guest may move (PR-B-GUEST-HOUSE)."""


_TILE = Decision(
    "take a tile",
    {Take: (refuse_tile, play_tile), Pass: (_never, _declining(end_tile))},
    legal_tiles,
    guests=lambda state: state.players[state.seat].island_spaces > 0,
)
DECISIONS: dict[str, Decision] = {
    DRAFT_PHASE: Decision(
        "choose a building for the game",
        {Choose: (refuse_choice, play_choice)},
        lambda state: [Choose(place) for place in buildings_in(kinds_allowed(state.violet))],
    ),
    ROLE_PHASE: Decision(
        "take a role", {TakeRole: (refuse_role, play_role)}, legal_roles, no_pass="PR-OPTIONAL-1"
    ),
    SETTLER_PHASE: _TILE,
    LIBRARY_PHASE: _TILE._replace(task="take a second tile"),
    MAYOR_PHASE: Decision(
        "place all colonists",
        {Place: (refuse_placement, play_placement)},
        legal_placements,
        count_placements,
        no_pass="PR-MAYOR-4",
    ),
    BUILDER_PHASE: Decision(
        "build",
        {Build: (refuse_build, play_build), Pass: (_never, _declining(end_build))},
        legal_builds,
        lambda state: len(legal_builds(state, ALL_OF_THEM)),
        guests=lambda state: state.players[state.seat].city_spaces > 0,
    ),
    CRAFTSMAN_PHASE: Decision(
        "move a guest",
        {Pass: (_never, produce_now)},
        lambda state: [PASS, *guest_moves(state)],
    ),
    PRIVILEGE_PHASE: Decision(
        "take an extra barrel",
        {Take: (refuse_privilege, play_privilege), Pass: (_never, _declining(end_production))},
        legal_privileges,
        guests=lambda state: bool(takeable(state)),
    ),
    TRADER_PHASE: Decision(
        "sell a barrel",
        {Sell: (refuse_sale, play_sale), Pass: (_never, _declining(end_sale))},
        legal_sales,
        guests=lambda state: any(state.players[state.seat].goods),
    ),
    CAPTAIN_PHASE: Decision(
        "load barrels",
        {
            Load: (refuse_load, play_load),
            LoadSmallWharf: (refuse_small_wharf, play_small_wharf),
            Pass: (refuse_pass, _declining(end_loading)),
        },
        legal_loads,
        count_loads,
        guests=lambda state: any(state.players[state.seat].goods),
    ),
    STORE_PHASE: Decision(
        "store barrels",
        {Store: (refuse_store, play_store)},
        legal_stores,
        no_pass="PR-STORE-2",
        guests=has_storing_decision,
    ),
}
"""The decision of each phase, except when the game is over."""

_NO_GUESTS = (DRAFT_PHASE, MAYOR_PHASE)
_WITH_TILES = (SETTLER_PHASE, LIBRARY_PHASE)


def must(phase: str, *, can_pass: bool) -> str:
    """Return what the player to move must do in a phase, or pass where the phase allows it."""
    decision = DECISIONS[phase]
    return f"{decision.task} or pass" if can_pass and Pass in decision.moves else decision.task


def can_pass(state: State) -> bool:
    """Return whether the player to move may pass."""
    refuse, _ = DECISIONS[state.phase].moves.get(Pass, (None, None))
    return refuse is not None and not any(refuse(state, PASS))


def _listed(state: State, limit: int) -> list[Move]:
    decision = DECISIONS[state.phase]
    return decision.legal(state, limit) if decision.counted else decision.legal(state)


def legal_moves(state: State, seat: int | None = None, limit: int | None = None) -> list[Move]:
    """Return all legal moves of a seat, or the first ``limit`` of them.

    The seat is that of the player to move by default; all others have none.
    """
    if state.phase == OVER or (seat is not None and seat != state.seat):
        return []
    return _listed(state, ALL_OF_THEM) if limit is None else _listed(state, limit)[:limit]


def count_moves(state: State, seat: int | None = None) -> int:
    """Return the number of legal moves of a seat, without listing them where there are too many."""
    if state.phase == OVER or (seat is not None and seat != state.seat):
        return 0
    decision = DECISIONS[state.phase]
    return decision.counted(state) if decision.counted else len(decision.legal(state))


def is_of_phase(state: State, move: Move) -> bool:
    """Return whether a move is of a kind that belongs to this phase.

    Raises TypeError if it is not a move at all.
    """
    kind, phase = type(move), state.phase
    if kind not in KINDS:
        raise TypeError(f"{move!r} is not a move")
    if phase == OVER or kind is MoveGuest:
        return phase != OVER and phase not in _NO_GUESTS
    if isinstance(move, Take):
        if phase == PRIVILEGE_PHASE:
            return move.what < QUARRY and not move.forest and not move.no_colonist
        return phase in _WITH_TILES and move.second == NO_GOOD
    return kind in DECISIONS[phase].moves


def violations(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every ruling that the move of a seat would break; none if it is legal.

    Raises TypeError if ``move`` is not a move.
    """
    of_phase = is_of_phase(state, move)
    return [Violation(rule, why) for rule, why in _refuse(state, move, seat, of_phase)]


def _refuse(state: State, move: Move, seat: int | None, of_phase: bool) -> Refusals:
    players, phase = state.config.players, state.phase
    mover = players[state.seat]
    if phase == OVER:
        yield "PR-TURN-1", "The game is over."
    elif seat is not None and seat != state.seat:
        yield "PR-TURN-1", f"It is {mover}'s turn, not {players[seat]}'s."
    elif not of_phase and isinstance(move, MoveGuest):
        yield "PR-B-GUEST-HOUSE", "Guests move neither in the draft nor in the mayor phase."
    elif not of_phase:
        rule = DECISIONS[phase].no_pass if isinstance(move, Pass) else "PR-TURN-1"
        role = ROLES[state.role] if state.role != NO_ROLE else ""
        when = f"It is the {role} phase: " if role else ""
        # Whose turn it is comes before what this move is for, if that is one other role.
        of = [one for one in DECISIONS if type(move) in DECISIONS[one].moves]
        is_other = len(of) == 1 and of[0] in ROLES and of[0] != role
        why = f" {cited(str(move).split()[0])} is for the {of[0]} phase." if is_other else ""
        yield rule, f"{when}{mover} must {must(phase, can_pass=can_pass(state))}.{why}"
    elif isinstance(move, MoveGuest):
        yield from refuse_guest(state, move, occasion=DECISIONS[phase].guests(state))
    else:
        yield from DECISIONS[phase].moves[type(move)][0](state, move)


def apply(
    state: State, move: Move, chance: Chance, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move, and what happened; the given state is not changed.

    Legality is not checked: ask :func:`violations` first, or take a move of :func:`legal_moves`.
    Moves without an alternative then follow at once (PR-AUTO-1); their events are marked ``auto``.
    Raises TypeError if ``move`` is not a move, ValueError if it does not belong to this phase or
    seat, and whatever ``chance`` raises.
    """
    if not is_of_phase(state, move) or seat not in (None, state.seat):
        raise ValueError(f"{move!r} cannot be made in phase {state.phase} by seat {seat}")
    new = state.copy()
    new.turn += 1
    events: list[Event] = []
    _play(new, move, chance, events)
    chosen = len(events)
    forced = forced_move(new)
    while forced is not None:
        _play(new, forced, chance, events)
        forced = forced_move(new)
    return new, [*events[:chosen], *(event.automatic() for event in events[chosen:])]


def forced_move(state: State) -> Move | None:
    """Return the only legal move, which is made automatically (PR-AUTO-1); never a role card."""
    phase = state.phase
    # Much faster than listing two placements.
    if phase in (ROLE_PHASE, OVER) or (phase == MAYOR_PHASE and has_placing_decision(state)):
        return None
    moves = _listed(state, 2)
    return moves[0] if len(moves) == 1 else None


def _play(state: State, move: Move, chance: Chance, events: list[Event]) -> None:
    if isinstance(move, MoveGuest):
        play_guest(state, move, events)
        return
    _, play = DECISIONS[state.phase].moves[type(move)]
    if state.phase in _WITH_TILES:
        play(state, move, events, chance)
    else:
        play(state, move, events)
