"""Consistency checks: why no game can lead to a position.

Only what a position shows is checked, and only what is certainly impossible. Tokens, discards and
earlier turns may be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porto_cli.games.porto.engine.components import (
    CARDS,
    COLOR_OF,
    COLORS,
    DEALT,
    EMPTY,
    HOUSES,
    KEPT,
    LEFT_OF,
    NO_COLOR,
    VALUE_OF,
)
from porto_cli.games.porto.engine.legal_moves import legal_builds
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER, State
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.scenario.cases import Fault, fault


def faults(state: State) -> Iterator[Fault]:
    """Return why no game can lead to a state; nothing if one can."""
    yield from _houses(state)
    yield from _tiles(state)
    yield from _tokens(state)
    yield from _boxes(state)
    yield from _private(state)
    yield from _fulfilled(state)
    yield from _empty_spaces(state)
    yield from _end(state)
    yield from _built(state)
    if state.is_out(state.seat) and state.phase != OVER:
        yield fault("Who has left is not to move.", "out")
    if state.phase == TIMER and not legal_builds(state):
        yield fault(
            "Nothing can be built with these two cards, so that the turn is over.", "turned"
        )


def timer_spaces(turned: bytes) -> tuple[int, int]:
    """Return the spaces, counted from 0, that two timer cards empty (P-SOLO-2, P-SOLO-3)."""
    first = VALUE_OF[turned[0]]
    return first - 1, first + VALUE_OF[turned[1]] - 1


def _houses(state: State) -> Iterator[Fault]:
    """P-BUILD-2, P-BUILD-5."""
    for house in state.config.houses:
        height, count, color = state.config.heights[house], state.floors[house], state.colors[house]
        if count > height:
            yield fault(
                "{house} has {height} floor spaces, so that {count} floors do not fit.",
                "houses",
                entry=HOUSES[house],
                house=HOUSES[house],
                height=height,
                count=count,
            )
        if color != NO_COLOR and color == state.colors[LEFT_OF[house]]:
            yield fault(
                "{left} and {house} are neighbors, so that they cannot both be {color}.",
                "houses",
                entry=HOUSES[house],
                left=HOUSES[LEFT_OF[house]],
                house=HOUSES[house],
                color=COLORS[color],
            )


def _tiles(state: State) -> Iterator[Fault]:
    """P-BUILD-3."""
    edition = state.config.edition
    for color, name in enumerate(COLORS):
        houses = [house for house in state.config.houses if state.colors[house] == color]
        upper = sum(state.floors[house] - 1 for house in houses)
        if len(houses) > edition.ground_floors:
            yield fault(
                "There are {ground} {color} ground floors, so that {houses} houses cannot be "
                "{color}.",
                "houses",
                ground=edition.ground_floors,
                color=name,
                houses=len(houses),
            )
        if upper > edition.upper_floors:
            yield fault(
                "There are {have} {color} upper floors, but these houses take {needed}.",
                "houses",
                have=edition.upper_floors,
                color=name,
                needed=upper,
            )


def _tokens(state: State) -> Iterator[Fault]:
    """P-SETUP-2, P-TOKEN-1, P-ROOF-1."""
    for house in state.config.houses:
        if state.ground_tokens[house] and state.floors[house]:
            yield fault(
                "{house} has its ground floor, so it has no token any more.",
                "ground-tokens",
                entry=HOUSES[house],
                house=HOUSES[house],
            )
        if state.roof_tokens[house] and state.is_complete(house):
            yield fault(
                "{house} is complete, so that no token lies on its roof any more.",
                "roof-tokens",
                entry=HOUSES[house],
                house=HOUSES[house],
            )
    moved = sum(map(bool, state.roof_tokens))
    started = sum(map(bool, state.floors))
    if moved > started:
        yield fault(
            "On roofs lie {moved} tokens, but only {started} houses are started, each of "
            "which gives one.",
            "roof-tokens",
            moved=moved,
            started=started,
        )
    tokens = state.ground_tokens + state.roof_tokens
    for value in sorted(set(tokens) - {0}):
        have = state.config.edition.tokens.count(value)
        if tokens.count(value) > have:
            yield fault(
                "There are {have} tokens of {value} VP, this position needs {needed}.",
                "roof-tokens" if value in state.roof_tokens else "ground-tokens",
                have=have,
                value=value,
                needed=tokens.count(value),
            )


def _boxes(state: State) -> Iterator[Fault]:
    """No more cards and contracts than the box holds."""
    game = state.config
    yield from _more_than(
        game.construction_deck(),
        {
            "hands": b"".join(state.hands),
            "cards": state.cards,
            "discards": state.discards,
            "turned": state.turned,
            "timer": state.timer_deck,
            "comes-up": state.deck,
        },
        CARDS,
    )
    yield from _more_than(
        game.public_deck(),
        {"contracts": state.contracts, "contracts-come-up": state.contract_deck},
        PUBLIC_NAMES,
    )


def _more_than(box: bytes, seen: dict[str, bytes], names: Sequence[str]) -> Iterator[Fault]:
    everything = b"".join(seen.values())
    for thing in sorted(set(everything) - {EMPTY}):
        if everything.count(thing) > box.count(thing):
            key = next(key for key, things in seen.items() if thing in things)
            yield fault(
                "The box holds {have} {thing}, this position needs {needed}.",
                key,
                have=box.count(thing),
                thing=names[thing],
                needed=everything.count(thing),
            )


def _private(state: State) -> Iterator[Fault]:
    """P-SETUP-5."""
    game = state.config
    deck = game.private_deck()
    for key, found, count in (("dealt", state.dealt, DEALT), ("private", state.kept, KEPT)):
        for seat, contracts in enumerate(found):
            player = game.players[seat]
            if len(contracts) > count or (key == "dealt" and len(contracts) < count):
                yield fault(
                    "{player} should have {count} private contracts here, not {found}.",
                    key,
                    entry=player,
                    player=player,
                    count=count,
                    found=len(contracts),
                )
            for contract in contracts:
                if b"".join(found).count(contract) > deck.count(contract):
                    yield fault(
                        "The box holds {have} {contract}, this position needs {needed}.",
                        key,
                        entry=player,
                        have=deck.count(contract),
                        contract=PRIVATE_NAMES[contract],
                        needed=b"".join(found).count(contract),
                    )
                elif key == "private" and state.dealt and contract not in state.dealt[seat]:
                    yield fault(
                        "{contract} is not among those dealt to {player}.",
                        key,
                        entry=player,
                        contract=PRIVATE_NAMES[contract],
                        player=player,
                    )
    if state.dealt:
        yield from _keeping(state)


def _keeping(state: State) -> Iterator[Fault]:
    players = state.config.players
    if state.phase == KEEP and state.kept[state.seat]:
        yield fault(
            "{player} has kept private contracts, so that the phase is not 'keep'.",
            "private",
            entry=players[state.seat],
            player=players[state.seat],
        )
    for seat, player in enumerate(players):
        if seat < state.turn + (state.phase != KEEP) and not state.kept[seat]:
            yield fault(
                "{player} has had a turn, so that 'private' has to say what was kept.",
                "dealt",
                entry=player,
                player=player,
            )


def _fulfilled(state: State) -> Iterator[Fault]:
    """P-PUBLIC-2; in the solo game P-SOLO-2 takes contracts as well."""
    lying = sum(contract != EMPTY for contract in state.contracts)
    gone = state.config.public_total - lying - len(state.contract_deck)
    fulfilled = sum(state.fulfilled)
    if gone < fulfilled or (gone > fulfilled and not state.config.timer):
        yield fault(
            "The players have fulfilled {fulfilled} public contracts, but {gone} are gone.",
            "fulfilled",
            gone=gone,
            fulfilled=fulfilled,
        )


def _empty_spaces(state: State) -> Iterator[Fault]:
    """P-DRAW-2, P-DRAW-3, P-PUBLIC-3, P-SOLO-5."""
    if state.phase == OVER:
        return
    if state.phase == TIMER:
        for key, row in (("cards", state.cards), ("contracts", state.contracts)):
            for space in timer_spaces(state.turned):
                if space < len(row) and row[space] != EMPTY:
                    yield fault(
                        "The timer has emptied space {space}, so it has to be 'none'.",
                        key,
                        space=space + 1,
                    )
        return
    cards = state.deck_left + (len(state.discards) if state.phase != CONTRACTS else 0)
    for key, row, waiting in (
        ("cards", state.cards, cards),
        ("contracts", state.contracts, len(state.contract_deck)),
    ):
        if EMPTY in row and waiting:
            yield fault(
                "Space {space} is empty, but {waiting} could fill it.",
                key,
                space=row.index(EMPTY) + 1,
                waiting=waiting,
            )


def _end(state: State) -> Iterator[Fault]:
    """P-END-1."""
    needed = state.config.roofs_to_end
    if not needed:
        return
    if (state.roofs >= needed) != bool(state.end_round):
        yield fault(
            "Roofs placed: {roofs}; the end is triggered by number {needed}.",
            "end-triggered",
            roofs=state.roofs,
            needed=needed,
        )
    elif state.end_round and not state.end_round <= state.round <= state.end_round + 1:
        yield fault(
            "After an end triggered in round {triggered} only round {last} follows, but this "
            "is round {round}.",
            "end-triggered",
            triggered=state.end_round,
            last=state.end_round + 1,
            round=state.round,
        )
    elif state.phase == OVER and not 0 < state.end_round < state.round:
        yield fault(
            "The game is over at the end of the round after the one in which the roof number "
            "{needed} was placed; roofs placed: {roofs}.",
            "phase",
            needed=needed,
            roofs=state.roofs,
        )


def _built(state: State) -> Iterator[Fault]:
    """P-BUILD-1, P-PUBLIC-1: the build that waits for its contracts."""
    built = state.built
    if built is None:
        return
    house, color = built.house, COLOR_OF[built.color]
    if state.colors[house] != color or state.floors[house] < built.floors:
        yield fault(
            "After this build {house} has at least {floors} floors in {color}.",
            "built",
            house=HOUSES[house],
            floors=built.floors,
            color=COLORS[color],
        )
    for card in {built.number, built.color}:
        if (built.number, built.color).count(card) > state.discards.count(card):
            yield fault(
                "The {card} that was just played is not among them.", "discards", card=CARDS[card]
            )
    if not state.claimable:
        yield fault(
            "This build meets none of the face-up contracts, so that the turn is over.", "built"
        )
