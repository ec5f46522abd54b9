"""Positions of Porto: read from a few keys, written, and made of a turn of a running game.

``fields``       the keys of a position, and what else a scenario can expect
``consistency``  finds what no game could lead to

A position says only what matters. What it leaves out is as after a fresh setup with nothing
built, without tokens and with empty hands. Face-up cards and contracts that are left out are
dealt from what is not seen elsewhere, by the chance of a record with the seed ``scenario``
(:mod:`porto_cli.core.chance`), so that they are the same every time; the same seed goes on where
``comes-up`` and ``contracts-come-up`` end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from porto_cli.core import yaml
from porto_cli.core.chance import less
from porto_cli.core.message import say
from porto_cli.core.yaml import scalar
from porto_cli.game import Step
from porto_cli.games.porto.editions import DEFAULT, edition_lines, shipped
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HOUSES,
)
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
    Event,
    Refilled,
    Scored,
    TimerTurned,
)
from porto_cli.games.porto.engine.scoring import met_by
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    TIMERS,
    Config,
    Deal,
    State,
    begin,
)
from porto_cli.games.porto.notation import NONE, PUBLIC_NAMES, card_names
from porto_cli.games.porto.position.consistency import faults, timer_spaces
from porto_cli.games.porto.position.fields import FIELDS, listed, read_reckoned, read_scores
from porto_cli.games.porto.record_keys import TIE_BREAKS
from porto_cli.scenario.cases import (
    Position,
    Positions,
    ReadExpectation,
    Setting,
    Text,
    entry_lines,
    turn_up,
)

_STREAMS = {"cards": "comes-up", "contracts": "contracts-come-up", "timer": "timer"}
"""The streams of chance, and the keys that say what they yield."""


def read_position(node: yaml.Node, config: Config, *, unchecked: bool = False) -> Position:
    """Return the position of a node.

    A position that no game could lead to is refused unless it is to be ``unchecked``. Without
    ``private`` and ``dealt`` it is played without private contracts. Raises InvalidFileError.
    """
    setting = _Setting(node, FIELDS.read(node, config), config)
    state = setting.lay()
    if not unchecked:
        setting.refuse(faults(state))
    first = {
        "cards": state.cards_drawn,
        "contracts": config.public_total - len(state.contract_deck),
        "timer": config.timer - state.timer_left,
    }
    return setting.position(state, _STREAMS, first, alike=("cards", "timer"))


class _Setting(Setting):
    """Lays the table by what a position gives."""

    def __init__(self, node: yaml.Node, given: dict[str, Any], config: Config) -> None:
        super().__init__(node, given, config)
        self.config = self._with_or_without_private_contracts(config)
        self.state = begin(self.config, Deal(bytes(len(HOUSES)), b"", b""))

    def lay(self) -> State:
        """Return the state, with its sets of houses; it may still be one that cannot be."""
        state = self.state
        self._houses()
        state.ground_tokens = self._by_house("ground-tokens")
        state.roof_tokens = self._by_house("roof-tokens")
        state.phase = self._phase()
        state.out = frozenset(self.get("out", ()))
        self._turn()
        state.scores = self._by_seat("scores")
        state.fulfilled = self._by_seat("fulfilled")
        self._private_contracts()
        self._contracts()
        self._cards()
        state.survey()
        self._built()
        return state

    def _by_house(self, key: str) -> bytes:
        tokens = bytearray(len(HOUSES))
        for house, value in self.get(key, {}).items():
            tokens[house] = value
        return bytes(tokens)

    def _by_seat(self, key: str) -> tuple[int, ...]:
        found = self.get(key, {})
        return tuple(found.get(seat, 0) for seat in range(self.config.seats))

    def _with_or_without_private_contracts(self, config: Config) -> Config:
        keys = [key for key in ("dealt", "private") if key in self.given]
        if not keys and self.get("phase", "") != KEEP:
            return Config(
                config.edition,
                config.players,
                private_contracts=False,
                seat_first=config.seat_first,
                timer=config.timer,
            )
        if not config.private_contracts:
            self.fail(
                keys[0] if keys else "phase", say("This game is played without private contracts.")
            )
        return config

    def _houses(self) -> None:
        state = self.state
        floors, colors = bytearray(state.floors), bytearray(state.colors)
        ground, upper = list(state.ground_left), list(state.upper_left)
        for house, (color, count) in self.get("houses", {}).items():
            if count:
                floors[house], colors[house] = count, color
                ground[color] -= 1
                upper[color] -= count - 1
        state.floors, state.colors = bytes(floors), bytes(colors)
        state.ground_left = bytes(max(left, 0) for left in ground)
        state.upper_left = bytes(max(left, 0) for left in upper)
        state.roofs = sum(map(state.is_complete, self.config.houses))

    def _phase(self) -> str:
        """Return the phase that is said, or the one that follows from what else is said."""
        if "phase" in self.given:
            phase: str = self.given["phase"]
        elif "built" in self.given:
            phase = CONTRACTS
        elif "turned" in self.given:
            phase = TIMER
        elif "dealt" in self.given and self.get("to-move", 0) not in self.get("private", {}):
            phase = KEEP
        else:
            phase = ACT
        for key, belongs in (("built", CONTRACTS), ("turned", TIMER)):
            if (key in self.given) != (phase == belongs):
                self.fail(
                    key if key in self.given else "phase",
                    say(
                        "The key {key!r} and the phase {phase!r} need each other.",
                        key=key,
                        phase=belongs,
                    ),
                )
        for key in ("timer", "turned"):
            if key in self.given and not self.config.timer:
                self.fail(key, say("Only a solo game has a timer."))
        if phase == TIMER and len(self.given["turned"]) != 2:
            self.fail("turned", say("The timer turns up two cards."))
        return phase

    def _turn(self) -> None:
        """Round, seat, timer and end; a game is over when the round after the end is."""
        state, seats, timer = self.state, self.config.seats, self.config.timer
        over = state.phase == OVER
        triggered = not timer and state.roofs >= self.config.roofs_to_end
        if over and timer:
            number = timer // 2
        else:
            number = self.get("round", self.get("end-triggered", 1) + 1 if over else 1)
        seat = self.get("to-move", 0)
        state.turn = number * seats if over else (number - 1) * seats + seat
        state.seat = state.turn % seats
        if timer:
            state.timer_left = timer - 2 * (number if state.phase in (TIMER, OVER) else number - 1)
            if state.timer_left < 0 or (not state.timer_left and state.phase == ACT):
                self.fail(
                    "round",
                    say(
                        "A timer of {timer} cards lasts {rounds} rounds.",
                        timer=timer,
                        rounds=timer // 2,
                    ),
                )
            if "end-triggered" in self.given:
                self.fail("end-triggered", say("Roofs do not end a solo game."))
        state.end_round = self.get("end-triggered", (number - over) if triggered else 0)

    def _private_contracts(self) -> None:
        """Deal by the seed where the deal matters and is not said."""
        state, game = self.state, self.config
        private, dealt = self.get("private", {}), self.get("dealt", {})
        state.kept = tuple(private.get(seat, b"") for seat in range(game.seats))
        if not dealt and state.phase != KEEP:
            return
        said = [dealt.get(seat, state.kept[seat]) for seat in range(game.seats)]
        deck = less(game.private_deck(), b"".join(said))
        hands = []
        for seat, contracts in enumerate(said):
            missing = 0 if seat in dealt else DEALT - len(contracts)
            more = turn_up(deck, missing, "private", start=DEALT * seat)
            deck = less(deck, more)
            hands.append(contracts + more)
        state.dealt = tuple(hands)

    def _contracts(self) -> None:
        state = self.state
        coming, gone = self.get("contracts-come-up", b""), self.get("contracts-gone", b"")
        row = self.get("contracts", b"")
        deck = less(self.config.public_deck(), _lying(row) + gone)
        if "contracts" not in self.given:
            row = self._row(turn_up(deck, CONTRACT_SPACES, "contracts", coming), CONTRACT_SPACES)
            deck = less(deck, row)
        surplus = max(0, sum(state.fulfilled) - len(gone))
        if "contract-deck" in self.given:
            surplus = self._surplus("contract-deck", len(deck), "contracts-gone")
        deck = less(deck, turn_up(deck, surplus, "contracts", coming, start=CONTRACT_SPACES))
        self.refuse_more_than(deck, coming, "contracts-come-up", PUBLIC_NAMES)
        state.contracts, state.contract_deck = row, deck

    def _cards(self) -> None:
        state, game = self.state, self.config
        hands = self.get("hands", {})
        state.hands = tuple(hands.get(seat, b"") for seat in range(game.seats))
        state.turned = self.get("turned", b"")
        coming, timer = self.get("comes-up", b""), self.get("timer", b"")
        built = self.get("built", None)
        played = bytes((built.number, built.color)) if built else b""
        discards = self.get("discards", played)
        row = self.get("cards", b"")
        box = game.construction_deck()
        deck = less(box, b"".join([*state.hands, _lying(row), discards, state.turned]))
        if "cards" not in self.given:
            row = self._row(turn_up(deck, CARD_SPACES, "cards", coming + timer), CARD_SPACES)
            deck = less(deck, _lying(row))
        self._check_timer(timer, len(deck))
        if "deck" in self.given:
            surplus = self._surplus("deck", len(deck) - state.timer_left, "discards")
            reserved = coming[: self.given["deck"]] + timer
            more = turn_up(deck, surplus, "cards", reserved, start=CARD_SPACES)
            deck = less(deck, more)
            discards += more
        state.cards, state.discards = row, discards
        state.cards_drawn = len(box) - len(deck)
        if timer and len(timer) == state.timer_left:
            state.timer_deck = bytes(sorted(timer))
            state.deck = less(deck, timer)
        else:
            state.deck = deck
        # What comes up before the deck runs out has to be face down now.
        self.refuse_more_than(less(deck, timer), coming[: state.deck_left], "comes-up", CARDS)

    def _row(self, dealt: bytes, spaces: int) -> bytes:
        """Return a row that was dealt, less what the timer cards have taken (P-SOLO-2)."""
        row = bytearray(dealt.ljust(spaces, bytes([EMPTY])))
        if self.state.phase == TIMER:
            for space in timer_spaces(self.given["turned"]):
                if space < spaces:
                    row[space] = EMPTY
        return bytes(row)

    def _surplus(self, key: str, left: int, others: str) -> int:
        """Return how many things have to leave a deck so that it has as many as is said."""
        wanted: int = self.given[key]
        if wanted > left or (wanted < left and others in self.given):
            self.fail(
                key,
                say(
                    "By what else is said, {left} are left in the deck, not {wanted}.",
                    left=left,
                    wanted=wanted,
                ),
            )
        return left - wanted

    def _check_timer(self, timer: bytes, face_down: int) -> None:
        left = self.state.timer_left
        if len(timer) > left:
            self.fail(
                "timer",
                say(
                    "In this round {left} timer cards are left, not {count}.",
                    left=left,
                    count=len(timer),
                ),
            )
        if face_down < left:
            self.fail(
                "round",
                say(
                    "In this round {left} timer cards are left, but only {face_down} cards lie "
                    "face down.",
                    left=left,
                    face_down=face_down,
                ),
            )

    def _built(self) -> None:
        state, built = self.state, self.get("built", None)
        if built:
            state.built = built._replace(completed=state.is_complete(built.house))
            state.claimable = met_by(state.built, state.contracts)


def _lying(row: bytes) -> bytes:
    return row.replace(bytes([EMPTY]), b"")


def position_lines(
    state: State, *, private: bool = False, scripts: dict[str, bytes] | None = None
) -> list[str]:
    """Return the lines of a position that leads back to this state, without indentation.

    Private contracts are only written if ``private`` says so. ``scripts`` holds what comes up
    next, by the keys ``comes-up``, ``contracts-come-up`` and ``timer``.
    """
    lines = []
    for key in FIELDS.given:
        text = _given_text(state, key, private, scripts or {})
        if text:
            lines += entry_lines(key, text)
    return lines


def _given_text(state: State, key: str, private: bool, scripts: dict[str, bytes]) -> Text:
    """Return what to write under a key; nothing if it can be left out."""
    if scripts.get(key):
        return FIELDS.text(key, scripts[key], state.config)
    if key == "timer":
        return tuple(card_names(state.timer_deck))
    if key == "phase":
        return _phase_text(state, private)
    if key in ("private", "dealt") and not private:
        return ""
    if key == "to-move" and (state.config.seats == 1 or state.phase == OVER):
        return ""
    if key in ("deck", "contract-deck") or key not in FIELDS.asked:
        return ""
    text = FIELDS.value_of(state, key)
    if key == "to-move":
        # A name, even if a player is called 'none'.
        return scalar(str(text))
    if isinstance(text, dict):
        return {name: value for name, value in text.items() if value not in (NONE, "0", "[]")}
    return "" if text == NONE or (key, text) == ("round", "1") else text


def _phase_text(state: State, private: bool) -> str:
    """Return the phase to write; while private contracts are still to be revealed it is the end."""
    if state.is_revealing:
        return OVER
    return state.phase if state.phase == OVER or (state.phase == KEEP and private) else ""


def without_secrets(state: State) -> State:
    """Return a table past the choice of private contracts, which is a secret."""
    if state.phase != KEEP or state.is_revealing:
        return state
    state = state.copy()
    state.phase = ACT
    return state


def header_lines(config: Config) -> list[str]:
    """Return the lines of edition and options, where they are not the usual ones."""
    lines = []
    if config.edition != shipped(DEFAULT):
        lines += ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    options = {}
    if config.seat_first:
        options["tie-break"] = TIE_BREAKS[1]
    if config.timer and config.timer != TIMERS[0]:
        options["timer"] = str(config.timer)
    return lines + (entry_lines("options", options) if options else [])


def public_lines(state: State, events: Sequence[Event]) -> list[str]:
    """Return the lines of a position; what came up in the events comes up next."""
    return position_lines(state, scripts=_what_came_up(state, events))


def _what_came_up(state: State, events: Sequence[Event]) -> dict[str, bytes]:
    cards = contracts = timer = b""
    for event in events:
        if isinstance(event, TimerTurned):
            timer += event.turned
        elif isinstance(event, Refilled) and event.row == "cards":
            cards += event.came_up
        elif isinstance(event, Refilled):
            contracts += event.came_up
    rest = bytearray(state.timer_deck)
    for card in timer if rest else b"":
        rest.remove(card)
    return {"comes-up": cards, "contracts-come-up": contracts, "timer": timer + rest}


def consequence_lines(step: Step) -> list[str]:
    """Return what a turn scored, and what hand and score it left its player with."""
    player = scalar(step.before.config.players[step.seat])
    scores = {
        event.contract or event.kind: event.vp
        for event in step.events
        if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    }
    lines = entry_lines("scores", {reason: str(vp) for reason, vp in scores.items()})
    lines += ["then:", f"  hands: {{{player}: {listed(card_names(step.after.hands[step.seat]))}}}"]
    if scores:
        lines.append(
            f"  scores: {{{player}: {step.before.scores[step.seat] + sum(scores.values())}}}"
        )
    return lines


class PortoPositions:
    """See :class:`porto_cli.scenario.cases.Positions` for what each member means."""

    asked = FIELDS.asked
    expectations: Mapping[str, ReadExpectation] = MappingProxyType(
        {"scores": read_scores, "reckon": read_reckoned}
    )
    read = staticmethod(read_position)
    read_value = staticmethod(FIELDS.read_value)
    value_of = staticmethod(FIELDS.value_of)
    without_secrets = staticmethod(without_secrets)
    header_lines = staticmethod(header_lines)
    position_lines = staticmethod(public_lines)
    consequence_lines = staticmethod(consequence_lines)

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of a card or a public contract."""
        return (PUBLIC_NAMES if stream == "contracts" else CARDS)[thing]


POSITIONS: Positions = PortoPositions()
