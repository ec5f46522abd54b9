"""What a scenario of Puerto Rico can ask besides positions: what moves brought, and the end.

``scores`` and ``earns`` say what moves, and all that followed by itself, brought each player, by
reason; what they do not name is 0. ``reckon`` says what the end of the game would give as the
table stands; what it does not name is not compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import Node
from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.events import Earned, Event, Scored
from porto_cli.games.puerto_rico.engine.scoring import BONUS, reckoning
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.scenario.positions import Answer, Played, compare

SCORES, EARNS = "scores", "earns"
SCORE_REASONS = ("shipping", "captain", "harbor", "union-hall", "church", "black-market")
"""Why players get or return VP."""
EARN_REASONS = (
    "role",
    "prospector",
    "sale",
    "trader",
    "small-market",
    "large-market",
    "factory",
    "specialty-factory",
    "lighthouse",
    "build",
    "black-market",
)
"""Why players get or pay doubloons."""
_CHIPS, _BUILDINGS, _TOTAL, _TIE_BREAK, _PLACE = "chips", "buildings", "total", "tie-break", "place"
RECKON_NAMES = (
    _CHIPS,
    _BUILDINGS,
    *(PLACES[place] for place in BONUS),
    _TOTAL,
    _TIE_BREAK,
    _PLACE,
)
"""What the end gives a player: VP by where they come from, and what decides ties."""

Numbers = dict[int, dict[str, int]]
"""Numbers by seat and name."""


def sum_scores(events: Iterable[Event]) -> Numbers:
    """Return the VP that events brought each player, by reason."""
    return _summed((one.seat, one.reason, one.vp) for one in events if isinstance(one, Scored))


def sum_earns(events: Iterable[Event]) -> Numbers:
    """Return the doubloons that events brought each player, by reason."""
    return _summed(
        (one.seat, one.reason, one.doubloons) for one in events if isinstance(one, Earned)
    )


def _summed(gains: Iterable[tuple[int, str, int]]) -> Numbers:
    total: Numbers = {}
    for seat, reason, number in gains:
        reasons = total.setdefault(seat, {})
        reasons[reason] = reasons.get(reason, 0) + number
    return total


def reckoned(state: State) -> Numbers:
    """Return what the end of the game would give each player (PR-SCORE-1 to PR-RANK-1).

    A large building that is not occupied, or not there, gives 0.
    """
    return {
        one.seat: {
            _CHIPS: one.chips,
            _BUILDINGS: one.buildings,
            **{PLACES[place]: 0 for place in BONUS},
            **{PLACES[place]: vp for place, vp in one.bonuses},
            _TOTAL: one.total,
            _TIE_BREAK: one.tie_break,
            _PLACE: one.place,
        }
        for one in reckoning(state)
    }


def read_numbers(
    node: Node, what: str, names: Collection[str], config: Config, reader: Reader
) -> Numbers:
    """Return numbers by player and name, the names being some of those given.

    Raises InvalidFileError.
    """
    mapping = reader.mapping(node, what)
    reader.keys(mapping, (), config.players)
    found: Numbers = {}
    for player, entry in mapping.entries.items():
        named = reader.mapping(entry, player)
        reader.keys(named, (), names)
        found[config.players.index(player)] = {
            name: _signed(value, name, reader) for name, value in named.entries.items()
        }
    return found


def _signed(node: Node, what: str, reader: Reader) -> int:
    text = reader.text(node, what)
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 4:
        return int(text)
    reader.fail(
        node,
        say(
            "Under {what!r} there should be a whole number, like 3 or -2, not {text!r}.",
            what=what,
            text=text,
        ),
    )


class Sums(NamedTuple):
    """What moves, and all that followed by itself, brought each player, by reason."""

    what: str
    """``scores`` or ``earns``."""
    expected: Numbers

    def evaluate(self, played: Played) -> Answer:
        """Compare all that is named on either side; what the other does not name is 0 there."""
        actual = (sum_scores if self.what == SCORES else sum_earns)(played.events)
        return compare(
            (
                f"{self.what} {player} {reason}",
                str(self.expected.get(seat, {}).get(reason, 0)),
                str(actual.get(seat, {}).get(reason, 0)),
            )
            for seat, player in enumerate(played.state.config.players)
            for reason in dict.fromkeys((*self.expected.get(seat, {}), *actual.get(seat, {})))
        )


class Reckoned(NamedTuple):
    """What the end of the game would give as the table stands."""

    expected: Numbers

    def evaluate(self, played: Played) -> Answer:
        """Compare what is named."""
        actual = reckoned(played.state)
        players = played.state.config.players
        return compare(
            (f"reckon {players[seat]} {name}", str(number), str(actual[seat][name]))
            for seat, numbers in self.expected.items()
            for name, number in numbers.items()
        )


def read_scores(node: Node, config: Config, reader: Reader) -> Sums:
    """Return what stands under ``scores``. Raises InvalidFileError."""
    return Sums(SCORES, read_numbers(node, SCORES, SCORE_REASONS, config, reader))


def read_earns(node: Node, config: Config, reader: Reader) -> Sums:
    """Return what stands under ``earns``. Raises InvalidFileError."""
    return Sums(EARNS, read_numbers(node, EARNS, EARN_REASONS, config, reader))


def read_reckoned(node: Node, config: Config, reader: Reader) -> Reckoned:
    """Return what stands under ``reckon``. Raises InvalidFileError."""
    return Reckoned(read_numbers(node, "reckon", RECKON_NAMES, config, reader))
