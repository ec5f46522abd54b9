"""What the commands print of every game is what the schema says, and what the seam says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

jsonschema = pytest.importorskip("jsonschema")

import porto_cli  # noqa: E402
from porto_cli.core.values import event_name  # noqa: E402
from porto_cli.games.porto.engine.turn import EVENTS as PORTO_EVENTS  # noqa: E402
from porto_cli.games.puerto_rico.engine import moves as moves_of_puerto_rico  # noqa: E402
from porto_cli.games.puerto_rico.engine.moves import Event as PuertoRicoEvent  # noqa: E402
from porto_cli.seam import OVER  # noqa: E402
from tests.conformance.games import KINDS, played  # noqa: E402
from tests.conftest import ROOT  # noqa: E402
from tests.documents import SCHEMA, validated  # noqa: E402

RECORDS = sorted((ROOT / "records").rglob("*.yaml"))
every_record = pytest.mark.parametrize(
    "record", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
FIRST_KINDS = {kind.game: kind for kind in reversed(KINDS)}.values()
"""One kind of each game; the others have the same documents."""
HIDDEN = {"porto": "private", "puerto-rico": "vp"}
"""What a table tells of each player, and of the others only at the end."""
EVENTS = {
    "porto": ("event", set(map(event_name, PORTO_EVENTS))),
    "puerto-rico": (
        "puerto-rico-event",
        {
            event_name(kind)
            for kind in vars(moves_of_puerto_rico).values()
            if isinstance(kind, type)
            and issubclass(kind, PuertoRicoEvent)
            and kind != PuertoRicoEvent
        },
    ),
}
"""The events of each game: where the schema has them, and their names."""


# --- the schema -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVENTS)
def test_the_schema_knows_every_event(game):
    place, names = EVENTS[game]
    known = {one["properties"]["event"]["const"] for one in SCHEMA["$defs"][place]["oneOf"]}
    assert known == names


@pytest.mark.parametrize("kind", FIRST_KINDS, ids=str)
def test_a_document_with_something_more_or_less_is_none(kind, porto):
    """The schema would notice."""
    Path("game.yaml").write_text(played(kind, 0).plies[5].after.record.text, "utf-8")
    shown = validated("show", porto("show", "game.yaml", "--format", "json").out)
    pile = "deck" if kind.game == "porto" else "stack"
    for change in (lambda it: it.update(more=1), lambda it: it.pop(pile), lambda it: it.clear()):
        other = json.loads(json.dumps(shown))
        change(other)
        with pytest.raises(jsonschema.ValidationError):
            validated("show", json.dumps(other) + "\n")


# --- what commands print ----------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind not in FIRST_KINDS)) for kind in KINDS],
    ids=str,
)
def test_what_commands_print_of_a_random_game_is_a_document(kind, porto):
    plies = played(kind, 0).plies
    for ply in (plies[0], plies[len(plies) // 2], plies[-1]):
        all_that_is_printed(ply.after.record.text, porto)


@pytest.mark.long
@every_record
def test_what_commands_print_of_a_record_is_a_document(record, porto):
    for text in positions(record):
        all_that_is_printed(text, porto)


def positions(record: Path) -> Iterator[str]:
    """Return the texts of a game at its beginning, in its middle, and at its end."""
    text = record.read_text("utf-8")
    items = len(re.findall("^- ", text, re.MULTILINE))
    head, turns = text.split("turns:\n")
    found = re.findall(r"^- .*\n(?:  .*\n)*", turns, re.MULTILINE)
    for count in sorted({0, 2, items // 4, items // 2, 3 * items // 4, items - 2, items}):
        yield head + "turns:\n" + "".join(found[:count])
    for key in ("contract", "timer-build"):
        if f"  {key}:" in turns:
            # A turn that waits for another decision.
            yield text[: text.index(f"  {key}:", len(text) // 2)]


def all_that_is_printed(text: str, porto: Any) -> None:
    """Every document that commands print of a game, held against the schema and the seam."""
    Path("game.yaml").write_text(text, "utf-8")
    after = porto_cli.load("game.yaml").replay
    game, state, players = after.game, after.state, after.config.players
    of_game = ["game.yaml", "--format", "json"]
    verified = validated("verify", porto("verify", "nobody.yaml", *of_game).out)
    assert [one.get("digest") for one in verified["files"]] == [None, after.digest]
    log = validated("log", porto("log", *of_game).out)
    assert len(log["turns"]) == len(after.steps)
    assert (log["result"] is None) == (state.phase != OVER)
    for mine in ([], ["--as", players[-1]]):
        shown = validated("show", porto("show", *of_game, *mine).out)
        assert (shown["digest"], shown["fingerprint"]) == (after.digest, after.fingerprint)
        assert shown["phase"] == state.phase
        assert shown["to_move"] == [players[seat] for seat in game.to_move(state)]
        assert (shown["result"] is None) == (state.phase != OVER)
        known = [player[HIDDEN[game.meta.id]] is not None for player in shown["players"]]
        open_ = state.phase == OVER or not has_secrets(after)
        assert known == [open_ or name in mine for name in players]
        standings = validated("standings", porto("score", *of_game, *mine).out)
        assert len(standings["players"]) == len(players)
        assert standings["over"] == (state.phase == OVER)
        if game.meta.id == "porto":
            for player in standings["players"]:
                assert sum(vp for _, vp in player["scores"]) == player["score"]
    if state.phase == OVER:
        return
    seat = game.to_move(state)[0]
    of_player = [*of_game, "--as", players[seat]]
    moves = validated("moves", porto("moves", *of_player).out)
    assert moves["count"] == game.count_moves(state, seat)
    # Where there are too many to be listed it is said what one has to satisfy.
    if "moves" in moves:
        listed = [one["move"] for one in moves["moves"]]
        assert len(listed) == moves["count"]
        assert {game.parse_move(one, state, seat) for one in listed} == {
            *game.legal_moves(state, seat)
        }
        assert [one["kind"] for one in moves["moves"]] == [one.split()[0] for one in listed]
    legal = game.legal_moves(state, seat, 1)
    if not legal:
        return
    first = moves["moves"][0]["move"] if "moves" in moves else after.text(legal[0])
    verb, *words = first.split()
    if after.record.secrecy != "table":
        report = validated("report", porto(verb, *of_player, *words, "--dry-run").out)
        assert report["dry_run"]


def has_secrets(replay: Any) -> bool:
    return bool(getattr(replay.config, "private_contracts", True))


@pytest.mark.long
@every_record
def test_what_a_move_prints_is_a_report(record, porto):
    """Each move tried, made, undone and made again; the dry run showed its result."""
    rnd = random.Random(record.stem)
    for text in positions(record):
        Path("game.yaml").write_text(text, "utf-8")
        match = porto_cli.load("game.yaml")
        if match.record.secrecy == "table" or match.over:
            continue
        seat = match.game.to_move(match.state)[0]
        legal = match.game.legal_moves(match.state, seat, 200)
        player = match.players[seat]
        for move in dict.fromkeys([rnd.choice(legal), legal[0], legal[-1]]):
            verb, *words = match.text(move).split()
            said = [verb, "game.yaml", *words, "--as", player, "--format", "json"]
            tried = validated("report", porto(*said, "--dry-run").out)
            made = validated("report", porto(*said).out)
            now = porto_cli.load("game.yaml")
            assert (tried["dry_run"], made["dry_run"]) == (True, False)
            assert (made["phase"], made["to_move"]) == (now.state.phase, now.to_move())
            assert made["fingerprint"] == now.fingerprint
            for key in ("phase", "to_move", "fingerprint"):
                assert tried[key] in (made[key], None)
            if match.game.meta.id == "porto":
                events = {event["event"] for event in made["events"]}
                turned = "timer-turned" in events
                assert (tried["fingerprint"] is None) == (turned or "refilled" in events)
                assert (tried["phase"] is None) == (tried["to_move"] is None) == turned
            undone = porto("undo", "game.yaml", "--as", player, "--format", "json")
            if undone.code == 0:
                validated("report", undone.out)
            Path("game.yaml").write_text(text, "utf-8")


# --- what people look at ----------------------------------------------------------------------


class Document(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "json"


SHOWN = ["porto/three-players", "puerto-rico/four-players-draft"]
"""A game of each kind, with all that a table can have."""


@pytest.mark.long_for("puerto-rico-four-players-draft")
@pytest.mark.parametrize("name", SHOWN, ids=lambda name: name.replace("/", "-"))
def test_the_documents_of_a_game_stay_as_they_are(name, porto, tmp_path, snapshot):
    def document(verb: str, *options: str):
        result = porto(verb, game, "--format", "json", *options)
        assert result.code == 0, result.err
        return json.loads(result.out)

    text = (ROOT / "records" / f"{name}.yaml").read_text("utf-8")
    items = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)]
    game = tmp_path / "game.yaml"
    game.write_text(text[: items[len(items) // 2]], "utf-8")
    documents = {verb: document(verb) for verb in ("show", "score", "moves")}
    moves = documents["moves"].get("moves", [])
    moves[:] = moves[:: len(moves) // 2 + 1]
    game.write_text(text, "utf-8")
    documents["score at the end"] = document("score")
    log = document("log")
    log["turns"] = log["turns"][:: len(log["turns"]) // 3 + 1]
    documents["log"] = log
    assert lines_of(documents) == snapshot(extension_class=Document)


def lines_of(value: object, indent: str = "") -> str:
    """Return JSON with each member on a line of its own, and short values on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 120 or not isinstance(value, dict | list):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {lines_of(v, inner)}"
            for key, v in value.items()
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + lines_of(v, inner) for v in value) + f"\n{indent}]"
