"""Positions: a table written down under a few keys, and back.

A position says only what matters. What it leaves out is as after a fresh setup with nothing
built, without tokens and with empty hands. Face-up cards and contracts that are left out are
dealt from what is not seen elsewhere, by the chance of a record with the seed ``scenario``
(:mod:`porto_cli.core.chance`), so that they are the same every time; the same seed goes on where
``comes-up`` and ``contracts-come-up`` end.
"""

from __future__ import annotations

from typing import Any, NoReturn

from porto_cli.core.chance import ScriptedChance, less
from porto_cli.core.message import Sentence, say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import Mapping, place_of, scalar
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HOUSES,
)
from porto_cli.games.porto.engine.contracts import met_by
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    Config,
    Deal,
    State,
    begin,
)
from porto_cli.games.porto.notation import NONE, PUBLIC_NAMES, card_names
from porto_cli.games.porto.position.consistency import faults, timer_spaces
from porto_cli.games.porto.position.fields import GIVEN, KEYS, value_of
from porto_cli.scenario.fields import nearest
from porto_cli.scenario.positions import SEED, Position, Text, entry_lines, turn_up

_SCRIPTS = {"cards": "comes-up", "contracts": "contracts-come-up", "timer": "timer"}
"""The streams of chance, and the keys that say what they yield."""


def read_position(
    node: Mapping, config: Config, reader: Reader, *, unchecked: bool = False
) -> Position:
    """Return the position of a node.

    A position that no game could lead to is refused unless it is to be ``unchecked``. Without
    ``private`` and ``dealt`` it is played without private contracts. Raises InvalidFileError.
    """
    reader.keys(node, (), GIVEN)
    given = {key: KEYS[key].read(entry, key, config, reader) for key, entry in node.entries.items()}
    state = _Setting(node, given, config, reader).lay()
    if not unchecked:
        for fault in faults(state):
            reader.fail(nearest(node, fault.key, fault.entry), fault.sentence)
    first = {
        "cards": state.cards_drawn,
        "contracts": config.public_total - len(state.contract_deck),
        "timer": config.timer - state.timer_left,
    }
    return Position(
        state,
        ScriptedChance(
            SEED,
            {to: given.get(key, b"") for to, key in _SCRIPTS.items()},
            first,
            alike=("cards", "timer"),
        ),
        {
            stream: place_of(node.entries[key], reader.file)
            for stream, key in _SCRIPTS.items()
            if key in given
        },
    )


