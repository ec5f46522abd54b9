"""Laws of positions: why a position cannot come from a game.

Only what a position shows is checked, and only what is certainly impossible is refused. Tokens,
discards and earlier turns may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from porto_cli.core import plural
from porto_cli.fields import Broken, more_than_the_box
from porto_cli.games.porto.engine import (
    CARDS,
    COLOR_OF,
    COLORS,
    DEALT,
    EMPTY,
    HOUSES,
    KEPT,
    NO_COLOR,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
)
from porto_cli.games.porto.engine.play import legal_builds
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER, State, clashes
from porto_cli.games.porto.engine.turn import timer_spaces


def broken_laws(state: State) -> Iterator[Broken]:
    """Yield why no game can lead to a state."""
    for laws in (_houses, _boxes, _private, _turn, _built, _mover):
        yield from laws(state)


def _houses(state: State) -> Iterator[Broken]:
    """P-BUILD-2, P-BUILD-3, P-BUILD-5, P-SETUP-2, P-TOKEN-1, P-ROOF-1."""
    config, box = state.config, state.config.edition
    for house in config.houses:
        name, height, count = HOUSES[house], config.heights[house], state.floors[house]
        color = state.colors[house]
        if count > height:
            yield "houses", f"{name} has room for {height} floors, not {count}.", name
        for other in clashes(state.colors, house, color):
            if color != NO_COLOR and other < house:
                both = f"{HOUSES[other]} and {name} are neighbors, so they cannot both be"
                yield "houses", f"{both} {COLORS[color]}.", name
    for color, name in enumerate(COLORS):
        houses = [house for house in config.houses if state.colors[house] == color]
        upper = sum(state.floors[house] - 1 for house in houses)
        ground = f"{name} ground floors"
        yield from more_than_the_box("houses", ground, box.ground_floors, len(houses))
        yield from more_than_the_box("houses", f"{name} upper floors", box.upper_floors, upper)
    for house in config.houses:
        name = HOUSES[house]
        if state.ground_tokens[house] and state.floors[house]:
            yield "ground-tokens", f"{name} already has a ground floor, so its token is gone.", name
        if state.roof_tokens[house] and state.is_complete(house):
            why = f"{name} is complete, so its roof token is gone."
            yield "roof-tokens", why, name
    moved, started = sum(map(bool, state.roof_tokens)), sum(map(bool, state.floors))
    if moved > started:
        why = f"{moved} tokens are on roofs, but only {started} houses are started."
        yield "roof-tokens", why
    tokens = state.ground_tokens + state.roof_tokens
    for value in sorted({*tokens} - {0}):
        key = "roof-tokens" if value in state.roof_tokens else "ground-tokens"
        have, needed = box.tokens.count(value), tokens.count(value)
        yield from more_than_the_box(key, f"tokens of {value} VP", have, needed)


def _boxes(state: State) -> Iterator[Broken]:
    """No more cards and contracts than the box holds."""
    cards = {
        "hands": b"".join(state.hands),
        "cards": state.cards,
        "discards": state.discards,
        "turned": state.turned,
        "timer": state.timer_deck,
        "comes-up": state.deck,
    }
    contracts = {"contracts": state.contracts, "contracts-come-up": state.contract_deck}
    yield from _more_than(state.config.construction_deck, cards, CARDS)
    yield from _more_than(state.config.public_deck, contracts, PUBLIC_NAMES)


def _more_than(box: bytes, seen: Mapping[str, bytes], names: Sequence[str]) -> Iterator[Broken]:
    everything = b"".join(seen.values())
    for thing in sorted({*everything} - {EMPTY}):
        key = next(key for key, things in seen.items() if thing in things)
        have, needed = box.count(thing), everything.count(thing)
        yield from more_than_the_box(key, names[thing], have, needed)


def _private(state: State) -> Iterator[Broken]:
    """P-SETUP-5."""
    players, deck = state.config.players, state.config.private_deck
    for key, hands, most in (("dealt", state.dealt, DEALT), ("private", state.kept, KEPT)):
        for player, seat_has in zip(players, hands, strict=False):
            count = len(seat_has)
            if count > most or (key == "dealt" and count < most):
                why = f"{player} should have {most} private contracts here, not {count}."
                yield key, why, player
            for contract in seat_has:
                have, needed = deck.count(contract), b"".join(hands).count(contract)
                name, dealt = PRIVATE_NAMES[contract], seat_has
                if key == "private" and state.dealt:
                    dealt = state.dealt[players.index(player)]
                yield from more_than_the_box(key, name, have, needed, player)
                if contract not in dealt:
                    yield key, f"{name} is not among those dealt to {player}.", player
                elif seat_has.count(contract) > dealt.count(contract):
                    yield key, f"{player} was dealt only {dealt.count(contract)} {name}.", player
    if not state.dealt:
        return
    if state.phase == KEEP and state.kept[state.seat]:
        player = players[state.seat]
        yield "private", f"{player} has kept private contracts, so the phase is not 'keep'.", player
    for seat, player in enumerate(players):
        if seat < state.turn + (state.phase != KEEP) and not state.kept[seat]:
            why = f"{player} has had a turn, so 'private' must name the contracts kept."
            yield "dealt", why, player


def _turn(state: State) -> Iterator[Broken]:
    """P-PUBLIC-2, P-PUBLIC-3, P-DRAW-2, P-DRAW-3, P-SOLO-2, P-SOLO-5, P-END-1."""
    config = state.config
    lying = sum(contract != EMPTY for contract in state.contracts)
    gone = config.public_total - lying - len(state.contract_deck)
    done = sum(state.fulfilled)
    # In the solo game the timer takes contracts as well.
    if gone < done or (gone > done and not config.timer):
        why = f"The players have fulfilled {done} public contracts, but {gone} are gone."
        yield "fulfilled", why
    waiting = state.deck_left + (len(state.discards) if state.phase != CONTRACTS else 0)
    for key, row, count in (
        ("cards", state.cards, waiting),
        ("contracts", state.contracts, len(state.contract_deck)),
    ):
        if state.phase == TIMER:
            for space in timer_spaces(state.turned):
                if space < len(row) and row[space] != EMPTY:
                    yield key, f"The timer has emptied space {space + 1}, so it has to be 'none'."
        elif state.phase != OVER and EMPTY in row and count:
            yield key, f"Space {row.index(EMPTY) + 1} is empty, but {count} could fill it."
    needed, end, now = config.roofs_to_end, state.end_round, state.round
    if not needed:
        return
    if (state.roofs >= needed) != bool(end):
        why = f"Roofs placed: {state.roofs}; the end is triggered by number {needed}."
        yield "end-triggered", why
    elif end and not end <= now <= end + 1:
        why = f"After an end triggered in round {end} there is no round {now}."
        yield "end-triggered", why
    elif state.phase == OVER and not 0 < end < now:
        why = f"The game is over one round after roof {needed}; roofs placed: {state.roofs}."
        yield "phase", why


def _mover(state: State) -> Iterator[Broken]:
    """P-SETUP-5, P-SOLO-4: the player to move has something to decide."""
    if state.is_out(state.seat) and state.phase != OVER:
        yield "out", "A player who has left is never to move."
    if state.phase == TIMER and not legal_builds(state):
        yield "turned", "Nothing can be built with these two cards, so the turn is over."


def _built(state: State) -> Iterator[Broken]:
    """P-BUILD-1, P-PUBLIC-1: the build that waits for its contracts."""
    built = state.built
    if built is None:
        return
    house, color = built.house, COLOR_OF[built.color]
    if state.colors[house] != color or state.floors[house] < built.floors:
        floors = plural(built.floors, f"{COLORS[color]} floor")
        yield "built", f"After this build {HOUSES[house]} has at least {floors}."
    for card in {built.number, built.color}:
        if (built.number, built.color).count(card) > state.discards.count(card):
            yield "discards", f"The {CARDS[card]} that was just played is not among them."
    if not state.claimable:
        yield "built", "This build meets none of the face-up contracts, so the turn is over."
