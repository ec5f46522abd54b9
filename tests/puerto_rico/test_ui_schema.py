"""The documents of Puerto Rico are what the schema says, all through games of every kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

jsonschema = pytest.importorskip("jsonschema")

from porto_cli.core.documents import document  # noqa: E402
from porto_cli.games.puerto_rico.engine import moves  # noqa: E402
from porto_cli.games.puerto_rico.engine.moves import Event  # noqa: E402
from porto_cli.games.puerto_rico.engine.play import count_moves  # noqa: E402
from porto_cli.games.puerto_rico.event_text import name_of  # noqa: E402
from porto_cli.games.puerto_rico.game import PUERTO_RICO  # noqa: E402
from porto_cli.games.puerto_rico.observation import MOST  # noqa: E402
from tests import documents  # noqa: E402
from tests.documents import SCHEMA  # noqa: E402
from tests.puerto_rico.matches import SEEDS, decisions, new, stopped  # noqa: E402
from tests.shares import one_in  # noqa: E402

KINDS = [
    (2, "draft", "guide"),
    (3, "base", "guide"),
    (5, "base", "printed"),
    (4, "random", "printed"),
]


def validated(name: str, found: object) -> Any:
    """Return a document as programs read it, which has to be one of this kind."""
    return documents.validated(name, json.dumps(found) + "\n")


@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_every_document_of_a_game_is_one(kind: tuple[int, str, str]) -> None:
    players, buildings, rulebook = kind
    for number, match in enumerate(decisions(new(players, buildings=buildings, rulebook=rulebook))):
        if number % 19 and not match.over:
            continue
        replay, mover = match.replay, match.state.seat
        shown = validated("show", PUERTO_RICO.ui.table_json(replay, mover))
        assert shown["fingerprint"] == match.fingerprint == match.digest[:8]
        assert shown["turn"] == (None if match.over else number + 1)
        output = [player["vp"] is not None for player in shown["players"]]
        assert all(output) if match.over else output.index(True) == mover and sum(output) == 1
        standings = validated("standings", PUERTO_RICO.ui.score_json(replay, None))
        assert standings["over"] is match.over
        if not match.over and count_moves(match.state) <= 2 * MOST:
            validated("moves", PUERTO_RICO.ui.moves(replay, None, {}).json())
        if match.replay.steps:
            last = match.replay.steps[-1]
            validated(
                "report",
                document(
                    game="puerto-rico",
                    moves=[PUERTO_RICO.ui.in_short(last)],
                    dry_run=False,
                    events=PUERTO_RICO.ui.events_json(last.events, match.config),
                    phase=match.state.phase,
                    to_move=match.to_move(),
                    fingerprint=match.fingerprint,
                    digest=match.digest,
                ),
            )
    story = validated("log", PUERTO_RICO.ui.log_json(match.replay))
    assert len(story["turns"]) == len(match.replay.steps)
    assert story["result"]


def test_moves_that_are_too_many_are_described() -> None:
    games = (match for seed in SEEDS for match in decisions(new(4, seed)))
    for match in games:
        if match.state.phase == "mayor" and count_moves(match.state) > MOST:
            found = validated("moves", PUERTO_RICO.ui.moves(match.replay, None, {}).json())
            assert found["count"] == count_moves(match.state)
            assert sum(found["circles"].values()) >= found["fewest"] > 0
            return
    raise AssertionError("nobody had many placements")


def test_a_line_of_a_simulation_is_a_document(porto) -> None:
    line = "simulate greedy random random --game puerto-rico -n 1 --seed s --format jsonl"
    found = documents.validated("simulation", porto(*line.split()).out)
    assert sum(found["players"][0]["roles"].values()) > 5


def test_the_schema_knows_every_event() -> None:
    known = {
        one["properties"]["event"]["const"] for one in SCHEMA["$defs"]["puerto-rico-event"]["oneOf"]
    }
    events = [kind for kind in vars(moves).values() if isinstance(kind, type)]
    assert known == {name_of(kind) for kind in events if issubclass(kind, Event) and kind != Event}


def test_a_document_with_something_more_or_less_is_none() -> None:
    shown = PUERTO_RICO.ui.table_json(stopped("settler").replay, None)
    for change in (lambda it: it.update(more=1), lambda it: it.pop("stack"), lambda it: it.clear()):
        other = json.loads(json.dumps(shown))
        change(other)
        with pytest.raises(jsonschema.ValidationError):
            validated("show", other)
