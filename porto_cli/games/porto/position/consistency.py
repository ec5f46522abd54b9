"""Whether a table could come about: why no game leads to a state that somebody wrote down.

Only what a position can show is judged, and only what is surely impossible. That a position
leaves out tokens, discards or earlier turns is nobody's fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
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
from porto_cli.games.porto.engine.generate import legal_builds
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER, State
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES


class Fault(NamedTuple):
    """Why a state cannot be: the key of the position it is about, the entry there, and why."""

    key: str
    entry: str
    sentence: Sentence


def faults(state: State) -> Iterator[Fault]:
    """Say what no game could lead to; nothing if there is nothing."""
    yield from _houses(state)
    yield from _tiles(state)
    yield from _tokens(state)
    yield from _boxes(state)
    yield from _private(state)
    yield from _fulfilled(state)
    yield from _empty_spaces(state)
    yield from _end(state)
    yield from _built(state)
    if state.phase == TIMER and not legal_builds(state):
        yield Fault(
            "turned",
            "",
            say("Nothing can be built with these two cards, so that the turn is over."),
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
            yield Fault(
                "houses",
                HOUSES[house],
                say(
                    "{house} has {height} floor spaces, so that {count} floors do not fit.",
                    house=HOUSES[house],
                    height=height,
                    count=count,
                ),
            )
        if color != NO_COLOR and color == state.colors[LEFT_OF[house]]:
            yield Fault(
                "houses",
                HOUSES[house],
                say(
                    "{left} and {house} are neighbors, so that they cannot both be {color}.",
                    left=HOUSES[LEFT_OF[house]],
                    house=HOUSES[house],
                    color=COLORS[color],
                ),
            )


def _tiles(state: State) -> Iterator[Fault]:
    """P-BUILD-3."""
    edition = state.config.edition
    for color, name in enumerate(COLORS):
        houses = [house for house in state.config.houses if state.colors[house] == color]
        upper = sum(state.floors[house] - 1 for house in houses)
        if len(houses) > edition.ground_floors:
            yield Fault(
                "houses",
                "",
                say(
                    "There are {ground} {color} ground floors, so that {houses} houses cannot be "
                    "{color}.",
                    ground=edition.ground_floors,
                    color=name,
                    houses=len(houses),
                ),
            )
        if upper > edition.upper_floors:
            yield Fault(
                "houses",
                "",
                say(
                    "There are {have} {color} upper floors, but these houses take {needed}.",
                    have=edition.upper_floors,
                    color=name,
                    needed=upper,
                ),
            )


def _tokens(state: State) -> Iterator[Fault]:
    """P-SETUP-2, P-TOKEN-1, P-ROOF-1."""
    for house in state.config.houses:
        if state.ground_tokens[house] and state.floors[house]:
            yield Fault(
                "ground-tokens",
                HOUSES[house],
                say(
                    "{house} has its ground floor, so that no token lies there any more.",
                    house=HOUSES[house],
                ),
            )
        if state.roof_tokens[house] and state.is_complete(house):
            yield Fault(
                "roof-tokens",
                HOUSES[house],
                say(
                    "{house} is complete, so that no token lies on its roof any more.",
                    house=HOUSES[house],
                ),
            )
    moved = sum(map(bool, state.roof_tokens))
    started = sum(map(bool, state.floors))
    if moved > started:
        yield Fault(
            "roof-tokens",
            "",
            say(
                "On roofs lie {moved} tokens, but only {started} houses are started, each of "
                "which gives one.",
                moved=moved,
                started=started,
            ),
        )
    tokens = state.ground_tokens + state.roof_tokens
    for value in sorted(set(tokens) - {0}):
        have = state.config.edition.tokens.count(value)
        if tokens.count(value) > have:
            yield Fault(
                "roof-tokens" if value in state.roof_tokens else "ground-tokens",
                "",
                say(
                    "There are {have} tokens of {value} VP, this position needs {needed}.",
                    have=have,
                    value=value,
                    needed=tokens.count(value),
                ),
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
            yield Fault(
                key,
                "",
                say(
                    "The box holds {have} {thing}, this position needs {needed}.",
                    have=box.count(thing),
                    thing=names[thing],
                    needed=everything.count(thing),
                ),
            )


def _private(state: State) -> Iterator[Fault]:
    """P-SETUP-5."""
    game = state.config
    deck = game.private_deck()
    for key, found, count in (("dealt", state.dealt, DEALT), ("private", state.kept, KEPT)):
        for seat, contracts in enumerate(found):
            player = game.players[seat]
            if len(contracts) > count or (key == "dealt" and len(contracts) < count):
                yield Fault(
                    key,
                    player,
                    say(
                        "{player} should have {count} private contracts here, not {found}.",
                        player=player,
                        count=count,
                        found=len(contracts),
                    ),
                )
            for contract in contracts:
                if b"".join(found).count(contract) > deck.count(contract):
                    yield Fault(
                        key,
                        player,
                        say(
                            "The box holds {have} {contract}, this position needs {needed}.",
                            have=deck.count(contract),
                            contract=PRIVATE_NAMES[contract],
                            needed=b"".join(found).count(contract),
                        ),
                    )
                elif key == "private" and state.dealt and contract not in state.dealt[seat]:
                    yield Fault(
                        key,
                        player,
                        say(
                            "{contract} is not among those dealt to {player}.",
                            contract=PRIVATE_NAMES[contract],
                            player=player,
                        ),
                    )
    if state.dealt:
        yield from _keeping(state)


def _keeping(state: State) -> Iterator[Fault]:
    players = state.config.players
    if state.phase == KEEP and state.kept[state.seat]:
        yield Fault(
            "private",
            players[state.seat],
            say(
                "{player} has kept private contracts, so that the phase is not 'keep'.",
                player=players[state.seat],
            ),
        )
    for seat, player in enumerate(players):
        if seat < state.turn + (state.phase != KEEP) and not state.kept[seat]:
            yield Fault(
                "dealt",
                player,
                say(
                    "{player} has had a turn, so that 'private' has to say what was kept.",
                    player=player,
                ),
            )


def _fulfilled(state: State) -> Iterator[Fault]:
    """P-PUBLIC-2; in the solo game P-SOLO-2 takes contracts as well."""
    lying = sum(contract != EMPTY for contract in state.contracts)
    gone = state.config.public_total - lying - len(state.contract_deck)
    fulfilled = sum(state.fulfilled)
    if gone < fulfilled or (gone > fulfilled and not state.config.timer):
        yield Fault(
            "fulfilled",
            "",
            say(
                "The players have fulfilled {fulfilled} public contracts, but {gone} are gone.",
                gone=gone,
                fulfilled=fulfilled,
            ),
        )


def _empty_spaces(state: State) -> Iterator[Fault]:
    """P-DRAW-2, P-DRAW-3, P-PUBLIC-3, P-SOLO-5."""
    if state.phase == OVER:
        return
    if state.phase == TIMER:
        for key, row in (("cards", state.cards), ("contracts", state.contracts)):
            for space in timer_spaces(state.turned):
                if space < len(row) and row[space] != EMPTY:
                    yield Fault(
                        key,
                        "",
                        say(
                            "The timer has emptied space {space}, so that 'none' lies there.",
                            space=space + 1,
                        ),
                    )
        return
    cards = state.deck_left + (len(state.discards) if state.phase != CONTRACTS else 0)
    for key, row, waiting in (
        ("cards", state.cards, cards),
        ("contracts", state.contracts, len(state.contract_deck)),
    ):
        if EMPTY in row and waiting:
            yield Fault(
                key,
                "",
                say(
                    "Space {space} is empty, but {waiting} could fill it.",
                    space=row.index(EMPTY) + 1,
                    waiting=waiting,
                ),
            )


def _end(state: State) -> Iterator[Fault]:
    """P-END-1."""
    needed = state.config.roofs_to_end
    if not needed:
        return
    if (state.roofs >= needed) != bool(state.end_round):
        yield Fault(
            "end-triggered",
            "",
            say(
                "Roofs placed: {roofs}; the end is triggered by number {needed}.",
                roofs=state.roofs,
                needed=needed,
            ),
        )
    elif state.end_round and not state.end_round <= state.round <= state.end_round + 1:
        yield Fault(
            "end-triggered",
            "",
            say(
                "After an end triggered in round {triggered} only round {last} follows, but this "
                "is round {round}.",
                triggered=state.end_round,
                last=state.end_round + 1,
                round=state.round,
            ),
        )
    elif state.phase == OVER and not 0 < state.end_round < state.round:
        yield Fault(
            "phase",
            "",
            say(
                "The game is over at the end of the round after the one in which the roof number "
                "{needed} was placed; roofs placed: {roofs}.",
                needed=needed,
                roofs=state.roofs,
            ),
        )


def _built(state: State) -> Iterator[Fault]:
    """P-BUILD-1, P-PUBLIC-1: the build that waits for its contracts."""
    built = state.built
    if built is None:
        return
    house, color = built.house, COLOR_OF[built.color]
    if state.colors[house] != color or state.floors[house] < built.floors:
        yield Fault(
            "built",
            "",
            say(
                "After this build {house} has at least {floors} floors in {color}.",
                house=HOUSES[house],
                floors=built.floors,
                color=COLORS[color],
            ),
        )
    for card in {built.number, built.color}:
        if (built.number, built.color).count(card) > state.discards.count(card):
            yield Fault(
                "discards",
                "",
                say("The {card} that was just played is not among them.", card=CARDS[card]),
            )
    if not state.claimable:
        yield Fault(
            "built",
            "",
            say("This build meets none of the face-up contracts, so that the turn is over."),
        )
