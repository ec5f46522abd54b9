"""What the commands print of every game is what the schema says, and what the seam says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from porto_cli.game import OVER
from porto_cli.match.match import Match
from tests.conformance.games import KINDS, played
from tests.conftest import ROOT
from tests.documents import validated

RECORDS = sorted((ROOT / "records").rglob("*.yaml"))
FIRST_KINDS = {kind.game: kind for kind in reversed(KINDS)}.values()
"""One kind of each game; the others have the same documents."""


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind not in FIRST_KINDS)) for kind in KINDS],
    ids=str,
)
def test_what_commands_print_is_a_document(kind, porto):
    plies = played(kind, 0).plies
    for ply in (plies[0], plies[len(plies) // 2], plies[-1]):
        after = ply.after
        Path("game.yaml").write_text(after.record.text, "utf-8")
        players = after.config.players
        of_game = ["game.yaml", "--format", "json"]
        verified = validated("verify", porto("verify", *of_game).out)
        assert [one["digest"] for one in verified["files"]] == [after.digest]
        validated("log", porto("log", *of_game).out)
        for mine in ([], ["--as", players[-1]]):
            shown = validated("show", porto("show", *of_game, *mine).out)
            assert shown["digest"] == after.digest
            assert shown["phase"] == after.state.phase
            assert shown["to_move"] == [players[seat] for seat in after.game.to_move(after.state)]
            standings = validated("standings", porto("score", *of_game, *mine).out)
            assert len(standings["players"]) == len(players)
        if after.state.phase == OVER:
            continue
        seat = after.game.to_move(after.state)[0]
        count = after.game.count_moves(after.state, seat)
        of_player = [*of_game, "--as", players[seat]]
        moves = validated("moves", porto("moves", *of_player).out)
        assert moves["count"] == count
        # Where there are too many to be listed it is said what one has to satisfy.
        legal = after.game.legal_moves(after.state, seat, 1)[0]
        first = moves["moves"][0]["move"] if "moves" in moves else Match(after).text(legal)
        verb, *words = first.split()
        report = validated("report", porto(verb, *of_player, *words, "--dry-run").out)
        assert report["dry_run"]


# --- x ----------------------------------------------------------------------------------------


class Document(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "json"


@pytest.mark.long_for("porto-forced-pass")
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_documents_of_a_game_stay_as_they_are(path, porto, tmp_path, snapshot):
    def document(verb: str, *options: str):
        result = porto(verb, game, "--format", "json", *options)
        assert result.code == 0, result.err
        return json.loads(result.out)

    text = path.read_text("utf-8")
    items = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)]
    game = tmp_path / "game.yaml"
    game.write_text(text[: items[len(items) // 2]], "utf-8")
    documents = {verb: document(verb) for verb in ("show", "score", "moves")}
    moves = documents["moves"].get("moves", [])
    moves[:] = moves[:: len(moves) // 4 + 1]
    game.write_text(text, "utf-8")
    documents["score at the end"] = document("score")
    log = document("log")
    log["turns"] = log["turns"][:: len(log["turns"]) // 12 + 1]
    documents["log"] = log
    assert lines_of(documents) == snapshot(extension_class=Document)


def lines_of(value: object, indent: str = "") -> str:
    """Return JSON with each member on a line of its own, and short values on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 90 or not isinstance(value, dict | list):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {lines_of(v, inner)}"
            for key, v in value.items()
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + lines_of(v, inner) for v in value) + f"\n{indent}]"
