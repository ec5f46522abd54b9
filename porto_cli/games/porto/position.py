"""Positions of Porto: read from a few keys, written, and made of a turn of a running game.

A position names only what matters. The rest is as after a fresh setup with nothing built, without
tokens and with empty hands. Face-up cards and contracts that are not given are dealt from what is
not seen elsewhere, by the chance of a record with the seed ``scenario``
(:mod:`porto_cli.core.chance`), so they are the same every time; the same seed continues where
``comes-up`` and ``contracts-come-up`` end.

:class:`porto_cli.fields.Positions` describes the public names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy

from porto_cli.core import InvalidMoveError, cited, whole_number
from porto_cli.core.chance import less
from porto_cli.core.yaml import Node
from porto_cli.fields import (
    Answers,
    Expectation,
    Field,
    Given,
    Position,
    compared,
    described,
    turn_up,
    unusual_lines,
    unwritten,
)
from porto_cli.games.porto.editions import DEFAULT, edition_lines, shipped
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HIDDEN,
    HOUSES,
    NO_COLOR,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    VALUE_OF,
    card_names,
    parse_color,
    parse_house,
    parse_private,
    parse_public,
)
from porto_cli.games.porto.engine.cards import SEALED_WORD
from porto_cli.games.porto.engine.play import Build
from porto_cli.games.porto.engine.scoring import LEVELS, LOST, level, met_by, places
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    Built,
    Config,
    Deal,
    State,
    begin,
)
from porto_cli.games.porto.engine.turn import (
    FLOORS,
    GROUND_TOKEN,
    NEIGHBORS,
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    ROOF_TOKEN,
    Event,
    Refilled,
    Scored,
    TimerTurned,
    finish,
    scored_in,
    timer_spaces,
)
from porto_cli.games.porto.game import CARD, CONTRACT, HOUSE, USUAL, options_of
from porto_cli.games.porto.laws import broken_laws
from porto_cli.games.porto.notation import parse_move
from porto_cli.kinds import (
    NONE,
    NUMBER,
    SEAT,
    Kind,
    Plain,
    by,
    many,
    maybe,
    name,
    number,
    parsed,
    word,
)
from porto_cli.seam import Step

# -- Kinds


def _in_order(things: Iterable[int]) -> bytes:
    return bytes(sorted(things))


COMPLETE = "complete"
"""Stands for the number of floors of a house with its roof, whatever its height."""


def _read_floors(node: Node, config: Config) -> tuple[int, int, bool]:
    """Read the floors of a house, like ``blue 2``, ``blue complete`` or ``none``."""
    words = node.text().split()
    if words == [NONE]:
        return NO_COLOR, 0, False
    try:
        color, floors = words
        height = config.heights[parse_house(node.name)]
        count = height if floors == COMPLETE else whole_number(floors)
        if 0 < count < 100:
            return parse_color(color), count, count == height
    except (ValueError, InvalidMoveError):
        pass
    node.fail(
        f"{node.name} should have a color and a number of floors, like 'blue 2', or "
        f"'blue complete', or 'none'; {cited(' '.join(words))} is not."
    )


def _write_floors(has: tuple[int, int, bool], config: Config) -> str:
    color, floors, complete = has
    return f"{COLORS[color]} {COMPLETE if complete else floors}" if floors else NONE


def _read_built(node: Node, config: Config) -> Built:
    """Read the build; whether it completed its house is seen later, from the house."""
    empty = begin(config, Deal(bytes(len(HOUSES)), b"", b""))
    move = node.parsed(lambda text: parse_move(text, empty))
    if not isinstance(move, Build):
        node.fail("'built' should be the build that was just made.")
    return Built(move.number, move.color, move.house, VALUE_OF[move.number], False)


def _write_built(built: Built | None, config: Config) -> str:
    if built is None:
        return NONE
    return f"build {CARDS[built.number]} {CARDS[built.color]} {HOUSES[built.house]}"


PRIVATE = parsed(parse_private, lambda one: SEALED_WORD if one == HIDDEN else PRIVATE_NAMES[one])
FLOORS_OF = by(HOUSE, Kind(_read_floors, _write_floors))
TOKENS, OF_COLORS = by(HOUSE, maybe(number(1, 9), 0)), by(name(parse_color, COLORS), NUMBER)
NUMBERS, CARDS_IN_HAND = by(SEAT, NUMBER), by(SEAT, many(CARD, _in_order))


def _of_houses(state: State, things: bytes) -> dict[int, int]:
    return {house: things[house] for house in state.config.houses}


FIELDS = {
    "phase": Field(word(KEEP, ACT, CONTRACTS, TIMER, OVER), lambda s: s.phase),
    "round": Field(number(1), lambda s: s.round, usual=lambda s: 1),
    "to-move": Field(
        SEAT,
        lambda s: s.seat,
        usual=lambda s: s.seat if s.config.seats == 1 or s.phase == OVER else None,
    ),
    "out": Field(many(SEAT, lambda seats: tuple(sorted({*seats}))), lambda s: tuple(sorted(s.out))),
    "end-triggered": Field(maybe(number(1), 0), lambda s: s.end_round),
    "scores": Field(NUMBERS, lambda s: dict(enumerate(s.scores))),
    "houses": Field(
        FLOORS_OF,
        lambda s: {h: (s.colors[h], s.floors[h], s.is_complete(h)) for h in s.config.houses},
    ),
    "ground-tokens": Field(TOKENS, lambda s: _of_houses(s, s.ground_tokens)),
    "roof-tokens": Field(TOKENS, lambda s: _of_houses(s, s.roof_tokens)),
    "hands": Field(CARDS_IN_HAND, lambda s: dict(enumerate(s.hands))),
    "cards": Field(many(CARD, count=CARD_SPACES, empty=EMPTY), lambda s: s.cards),
    "contracts": Field(many(CONTRACT, count=CONTRACT_SPACES, empty=EMPTY), lambda s: s.contracts),
    "comes-up": Field(many(CARD)),
    "contracts-come-up": Field(many(CONTRACT)),
    "discards": Field(many(CARD, _in_order), lambda s: _in_order(s.discards)),
    "deck": unwritten(NUMBER, lambda s: s.deck_left),
    "fulfilled": Field(NUMBERS, lambda s: dict(enumerate(s.fulfilled))),
    "contracts-gone": Field(
        many(CONTRACT, _in_order),
        lambda s: less(s.config.public_deck, s.contract_deck + _lying(s.contracts)),
    ),
    "contract-deck": unwritten(NUMBER, lambda s: len(s.contract_deck)),
    # These are secrets.
    "private": unwritten(by(SEAT, many(PRIVATE, _in_order)), lambda s: dict(enumerate(s.kept))),
    "dealt": unwritten(by(SEAT, many(PRIVATE)), lambda s: dict(enumerate(s.dealt))),
    "built": Field(Kind(_read_built, _write_built), lambda s: s.built),
    "timer": Field(many(CARD)),
    "turned": Field(many(CARD), lambda s: s.turned),
    "roofs": Field(NUMBER, lambda s: s.roofs, given=False),
    "ground-floors": Field(OF_COLORS, lambda s: dict(enumerate(s.ground_left)), given=False),
    "upper-floors": Field(OF_COLORS, lambda s: dict(enumerate(s.upper_left)), given=False),
    "timer-left": Field(NUMBER, lambda s: s.timer_left, given=False),
    "places": Field(NUMBERS, lambda s: dict(enumerate(places(s))), given=False),
    "level": Field(word(LOST, *(one for _, one in reversed(LEVELS))), level, given=False),
}
"""All keys of a position."""
_STREAMS = {"cards": "comes-up", "contracts": "contracts-come-up", "timer": "timer"}
"""The streams of chance, and the keys that say what they yield."""


# -- Reading


def read_position(node: Node, config: Config, *, unchecked: bool = False) -> Position:
    """Return the position of a node; without private contracts in it, none are played."""
    given = Given(FIELDS, node, config)
    config = _with_or_without_private_contracts(config, given)
    state = begin(config, Deal(bytes(len(HOUSES)), b"", b""))
    _lay_houses(state, given)
    state.phase = _phase(config, given)
    state.out, state.turned = frozenset(given.get("out", ())), given.get("turned", b"")
    _lay_turn(state, given)
    state.scores = given.each("scores", config.seats, 0)
    state.fulfilled = given.each("fulfilled", config.seats, 0)
    _lay_private_contracts(state, given)
    _lay_contracts(state, given)
    _lay_cards(state, given)
    state.survey()
    if built := given.get("built"):
        state.built = built._replace(completed=state.is_complete(built.house))
        state.claimable = met_by(state.built, state.contracts)
    if not unchecked:
        given.refuse(broken_laws(state))
    first = {
        "cards": state.cards_drawn,
        "contracts": config.public_total - len(state.contract_deck),
        "timer": config.timer - state.timer_left,
    }
    return given.position(state, _STREAMS, first, "cards", "timer")


def _with_or_without_private_contracts(config: Config, given: Given) -> Config:
    keys = [key for key in ("dealt", "private") if key in given]
    if not keys and given.get("phase") != KEEP:
        config = copy(config)
        config.private_contracts = False
        return config
    if not config.private_contracts:
        given.fail(keys[0] if keys else "phase", "This game is played without private contracts.")
    return config


def _lay_houses(state: State, given: Given) -> None:
    floors, colors = bytearray(state.floors), bytearray(state.colors)
    ground, upper = list(state.ground_left), list(state.upper_left)
    for house, (color, count, _) in given.get("houses", {}).items():
        if count:
            floors[house], colors[house] = count, color
            ground[color] -= 1
            upper[color] -= count - 1
    state.floors, state.colors = bytes(floors), bytes(colors)
    state.ground_left = bytes(max(left, 0) for left in ground)
    state.upper_left = bytes(max(left, 0) for left in upper)
    state.roofs = sum(map(state.is_complete, state.config.houses))
    state.ground_tokens = bytes(given.each("ground-tokens", len(HOUSES), 0))
    state.roof_tokens = bytes(given.each("roof-tokens", len(HOUSES), 0))


def _phase(config: Config, given: Given) -> str:
    """Return the phase that is given, or the one that follows from the other keys."""
    if "phase" in given:
        phase: str = given["phase"]
    elif "built" in given:
        phase = CONTRACTS
    elif "turned" in given:
        phase = TIMER
    elif "dealt" in given and given.get("to-move", 0) not in given.get("private", {}):
        phase = KEEP
    else:
        phase = ACT
    for key, required in (("built", CONTRACTS), ("turned", TIMER)):
        if (key in given) != (phase == required):
            given.fail(
                key if key in given else "phase",
                f"'{key}' requires phase '{required}', and vice versa.",
            )
    for key in ("timer", "turned"):
        if key in given and not config.timer:
            given.fail(key, "Only a solo game has a timer.")
    if phase == TIMER and len(given["turned"]) != 2:
        given.fail("turned", "The timer turns up two cards.")
    return phase


def _lay_turn(state: State, given: Given) -> None:
    """Set round, seat, timer and end; the last round is the one after the end was triggered."""
    seats, timer, over = state.config.seats, state.config.timer, state.phase == OVER
    if over and timer:
        round_ = timer // 2
    else:
        round_ = given.get("round", given.get("end-triggered", 1) + 1 if over else 1)
    state.turn = round_ * seats if over else (round_ - 1) * seats + given.get("to-move", 0)
    state.seat = state.turn % seats
    if timer:
        state.timer_left = timer - 2 * (round_ if state.phase in (TIMER, OVER) else round_ - 1)
        if state.timer_left < 0 or (not state.timer_left and state.phase == ACT):
            given.fail("round", f"A timer of {timer} cards lasts {timer // 2} rounds.")
        if "end-triggered" in given:
            given.fail("end-triggered", "Roofs do not end a solo game.")
    triggered = not timer and state.roofs >= state.config.roofs_to_end
    state.end_round = given.get("end-triggered", (round_ - over) if triggered else 0)


def _lay_private_contracts(state: State, given: Given) -> None:
    """Set the private contracts; a deal that matters and is not given is made by the seed."""
    dealt = given.get("dealt", {})
    state.kept = given.each("private", state.config.seats, b"")
    if not dealt and state.phase != KEEP:
        return
    known = [dealt.get(seat, kept) for seat, kept in enumerate(state.kept)]
    deck, hands = less(state.config.private_deck, b"".join(known)), []
    for seat, contracts in enumerate(known):
        missing = 0 if seat in dealt else DEALT - len(contracts)
        more = turn_up(deck, missing, "private", start=DEALT * seat)
        deck = less(deck, more)
        hands.append(contracts + more)
    state.dealt = tuple(hands)


def _lay_contracts(state: State, given: Given) -> None:
    coming, gone = given.get("contracts-come-up", b""), given.get("contracts-gone", b"")
    row = given.get("contracts", b"")
    deck = less(state.config.public_deck, _lying(row) + gone)
    if "contracts" not in given:
        row, deck = _dealt_row(state, deck, "contracts", coming, CONTRACT_SPACES)
    surplus = max(0, sum(state.fulfilled) - len(gone))
    if "contract-deck" in given:
        surplus = _surplus(given, "contract-deck", len(deck), "contracts-gone")
    deck = less(deck, turn_up(deck, surplus, "contracts", coming, start=CONTRACT_SPACES))
    given.refuse_more_than(deck, coming, "contracts-come-up", PUBLIC_NAMES)
    state.contracts, state.contract_deck = row, deck


def _lay_cards(state: State, given: Given) -> None:
    built = given.get("built")
    state.hands = given.each("hands", state.config.seats, b"")
    coming, timer = given.get("comes-up", b""), given.get("timer", b"")
    discards = given.get("discards", bytes((built.number, built.color)) if built else b"")
    row = given.get("cards", b"")
    box = state.config.construction_deck
    deck = less(box, b"".join([*state.hands, _lying(row), discards, state.turned]))
    if "cards" not in given:
        row, deck = _dealt_row(state, deck, "cards", coming + timer, CARD_SPACES)
    left = state.timer_left
    if len(timer) > left:
        given.fail("timer", f"In this round {left} timer cards are left, not {len(timer)}.")
    if len(deck) < left:
        given.fail(
            "round",
            f"In this round {left} timer cards are left, but only {len(deck)} cards are face down.",
        )
    if "deck" in given:
        surplus = _surplus(given, "deck", len(deck) - left, "discards")
        more = turn_up(deck, surplus, "cards", coming[: given["deck"]] + timer, start=CARD_SPACES)
        deck = less(deck, more)
        discards += more
    state.cards, state.discards = row, discards
    state.cards_drawn = len(box) - len(deck)
    state.deck = deck
    if timer and len(timer) == left:
        state.timer_deck, state.deck = bytes(sorted(timer)), less(deck, timer)
    # What comes up before the deck runs out has to be face down now.
    given.refuse_more_than(less(deck, timer), coming[: state.deck_left], "comes-up", CARDS)


def _lying(row: bytes) -> bytes:
    return row.replace(bytes([EMPTY]), b"")


def _dealt_row(
    state: State, deck: bytes, stream: str, coming: bytes, spaces: int
) -> tuple[bytes, bytes]:
    """Return a row dealt from a deck, without what the timer cards have taken (P-SOLO-2), and the
    rest of the deck.
    """
    row = bytearray(turn_up(deck, spaces, stream, coming).ljust(spaces, bytes([EMPTY])))
    for space in timer_spaces(state.turned) if state.phase == TIMER else ():
        if space < spaces:
            row[space] = EMPTY
    dealt = bytes(row)
    return dealt, less(deck, dealt)


def _surplus(given: Given, key: str, left: int, others: str) -> int:
    """Return how many things have to leave a deck so that as many are left as the key says."""
    wanted: int = given[key]
    if wanted > left or (wanted < left and others in given):
        given.fail(key, f"From the other keys, {left} are left in the deck, not {wanted}.")
    return left - wanted


# -- Writing


def without_secrets(state: State) -> State:
    """Return a table past the choice of private contracts, which is a secret."""
    if state.phase != KEEP or state.is_revealing:
        return state
    state = state.copy()
    state.phase = ACT
    return state


def header_lines(config: Config) -> list[str]:
    """Return the lines of the edition and options that are not the default."""
    lines = []
    if config.edition != shipped(DEFAULT):
        lines += ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    return lines + unusual_lines(options_of(config), USUAL)


def describe_position(state: State, events: Iterable[Event] = ()) -> dict[str, Plain]:
    """Return the keys of a position; what came up in the events comes up next."""
    # A game whose private contracts still have to be revealed has ended.
    over = state.phase == OVER or state.is_revealing
    own = {"phase": OVER if over else None, **_coming(state, events)}
    return described(FIELDS, state, own)


def _coming(state: State, events: Iterable[Event]) -> dict[str, Plain | None]:
    coming = dict.fromkeys(_STREAMS, b"")
    for event in events:
        if isinstance(event, TimerTurned):
            coming["timer"] += event.turned
        elif isinstance(event, Refilled):
            coming[event.row] += event.came_up
    coming["timer"] += less(state.timer_deck, coming["timer"])
    return {
        key: FIELDS[key].kind.write(coming[stream], state.config) or None
        for stream, key in _STREAMS.items()
    }


def consequences(step: Step) -> dict[str, Plain]:
    """Return what a turn scored, and the hand and score of its player after it."""
    player = step.before.config.players[step.seat]
    scores = {event.contract or event.kind: event.vp for event in scored_in(step.events)}
    then: dict[str, Plain] = {"hands": {player: tuple(card_names(step.after.hands[step.seat]))}}
    if scores:
        then["scores"] = {player: step.before.scores[step.seat] + sum(scores.values())}
    return {"scores": dict(scores), "then": then}


# -- What else can be expected


_BUILD_REASONS = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN)
_TOTAL, _PLACE, _LEVEL = "total", "place", "level"


def read_scores(node: Node, config: Config) -> Expectation:
    """Return the comparison of what the moves score, exactly, reason by reason.

    Reasons that are not named are 0, unless only the total is named.
    """
    vps = {_reason(node.keys[text]): inner.number() for text, inner in node.mapping().items()}
    exact = {*vps} != {_TOTAL}
    vps.setdefault(_TOTAL, sum(vps.values()))

    def evaluate(state: State, events: Sequence[Event]) -> Answers:
        actual = Counter[str]()
        for event in events:
            if isinstance(event, Scored):
                actual[event.reason] += event.vp
        actual[_TOTAL] = actual.total()
        for reason in dict.fromkeys((*vps, *(actual if exact else ()))):
            yield from compared(f"scores {reason}", vps.get(reason, 0), actual[reason])

    return evaluate


def _reason(node: Node) -> str:
    text = node.text()
    if text in (*_BUILD_REASONS, _TOTAL):
        return text
    kind, _, contract = text.rpartition(":")
    try:
        if kind == PRIVATE_CONTRACT:
            return f"{kind}:{PRIVATE_NAMES[parse_private(contract)]}"
        if kind in ("", PUBLIC_CONTRACT):
            return f"{PUBLIC_CONTRACT}:{PUBLIC_NAMES[parse_public(contract)]}"
    except InvalidMoveError:
        pass
    node.fail(
        f"{cited(text)} is not a reason to score; the reasons are {', '.join(_BUILD_REASONS)}, the "
        "name of a public contract, private: and the name of a private one, and total."
    )


def _reckoned_name(node: Node, config: Config) -> str:
    """Return the name of a private contract, or another word for what the end gives a player."""
    text = node.text()
    return text if text in _OTHERS else PRIVATE_NAMES[node.parsed(parse_private)]


_OTHERS = (_TOTAL, _PLACE, _LEVEL)
_RECKONED = by(
    Kind(_reckoned_name),
    Kind(lambda node, config: node.text() if node.name == _LEVEL else node.number()),
)


def read_reckoned(node: Node, config: Config) -> Expectation:
    """Return the comparison of the named results if the game ended now (P-END-2)."""
    players = by(SEAT, _RECKONED).read(node, config)

    def evaluate(state: State, events: Sequence[Event]) -> Answers:
        if state.phase == OVER:
            node.fail("The game is over and scored: ask for the scores under 'then'.")
        end, final = finish(state)
        for seat, expected in players.items():
            actual: dict[str, Plain] = {PRIVATE_NAMES[contract]: 0 for contract in end.kept[seat]}
            for event in final:
                if isinstance(event, Scored) and event.seat == seat:
                    actual[event.contract] = event.vp
            actual |= {_TOTAL: end.scores[seat], _PLACE: places(end)[seat], _LEVEL: level(end)}
            for named, value in expected.items():
                what = f"reckon {end.config.players[seat]} {named}"
                yield from compared(what, value, actual.get(named, "not kept"))

    return evaluate


EXPECTATIONS = {"scores": read_scores, "reckon": read_reckoned}
