"""What a scenario of Porto can ask besides positions: the VP of moves, and the end of the game."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import InvalidFileError, Node, Place, place_of
from porto_cli.games.porto.engine.events import (
    FLOORS,
    GROUND_TOKEN,
    NEIGHBORS,
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    ROOF_TOKEN,
    Scored,
)
from porto_cli.games.porto.engine.play import finish
from porto_cli.games.porto.engine.ranking import level, ranking
from porto_cli.games.porto.engine.state import OVER, Config
from porto_cli.games.porto.notation import (
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    parse_private,
    parse_public,
)
from porto_cli.scenario.positions import Answer, Played, compare

_BUILD_REASONS = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN)
_TOTAL, _PLACE, _LEVEL = "total", "place", "level"


class Scores(NamedTuple):
    """The VP of the moves by their reasons, exactly; and their total, if that is asked."""

    vps: dict[str, int]

    def evaluate(self, played: Played) -> Answer:
        """Compare what was scored; what is not named is 0, unless only the total is."""
        actual: dict[str, int] = {}
        for event in played.events:
            if isinstance(event, Scored):
                actual[event.reason] = actual.get(event.reason, 0) + event.vp
        expected = dict(self.vps)
        if set(expected) == {_TOTAL}:
            expected |= actual
        actual[_TOTAL] = sum(actual.values())
        expected.setdefault(_TOTAL, sum(expected.values()))
        return compare(
            (f"scores {reason}", str(expected.get(reason, 0)), str(actual.get(reason, 0)))
            for reason in dict.fromkeys((*expected, *actual))
        )


def read_scores(node: Node, config: Config, reader: Reader) -> Scores:
    """Return what stands under ``scores``. Raises InvalidFileError."""
    scores = reader.mapping(node, "scores")
    return Scores(
        {
            _reason(name, scores.keys[name], reader): reader.number(vp, name)
            for name, vp in scores.entries.items()
        }
    )


def _reason(name: str, node: Node, reader: Reader) -> str:
    if name in (*_BUILD_REASONS, _TOTAL):
        return name
    kind, _, contract = name.rpartition(":")
    try:
        if kind == PRIVATE_CONTRACT:
            return f"{kind}:{PRIVATE_NAMES[parse_private(contract)]}"
        if kind in ("", PUBLIC_CONTRACT):
            return f"{PUBLIC_CONTRACT}:{PUBLIC_NAMES[parse_public(contract)]}"
    except InvalidMoveError:
        pass
    reader.fail(
        node,
        say(
            "{name!r} is no reason to score; there are {reasons}, the name of a public "
            "contract, private: and the name of a private one, and total.",
            name=name,
            reasons=", ".join(_BUILD_REASONS),
        ),
    )


class Reckoned(NamedTuple):
    """What the end of the game gives each player, as the table stands (P-END-2)."""

    players: dict[int, dict[str, str]]
    place: Place

    def evaluate(self, played: Played) -> Answer:
        """Compare what is named. Raises InvalidFileError if the game is over."""
        if played.state.phase == OVER:
            raise InvalidFileError(
                self.place,
                say(
                    "The game is over and reckoned already: ask for the scores under 'then', or "
                    "give a position before the end."
                ),
            )
        state, events = finish(played.state)
        places = ranking(state)
        rows: list[tuple[str, str, str]] = []
        for seat, expected in self.players.items():
            actual = {PRIVATE_NAMES[contract]: "0" for contract in state.kept[seat]}
            actual |= {
                event.contract: str(event.vp)
                for event in events
                if isinstance(event, Scored) and event.seat == seat
            }
            actual[_TOTAL] = str(state.scores[seat])
            actual[_PLACE] = str(places.index(seat) + 1)
            actual[_LEVEL] = level(state)
            rows += (
                (f"reckon {state.config.players[seat]} {name}", value, actual.get(name, "not kept"))
                for name, value in expected.items()
            )
        return compare(rows)


def read_reckoned(node: Node, config: Config, reader: Reader) -> Reckoned:
    """Return what stands under ``reckon``. Raises InvalidFileError."""
    mapping = reader.mapping(node, "reckon")
    reader.keys(mapping, (), config.players)
    players: dict[int, dict[str, str]] = {}
    for player, entry in mapping.entries.items():
        expected = reader.mapping(entry, player)
        found = players[config.players.index(player)] = {}
        for name, value in expected.entries.items():
            if name == _LEVEL:
                found[name] = reader.text(value, name)
                continue
            if name not in (_TOTAL, _PLACE):
                name = _private(name, expected.keys[name], reader)
            found[name] = str(reader.number(value, name))
    return Reckoned(players, place_of(node, reader.file))


def _private(name: str, node: Node, reader: Reader) -> str:
    try:
        return PRIVATE_NAMES[parse_private(name)]
    except InvalidMoveError as error:
        reader.fail(node, error.sentence)
