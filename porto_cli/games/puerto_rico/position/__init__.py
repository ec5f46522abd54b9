"""Positions of Puerto Rico: read from keys of a scenario, written, and made of a turn of a game.

A position says only what matters. What it leaves out is as after a fresh setup; whom a key
that is given does not name has none of it. What is in no place stays in the box: barrels,
colonists, VP, quarries, copies of buildings and the plantations face down all follow. A row
that is left out is turned up by the chance of a record with the seed ``scenario``
(:mod:`porto_cli.core.chance`), so that it is the same every time; the same seed goes on where
``comes-up`` ends.

``fields`` has the keys of a position, and what else a scenario can expect; ``consistency`` finds
what no game could lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from porto_cli.core import yaml
from porto_cli.core.chance import less
from porto_cli.core.message import say
from porto_cli.core.yaml import flow, scalar
from porto_cli.game import Step
from porto_cli.games.puerto_rico.engine.components import (
    BASE_KINDS,
    GOODS,
    NO_GOOD,
    NO_GOODS,
    ROLES,
    TILES,
    counts_of,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.effects import STREAM
from porto_cli.games.puerto_rico.engine.moves import Event, TilesTurned, TookTile
from porto_cli.games.puerto_rico.engine.setup import Deal, begin, copies_of
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    NO_ROLE,
    NOBODY,
    OPTIONS,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    Config,
    Player,
    State,
)
from porto_cli.games.puerto_rico.notation import NONE
from porto_cli.games.puerto_rico.position.consistency import (
    barrels_out,
    buildings_out,
    ends_shown,
    faults,
    next_to_act,
    people_out,
    plantations_out,
    quarries_out,
)
from porto_cli.games.puerto_rico.position.fields import (
    EARNS,
    FIELDS,
    SCORES,
    Numbers,
    read_earns,
    read_reckoned,
    read_scores,
    sum_earns,
    sum_scores,
)
from porto_cli.scenario.cases import (
    Position,
    Positions,
    ReadExpectation,
    Setting,
    Text,
    entry_lines,
    turn_up,
)

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


def read_position(node: yaml.Node, config: Config, *, unchecked: bool = False) -> Position:
    """Return the position of a node; nothing in it has gone by itself.

    A position that no game could lead to is refused unless it is to be ``unchecked``. Raises
    InvalidFileError.
    """
    setting = _Setting(node, FIELDS.read(node, config), config)
    state = setting.lay()
    if not unchecked:
        setting.refuse(faults(state))
    return setting.position(state, {STREAM: COMES_UP}, {STREAM: state.tiles_drawn})


def role_of(phase: str) -> int:
    """Return the role that a phase belongs to, ``NO_ROLE`` if to none."""
    return NO_ROLE if phase in _NO_CHOOSER else ROLES.index(_ROLE_OF.get(phase, phase))


def _rest(box: bytes, out: list[int]) -> bytes:
    """Return what is left of a box; nothing of what there is too much of."""
    return bytes(max(0, number - more) for number, more in zip(box, out, strict=True))


class _Setting(Setting):
    """Lays the table by what a position gives."""

    def __init__(self, node: yaml.Node, given: dict[str, Any], config: Config) -> None:
        super().__init__(node, given, config)
        self.state = begin(config, Deal(0, NO_GOODS))

    def lay(self) -> State:
        """Return the state; it may still be one that cannot be."""
        state = self.state
        state.phase = self.get("phase", ROLE_PHASE)
        for key, phases in _BELONGS.items():
            if self.given.get(key) not in _NOTHING and state.phase not in phases:
                self.fail(
                    key,
                    say(
                        "The key {key!r} belongs to phase {phases}, and the phase here is {phase}.",
                        key=key,
                        phases=" or ".join(phases),
                        phase=state.phase,
                    ),
                )
        state.violet = self.get("violet", 0 if state.phase == DRAFT_PHASE else BASE_KINDS)
        self._players()
        self._round()
        self._roles()
        self._goods()
        self._tiles()
        self._colonists()
        self._buildings()
        state.survey()
        state.end_triggered = self.get("end-triggered", ends_shown(state))
        state.face_down = self.get("face-down", False)
        state.produced = self.get("produced", NO_GOODS)
        state.passes = self.get("passes", 0)
        state.wharf_used = self.get("wharf-used", 0)
        state.small_wharf_used = self.get("small-wharf-used", 0)
        # Whoever has used a wharf has loaded.
        state.loaded = self.get("loaded", state.wharf_used | state.small_wharf_used)
        return state

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
        governor = self.get("governor", 0)
        state.round = self.get("round", governor + 1)
        if "governor" in self.given and state.governor != governor:
            self.fail(
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
        """Set who has taken which card, who is the chooser and who is to move."""
        state = self.state
        state.role = role = role_of(state.phase)
        taken = [NOBODY] * len(ROLES)
        for card, seat in self.get("roles", {}).items():
            taken[card] = seat
        if role == NO_ROLE:
            if self.get("chooser", NOBODY) != NOBODY:
                self.fail(
                    "chooser",
                    say(
                        "In phase {phase} no role is played, so there is no chooser.",
                        phase=state.phase,
                    ),
                )
        else:
            taker = taken[role] if taken[role] != NOBODY else state.governor
            state.chooser = self.get("chooser", taker)
            if state.chooser == NOBODY:
                self.fail(
                    "chooser",
                    say(
                        "In phase {phase} there is a chooser, the player who has taken the role.",
                        phase=state.phase,
                    ),
                )
            if "roles" not in self.given:
                taken[role] = state.chooser
        state.taken = tuple(taken)
        doubloons = self.get("role-doubloons", {})
        state.role_doubloons = tuple(doubloons.get(card, 0) for card in range(len(ROLES)))
        self._seat()

    def _seat(self) -> None:
        state = self.state
        over = state.phase == OVER
        state.seat = default = next_to_act(state)
        seat = self.get("to-move", NOBODY if over else default)
        if over != (seat == NOBODY):
            self.fail(
                "to-move",
                say("The game is over, so no player is to move.")
                if over
                else say("The game is not over, so a player is to move."),
            )
        if not over:
            state.seat = seat

    def _goods(self) -> None:
        """Lay the barrels; the supply has the rest of the box."""
        state, config = self.state, self.config
        kinds = bytearray([NO_GOOD] * len(config.box.cargo))
        barrels = bytearray(len(config.box.cargo))
        for ship, (good, number) in self.get("cargo", {}).items():
            kinds[ship], barrels[ship] = good, number
        state.cargo_goods, state.cargo_barrels = bytes(kinds), bytes(barrels)
        house = self.get("trading-house", NO_GOODS)
        state.trading_house = b"".join(bytes([good]) * house[good] for good in range(len(GOODS)))
        state.goods_supply = _rest(config.barrels, barrels_out(state))

    def _tiles(self) -> None:
        """Lay the row; the stack has what is nowhere else."""
        state, config = self.state, self.config
        state.quarries = max(0, config.quarries - quarries_out(state))
        state.discards = self.get("tile-discards", NO_GOODS)
        state.row = self.get("tiles", NO_GOODS)
        coming = self.get(COMES_UP, b"")
        stack = pile_of(_rest(config.plantations, plantations_out(state)))
        if "tiles" not in self.given:
            row = turn_up(stack, config.row, STREAM, coming)
            state.row = counts_of(row)
            stack = less(stack, row)
        state.stack = stack
        state.tiles_drawn = sum(config.plantations) - len(stack)
        self.refuse_more_than(stack, coming[: len(stack)], COMES_UP, GOODS)

    def _colonists(self) -> None:
        """The supply has the colonists that are nowhere else."""
        state, box = self.state, self.config.box
        state.ship = self.get("ship", box.ship)
        left = box.colonists + box.ship - state.ship - people_out(state)
        state.supply = self.get("supply", max(0, left))

    def _buildings(self) -> None:
        state = self.state
        state.copies = _rest(copies_of(self.config, state.violet), buildings_out(state))


# -- the way back


def describe_position(state: State, coming: bytes = b"") -> dict[str, Text]:
    """Return the keys of a position that leads back to this state, and what they hold.

    ``coming`` is what comes up next. How many tiles have come up so far is not kept.
    """
    described: dict[str, Text] = {}
    for key in FIELDS.given:
        text = _described(state, key, coming)
        if text is not None:
            described[key] = text
    return described


def _described(state: State, key: str, coming: bytes) -> Text | None:
    """Return what to write under a key, None if it can be left out."""
    if key == COMES_UP:
        return FIELDS.text(key, coming, state.config) if coming else None
    if key in ("governor", "chooser", "supply"):
        return None
    if key == "to-move":
        # A name, even if a player is called 'none'.
        follows = state.phase == OVER or state.seat == next_to_act(state)
        return None if follows else state.config.players[state.seat]
    if key == "violet" and state.violet == (0 if state.phase == DRAFT_PHASE else BASE_KINDS):
        return None
    if key == "end-triggered":
        # In the order in which it happened.
        return None if state.end_triggered == ends_shown(state) else state.end_triggered
    if key == "roles":
        # Cards that are taken, even if a player is called 'none'.
        taken = {ROLES[role]: state.taken[role] for role in state.config.box.roles}
        players = state.config.players
        return {role: players[seat] for role, seat in taken.items() if seat != NOBODY} or None
    text = FIELDS.value_of(state, key)
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


_THEN = ("phase", "to-move", "doubloons", "vp", "goods")


def header_lines(config: Config) -> list[str]:
    """Return the line of ``options``, where they are not the usual ones."""
    options = {name: value for name, value in config.options.items() if value != OPTIONS[name][0]}
    return [f"options: {flow(options)}"] if options else []


def lines_of(state: State, events: Sequence[Event]) -> list[str]:
    """Return the lines of a position; the tiles that came up in the events come up next."""
    coming = b""
    for event in events:
        if isinstance(event, TookTile) and event.source == "stack":
            coming += bytes([event.tile])
        elif isinstance(event, TilesTurned):
            coming += pile_of(event.tiles)
    return position_lines(state, coming)


def consequence_lines(step: Step) -> list[str]:
    """Return what a move and all that followed brought, and what it left each player with."""
    players = step.after.config.players
    lines = []
    for key, sums in ((SCORES, sum_scores(step.events)), (EARNS, sum_earns(step.events))):
        lines += entry_lines(key, _by_player(sums, players)) if sums else []
    lines.append("then:")
    for key in _THEN:
        then = entry_lines(key, as_yaml(key, FIELDS.value_of(step.after, key)))
        lines += [f"  {line}" for line in then]
    return lines


def _by_player(sums: Numbers, players: Sequence[str]) -> dict[str, str]:
    return {
        players[seat]: flow({scalar(reason): str(number) for reason, number in reasons.items()})
        for seat, reasons in sums.items()
    }


class PuertoRicoPositions:
    """See :class:`porto_cli.scenario.cases.Positions` for what each member means."""

    asked = FIELDS.asked
    expectations: Mapping[str, ReadExpectation] = MappingProxyType(
        {"scores": read_scores, "earns": read_earns, "reckon": read_reckoned}
    )
    read = staticmethod(read_position)
    read_value = staticmethod(FIELDS.read_value)
    value_of = staticmethod(FIELDS.value_of)
    header_lines = staticmethod(header_lines)
    position_lines = staticmethod(lines_of)
    consequence_lines = staticmethod(consequence_lines)

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        return TILES[thing]

    def without_secrets(self, state: State) -> State:
        """Nothing in the record is secret."""
        return state


POSITIONS: Positions = PuertoRicoPositions()
