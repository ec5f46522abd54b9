"""Positions: a table written down under a few keys, and back.

A position says only what matters. What it leaves out is as after a fresh set-up; whom a key
that is given does not name has none of it. What is in no place stays in the box: barrels,
colonists, VP, quarries, copies of buildings and the plantations face down all follow. A row
that is left out is turned up by the chance of a record with the seed ``scenario``
(:mod:`porto_cli.core.chance`), so that it is the same every time; the same seed goes on where
``comes-up`` ends.
"""

from __future__ import annotations

from typing import Any, NoReturn

from porto_cli.core.chance import ScriptedChance, less
from porto_cli.core.message import Sentence, say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import Mapping, place_of, scalar
from porto_cli.games.puerto_rico.engine.components import (
    BASE_KINDS,
    GOODS,
    NO_GOOD,
    NO_GOODS,
    ROLES,
    counts_of,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.setup import Deal, begin, copies_of
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.engine.tiles import STREAM
from porto_cli.games.puerto_rico.notation import NONE
from porto_cli.games.puerto_rico.position.box import (
    barrels_out,
    buildings_out,
    people_out,
    plantations_out,
    quarries_out,
)
from porto_cli.games.puerto_rico.position.consistency import ends_shown, faults, next_to_act
from porto_cli.games.puerto_rico.position.fields import FIELDS, GIVEN, value_of
from porto_cli.scenario.fields import nearest
from porto_cli.scenario.positions import SEED, Position, Text, entry_lines, turn_up

COMES_UP = "comes-up"
_NO_CHOOSER = (DRAFT_PHASE, ROLE_PHASE, OVER)
_ROLE_OF = {LIBRARY_PHASE: "settler", PRIVILEGE_PHASE: "craftsman", STORE_PHASE: "captain"}
"""The role of a phase that is not called like its role."""
_BELONGS: dict[str, tuple[str, ...]] = {
    "face-down": (SETTLER_PHASE,),
    "produced": (CRAFTSMAN_PHASE, PRIVILEGE_PHASE),
    "loaded": (CAPTAIN_PHASE,),
    "wharf-used": (CAPTAIN_PHASE,),
    "small-wharf-used": (CAPTAIN_PHASE,),
    "passes": (CAPTAIN_PHASE,),
}
"""Keys that only some phases have, if they say anything."""
_NOTHING = (None, False, 0, NO_GOODS)
_OF_PLAYERS = ("doubloons", "vp", "goods", "island", "city", "colonists", "san-juan")
"""Keys of what each player has, called like the attributes of a player."""
_LEFT_OUT: dict[str, tuple[str, ...]] = {"phase": (ROLE_PHASE,), "round": ("1",)}
"""The values that need not be written, where they are others than none."""
_WORDS = ("phase", "face-down")
"""Keys whose values need no quotes."""


def read_position(
    node: Mapping, config: Config, reader: Reader, *, unchecked: bool = False
) -> Position:
    """Return the position of a node; nothing in it has gone by itself.

    A position that no game could lead to is refused unless it is to be ``unchecked``. Raises
    InvalidFileError.
    """
    reader.keys(node, (), GIVEN)
    given = {
        key: FIELDS[key].read(entry, key, config, reader) for key, entry in node.entries.items()
    }
    state = _Setting(node, given, config, reader).lay()
    if not unchecked:
        for fault in faults(state):
            key = next((key for key in fault.keys if key in given), fault.keys[0])
            reader.fail(nearest(node, key, fault.entry), fault.sentence(key))
    coming = given.get(COMES_UP, b"")
    return Position(
        state,
        ScriptedChance(SEED, {STREAM: coming}, {STREAM: state.tiles_drawn}),
        {STREAM: place_of(node.entries[COMES_UP], reader.file)} if COMES_UP in given else {},
    )


def role_of(phase: str) -> int:
    """Return the role that a phase belongs to, ``NO_ROLE`` if to none."""
    return NO_ROLE if phase in _NO_CHOOSER else ROLES.index(_ROLE_OF.get(phase, phase))


def _rest(box: bytes, out: list[int]) -> bytes:
    """Return what is left of a box; nothing of what there is too much of."""
    return bytes(max(0, number - more) for number, more in zip(box, out, strict=True))


class _Setting:
    """Lays the table by what a position gives."""

    def __init__(
        self, node: Mapping, given: dict[str, Any], config: Config, reader: Reader
    ) -> None:
        self.node = node
        self.given = given
        self.config = config
        self.reader = reader
        self.state = begin(config, Deal(0, NO_GOODS))

    def lay(self) -> State:
        """Return the state; it may still be one that cannot be."""
        state = self.state
        state.phase = self._get("phase", ROLE_PHASE)
        for key, phases in _BELONGS.items():
            if self.given.get(key) not in _NOTHING and state.phase not in phases:
                self._fail(
                    key,
                    say(
                        "The key {key!r} belongs to phase {phases}, and the phase here is {phase}.",
                        key=key,
                        phases=" or ".join(phases),
                        phase=state.phase,
                    ),
                )
        state.violet = self._get("violet", 0 if state.phase == DRAFT_PHASE else BASE_KINDS)
        self._players()
        self._round()
        self._roles()
        self._goods()
        self._tiles()
        self._colonists()
        self._buildings()
        state.survey()
        state.end_triggered = self._get("end-triggered", ends_shown(state))
        state.face_down = self._get("face-down", False)
        state.produced = self._get("produced", NO_GOODS)
        state.passes = self._get("passes", 0)
        state.wharf_used = self._get("wharf-used", 0)
        state.small_wharf_used = self._get("small-wharf-used", 0)
        # Whoever has used a wharf has loaded.
        state.loaded = self._get("loaded", state.wharf_used | state.small_wharf_used)
        return state

    def _get(self, key: str, default: Any) -> Any:
        return self.given.get(key, default)

    def _fail(self, key: str, sentence: Sentence) -> NoReturn:
        self.reader.fail(nearest(self.node, key), sentence)

    def _players(self) -> None:
        """Give the players what they have; who is not named has none of it."""
        empty = Player()
        for key in _OF_PLAYERS:
            if key in self.given:
                has, attribute = self.given[key], key.replace("-", "_")
                for seat, player in enumerate(self.state.players):
                    setattr(player, attribute, has.get(seat, getattr(empty, attribute)))

    def _round(self) -> None:
        """PR-ROUND-3: round and governor follow from each other."""
        state, seats = self.state, self.config.seats
        governor = self._get("governor", 0)
        state.round = self._get("round", governor + 1)
        if "governor" in self.given and state.governor != governor:
            self._fail(
                "governor",
                say(
                    "The governor of round {round} is {player}, not {governor}; one of the keys "
                    "'round' and 'governor' is enough.",
                    round=state.round,
                    player=self.config.players[(state.round - 1) % seats],
                    governor=self.config.players[governor],
                ),
            )

    def _roles(self) -> None:
        """Say who has taken which card, who is the chooser and who is to move."""
        state = self.state
        state.role = role = role_of(state.phase)
        taken = [NOBODY] * len(ROLES)
        for card, seat in self._get("roles", {}).items():
            taken[card] = seat
        if role == NO_ROLE:
            if self._get("chooser", NOBODY) != NOBODY:
                self._fail(
                    "chooser",
                    say(
                        "In phase {phase} no role is played, so that nobody is its chooser.",
                        phase=state.phase,
                    ),
                )
        else:
            taker = taken[role] if taken[role] != NOBODY else state.governor
            state.chooser = self._get("chooser", taker)
            if state.chooser == NOBODY:
                self._fail(
                    "chooser",
                    say(
                        "In phase {phase} there is a chooser, the player who has taken the role.",
                        phase=state.phase,
                    ),
                )
            if "roles" not in self.given:
                taken[role] = state.chooser
        state.taken = tuple(taken)
        doubloons = self._get("role-doubloons", {})
        state.role_doubloons = tuple(doubloons.get(card, 0) for card in range(len(ROLES)))
        self._seat()

    def _seat(self) -> None:
        state = self.state
        nobody = state.phase == OVER
        state.seat = default = next_to_act(state)
        seat = self._get("to-move", NOBODY if nobody else default)
        if nobody != (seat == NOBODY):
            self._fail(
                "to-move",
                say("The game is over, so that nobody is to move.")
                if nobody
                else say("Somebody is to move as long as the game is not over."),
            )
        if not nobody:
            state.seat = seat

    def _goods(self) -> None:
        """Lay the barrels; the supply has the rest of the box."""
        state, config = self.state, self.config
        kinds = bytearray([NO_GOOD] * len(config.box.cargo))
        barrels = bytearray(len(config.box.cargo))
        for ship, (good, number) in self._get("cargo", {}).items():
            kinds[ship], barrels[ship] = good, number
        state.cargo_goods, state.cargo_barrels = bytes(kinds), bytes(barrels)
        house = self._get("trading-house", NO_GOODS)
        state.trading_house = b"".join(bytes([good]) * house[good] for good in range(len(GOODS)))
        state.goods_supply = _rest(config.barrels, barrels_out(state))

    def _tiles(self) -> None:
        """Lay the row; the stack has what is nowhere else."""
        state, config = self.state, self.config
        state.quarries = max(0, config.quarries - quarries_out(state))
        state.discards = self._get("tile-discards", NO_GOODS)
        state.row = self._get("tiles", NO_GOODS)
        coming = self._get(COMES_UP, b"")
        stack = pile_of(_rest(config.plantations, plantations_out(state)))
        if "tiles" not in self.given:
            row = turn_up(stack, config.row, STREAM, coming)
            state.row = counts_of(row)
            stack = less(stack, row)
        state.stack = stack
        state.tiles_drawn = sum(config.plantations) - len(stack)
        soon = coming[: len(stack)]
        for tile in soon:
            if soon.count(tile) > stack.count(tile):
                self._fail(
                    COMES_UP,
                    say(
                        "Of {tile} {count} lie face down, so that it cannot come up {times} times.",
                        tile=GOODS[tile],
                        times=soon.count(tile),
                        count=stack.count(tile),
                    ),
                )

    def _colonists(self) -> None:
        """The supply has the colonists that are nowhere else."""
        state, box = self.state, self.config.box
        state.ship = self._get("ship", box.ship)
        left = box.colonists + box.ship - state.ship - people_out(state)
        state.supply = self._get("supply", max(0, left))

    def _buildings(self) -> None:
        state = self.state
        state.copies = _rest(copies_of(self.config, state.violet), buildings_out(state))


# -- the way back


def describe_position(state: State, coming: bytes = b"") -> dict[str, Text]:
    """Return the keys of a position that leads back to this state, and what they hold.

    ``coming`` is what comes up next. How many tiles have come up so far is not kept.
    """
    described: dict[str, Text] = {}
    for key in GIVEN:
        text = _described(state, key, coming)
        if text is not None:
            described[key] = text
    return described


def _described(state: State, key: str, coming: bytes) -> Text | None:
    """Return what to write under a key, None if it can be left out."""
    if key == COMES_UP:
        return FIELDS[key].write(coming, state.config) if coming else None
    if key in ("governor", "chooser", "supply"):
        return None
    if key == "to-move":
        # A name, even if somebody is called 'none'.
        follows = state.phase == OVER or state.seat == next_to_act(state)
        return None if follows else state.config.players[state.seat]
    if key == "violet" and state.violet == (0 if state.phase == DRAFT_PHASE else BASE_KINDS):
        return None
    if key == "end-triggered":
        # In the order in which it happened.
        return None if state.end_triggered == ends_shown(state) else state.end_triggered
    if key == "roles":
        # Cards that somebody has taken, even if somebody is called 'none'.
        taken = {ROLES[role]: state.taken[role] for role in state.config.box.roles}
        players = state.config.players
        return {role: players[seat] for role, seat in taken.items() if seat != NOBODY} or None
    text = value_of(state, key)
    if key in ("doubloons", "tiles", "violet"):
        return text
    if key == "ship":
        return None if state.ship == state.config.box.ship else text
    if isinstance(text, dict):
        text = {name: value for name, value in text.items() if value not in (NONE, "0")}
        return text if text or key == "island" else None
    return None if not text or text in _LEFT_OUT.get(key, (NONE, "0", "false")) else text


def position_lines(state: State, coming: bytes = b"") -> list[str]:
    """Return the lines of a position that leads back to this state, without indentation."""
    return [
        line
        for key, text in describe_position(state, coming).items()
        for line in entry_lines(key, as_yaml(key, text))
    ]


def as_yaml(key: str, text: Text) -> Text:
    """Return what a key holds with quotes where they are needed."""
    if isinstance(text, str):
        return text if key in _WORDS else _scalar(text)
    if isinstance(text, tuple):
        return tuple(map(scalar, text))
    return {name: _scalar(value) for name, value in text.items()}


def _scalar(text: str) -> str:
    """Return a number as it is, a name in quotes where it needs them."""
    return text if text.isascii() and text.isdigit() else scalar(text)