class _Setting:
    """Lays the table by what a position gives."""

    def __init__(
        self, node: Mapping, given: dict[str, Any], config: Config, reader: Reader
    ) -> None:
        self.node = node
        self.given = given
        self.reader = reader
        self.config = self._with_or_without_private_contracts(config)
        self.state = begin(self.config, Deal(bytes(len(HOUSES)), b"", b""))

    def lay(self) -> State:
        """Return the state, with its sets of houses; it may still be one that cannot be."""
        state = self.state
        self._houses()
        state.ground_tokens = self._by_house("ground-tokens")
        state.roof_tokens = self._by_house("roof-tokens")
        state.phase = self._phase()
        self._turn()
        state.scores = self._by_seat("scores")
        state.fulfilled = self._by_seat("fulfilled")
        self._private_contracts()
        self._contracts()
        self._cards()
        state.survey()
        self._built()
        return state

    def _get(self, key: str, default: Any) -> Any:
        return self.given.get(key, default)

    def _fail(self, key: str, sentence: Sentence) -> NoReturn:
        self.reader.fail(nearest(self.node, key), sentence)

    def _by_house(self, key: str) -> bytes:
        tokens = bytearray(len(HOUSES))
        for house, value in self._get(key, {}).items():
            tokens[house] = value
        return bytes(tokens)

    def _by_seat(self, key: str) -> tuple[int, ...]:
        found = self._get(key, {})
        return tuple(found.get(seat, 0) for seat in range(self.config.seats))

    def _with_or_without_private_contracts(self, config: Config) -> Config:
        keys = [key for key in ("dealt", "private") if key in self.given]
        if not keys and self._get("phase", "") != KEEP:
            return Config(
                config.edition,
                config.players,
                private_contracts=False,
                seat_first=config.seat_first,
                timer=config.timer,
            )
        if not config.private_contracts:
            self._fail(
                keys[0] if keys else "phase", say("This game is played without private contracts.")
            )
        return config

    def _houses(self) -> None:
        state = self.state
        floors, colors = bytearray(state.floors), bytearray(state.colors)
        ground, upper = list(state.ground_left), list(state.upper_left)
        for house, (color, count) in self._get("houses", {}).items():
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
        elif "dealt" in self.given and self._get("to-move", 0) not in self._get("private", {}):
            phase = KEEP
        else:
            phase = ACT
        for key, belongs in (("built", CONTRACTS), ("turned", TIMER)):
            if (key in self.given) != (phase == belongs):
                self._fail(
                    key if key in self.given else "phase",
                    say(
                        "The key {key!r} and the phase {phase!r} need each other.",
                        key=key,
                        phase=belongs,
                    ),
                )
        for key in ("timer", "turned"):
            if key in self.given and not self.config.timer:
                self._fail(key, say("Only a solo game has a timer."))
        if phase == TIMER and len(self.given["turned"]) != 2:
            self._fail("turned", say("The timer turns up two cards."))
        return phase

    def _turn(self) -> None:
        """Round, seat, timer and end; a game is over when the round after the end is."""
        state, seats, timer = self.state, self.config.seats, self.config.timer
        over = state.phase == OVER
        triggered = not timer and state.roofs >= self.config.roofs_to_end
        if over and timer:
            number = timer // 2
        else:
            number = self._get("round", self._get("end-triggered", 1) + 1 if over else 1)
        seat = self._get("to-move", 0)
        state.turn = number * seats if over else (number - 1) * seats + seat
        state.seat = state.turn % seats
        if timer:
            state.timer_left = timer - 2 * (number if state.phase in (TIMER, OVER) else number - 1)
            if state.timer_left < 0 or (not state.timer_left and state.phase == ACT):
                self._fail(
                    "round",
                    say(
                        "A timer of {timer} cards lasts {rounds} rounds.",
                        timer=timer,
                        rounds=timer // 2,
                    ),
                )
            if "end-triggered" in self.given:
                self._fail("end-triggered", say("Roofs do not end a solo game."))
        state.end_round = self._get("end-triggered", (number - over) if triggered else 0)

    def _private_contracts(self) -> None:
        """Deal by the seed where the deal matters and is not said."""
        state, game = self.state, self.config
        private, dealt = self._get("private", {}), self._get("dealt", {})
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
        coming, gone = self._get("contracts-come-up", b""), self._get("contracts-gone", b"")
        row = self._get("contracts", b"")
        deck = less(self.config.public_deck(), _lying(row) + gone)
        if "contracts" not in self.given:
            row = self._row(turn_up(deck, CONTRACT_SPACES, "contracts", coming), CONTRACT_SPACES)
            deck = less(deck, row)
        surplus = max(0, sum(state.fulfilled) - len(gone))
        if "contract-deck" in self.given:
            surplus = self._surplus("contract-deck", len(deck), "contracts-gone")
        deck = less(deck, turn_up(deck, surplus, "contracts", coming, start=CONTRACT_SPACES))
        for contract in coming:
            if coming.count(contract) > deck.count(contract):
                self._fail(
                    "contracts-come-up",
                    say(
                        "{contract} cannot come up {times} times: of it {count} are in the deck.",
                        contract=PUBLIC_NAMES[contract],
                        times=coming.count(contract),
                        count=deck.count(contract),
                    ),
                )
        state.contracts, state.contract_deck = row, deck

    def _cards(self) -> None:
        state, game = self.state, self.config
        hands = self._get("hands", {})
        state.hands = tuple(hands.get(seat, b"") for seat in range(game.seats))
        state.turned = self._get("turned", b"")
        coming, timer = self._get("comes-up", b""), self._get("timer", b"")
        built = self._get("built", None)
        played = bytes((built.number, built.color)) if built else b""
        discards = self._get("discards", played)
        row = self._get("cards", b"")
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
        self._check_coming(coming, less(deck, timer))

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
            self._fail(
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
            self._fail(
                "timer",
                say(
                    "In this round {left} timer cards are left, not {count}.",
                    left=left,
                    count=len(timer),
                ),
            )
        if face_down < left:
            self._fail(
                "round",
                say(
                    "In this round {left} timer cards are left, but only {face_down} cards lie "
                    "face down.",
                    left=left,
                    face_down=face_down,
                ),
            )

    def _check_coming(self, coming: bytes, deck: bytes) -> None:
        """What comes up before the deck runs out has to be face down now."""
        soon = coming[: self.state.deck_left]
        for card in soon:
            if soon.count(card) > deck.count(card):
                self._fail(
                    "comes-up",
                    say(
                        "{card} cannot come up {times} times: of it {count} are in the deck.",
                        card=CARDS[card],
                        times=soon.count(card),
                        count=deck.count(card),
                    ),
                )

    def _built(self) -> None:
        state, built = self.state, self._get("built", None)
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
    for key in GIVEN:
        text = _given_text(state, key, private, scripts or {})
        if text:
            lines += entry_lines(key, text)
    return lines


def _given_text(state: State, key: str, private: bool, scripts: dict[str, bytes]) -> Text:
    """Return what to write under a key; nothing if it can be left out."""
    if scripts.get(key):
        return KEYS[key].write(scripts[key], state.config)
    if key == "timer":
        return tuple(card_names(state.timer_deck))
    if key == "phase":
        return _phase_text(state, private)
    if key in ("private", "dealt") and not private:
        return ""
    if key == "to-move" and (state.config.seats == 1 or state.phase == OVER):
        return ""
    if key in ("deck", "contract-deck") or not KEYS[key].find:
        return ""
    text = value_of(state, key)
    if key == "to-move":
        # A name, even if somebody is called 'none'.
        return scalar(str(text))
    if isinstance(text, dict):
        return {name: value for name, value in text.items() if value not in (NONE, "0", "[]")}
    return "" if text == NONE or (key, text) == ("round", "1") else text


def _phase_text(state: State, private: bool) -> str:
    """The phase of a table where private contracts have still to be told is the end."""
    if state.is_revealing:
        return OVER
    return state.phase if state.phase == OVER or (state.phase == KEEP and private) else ""
