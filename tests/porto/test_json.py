"""JSON: every command's output is what the schema says, and so is every error."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

jsonschema = pytest.importorskip("jsonschema")

import porto_cli  # noqa: E402
from porto_cli.cli.app import asks_for_json  # noqa: E402
from tests.conftest import ROOT, Result, run_porto  # noqa: E402
from tests.documents import DOCUMENTS, SCHEMA, validated  # noqa: E402
from tests.shares import for_each  # noqa: E402


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert porto_cli.json_schema() == SCHEMA


# --- porto-json(5) ----------------------------------------------------------------------------

PAGE = re.sub(
    r"\\f[BIR]", "", (ROOT / "man" / "man5" / "porto-json.5").read_text("utf-8").replace("\\-", "-")
)


def keys_of(part: Any) -> set[str]:
    """Return the names of all keys in a schema."""
    if isinstance(part, list):
        return set().union(*map(keys_of, part)) if part else set()
    if not isinstance(part, dict):
        return set()
    below = {key: each for key, each in part.items() if key != "properties"}
    own = part.get("properties", {})
    return set(own).union(*(keys_of(each) for each in (*below.values(), *own.values())))


def test_the_page_describes_every_key_and_names_every_document() -> None:
    words = set(re.findall(r"[\w-]+", PAGE))
    colors = {"blue", "green", "purple", "red", "yellow"}
    assert keys_of(SCHEMA["$defs"]) - words - colors == set()
    for name in DOCUMENTS:
        assert f"(definition {name})" in PAGE


@pytest.mark.parametrize(
    ("definition", "before"), [("event", ".SS Events"), ("puerto-rico-event", "(PR-AUTO-1)")]
)
def test_the_page_lists_every_event_with_its_keys(definition: str, before: str) -> None:
    table = PAGE.partition(before)[2].partition(".EX\n")[2].partition("\n.EE")[0]
    table = re.sub(r",\n +", ", ", table)
    listed = {
        kind: set(keys) for kind, *keys in map(re.compile("[\\w-]+").findall, table.split("\n"))
    }
    events = [event["properties"] for event in SCHEMA["$defs"][definition]["oneOf"]]  # type: ignore[index]
    assert listed == {keys["event"]["const"]: set(keys) - {"event", "auto"} for keys in events}


def test_the_error_on_the_page_is_what_the_program_says(porto) -> None:
    porto(
        "new", "friday.yaml", "Inês", "Joana", "--seed", "tram", "--first", "Inês", "--first-game"
    )
    command, *lines = PAGE[PAGE.index("porto draw friday") :].split("\n.EE")[0].split("\n")
    text = "\n".join(lines).replace("\\(dq", '"').replace("\\(aq", "'")
    assert json.loads(porto(*command.split()[1:]).err) == json.loads(text)


# --- what commands print ----------------------------------------------------------------------


def test_what_needs_no_game_prints_a_document(porto, tmp_path: Path) -> None:
    validated("rules", porto("rules", "--format", "json").out)
    validated("rules", porto("rules", "P-BUILD-5", "--format", "json").out)
    validated("rules", porto("rules", "--game", "puerto-rico", "--format", "json").out)
    scenario = next((ROOT / "scenarios" / "porto").rglob("*.yaml"))
    wrong = scenario.read_text("utf-8").replace("because: [P-", "because: [P-SETUP-1, P-", 1)
    (tmp_path / "wrong.yaml").write_text(wrong, "utf-8")
    (tmp_path / "none.yaml").write_text("porto: 1\n", "utf-8")
    for paths in ([scenario], ["wrong.yaml"], ["none.yaml", "wrong.yaml"]):
        validated("scenario", porto("scenario", *paths, "--format", "json").out)
    simulate = ("simulate", "greedy", "random", "--games", 2, "--workers", 1, "--seed", "x")
    lines = porto(*simulate, "--format", "jsonl").out.splitlines(keepends=True)
    assert len(lines) == 2
    for line in lines:
        validated("simulation", line)
    words = "simulate greedy random random --game puerto-rico -n 1 --seed s --format jsonl"
    found = validated("simulation", porto(*words.split()).out)
    assert sum(found["players"][0]["roles"].values()) > 5


def test_a_report_on_standard_error_is_one_too(porto) -> None:
    """Where the record goes to standard output."""
    porto("new", "game.yaml", "Inês", "Joana", "--first-game", "--seed", "tram", "--first", "Inês")
    text = Path("game.yaml").read_text("utf-8")
    result = porto("draw", "-", "blue-1", "--format", "json", stdin=text)
    assert result.out.startswith("# Porto game record")
    assert validated("report", result.err)["to_move"] == ["Joana"]


# --- errors -----------------------------------------------------------------------------------

FAILING = [
    ("show missing.yaml", 4),
    ("show bad.yaml", 3),
    ("show game.yaml --as Zoe", 2),
    ("show game.yaml --turn 99", 2),
    ("show game.yaml --turn many", 2),
    ("show game.yaml --frob", 2),
    ("show", 2),
    ("show game.yaml -o nowhere/table.json", 4),
    ("moves bad.yaml", 3),
    ("moves game.yaml --cards pink-1", 2),
    ("log missing.yaml", 4),
    ("score game.yaml --as Zoe", 2),
    ("keep game.yaml 1 2 3", 1),
    ("keep secret.yaml 1 2 3", 2),
    ("undo secret.yaml", 2),
    ("draw game.yaml blue-1 blue-1 blue-1 blue-1", 1),
    ("draw game.yaml", 2),
    ("draw game.yaml wood-1", 2),
    ("draw game.yaml blue-1 --refill red-1", 2),
    ("draw secret.yaml blue-1 --as Joana", 1),
    ("draw game.yaml blue-1 --expect 00000000", 4),
    ("draw game.yaml blue-1 -n --frob", 2),
    ("build game.yaml blue-3 red-1 R7 token L3", 1),
    ("contract game.yaml none", 1),
    ("pass game.yaml", 1),
    ("pass", 2),
    ("verify", 2),
    ("rules P-NO-9", 2),
    ("scenario missing.yaml", 4),
    ("scenario game.yaml --turn 3", 2),
    ("simulate greedy greedy greedy greedy greedy", 2),
    ("simulate greedy clever", 2),
    ("simulate greedy greedy --save bad.yaml", 3),
    ("frob game.yaml", 2),
]


@cache
def _made() -> dict[str, bytes]:
    """Return a game without private contracts, one with, and a file that is no record."""
    two = ("Inês", "Joana", "--seed", "tram", "--first", "Inês", "-q")
    run_porto("new", "game.yaml", *two, "--first-game")
    run_porto("new", "secret.yaml", *two)
    run_porto("keep", "secret.yaml", 2, 4, 5, "--as", "Inês")
    Path("bad.yaml").write_text("porto: 1\n", "utf-8")
    return {path.name: path.read_bytes() for path in Path().iterdir()}


@pytest.fixture
def files(porto) -> None:
    for name, data in _made().items():
        Path(name).write_bytes(data)


@pytest.mark.long_for("undo secret.yaml")
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "code"), FAILING, ids=[line for line, _ in FAILING])
def test_every_error_is_json_where_json_is_asked_for(line: str, code: int, porto) -> None:
    form = "jsonl" if line.startswith("simulate") else "json"
    before = Path("game.yaml").read_bytes()
    for option in (["--format", form], [f"--format={form}"]):
        result: Result = porto(*line.split(), *option)
        error = validated("error", result.err)
        assert (result.code, error["exit"], result.out) == (code, code, "")
        assert error["error"]
    text = porto(*line.split())
    assert text.code == code
    assert error["error"] in text.err
    for command in error["suggestions"]:
        assert command.startswith("porto ")
        # One that is made of what was typed also asks for JSON.
        plain = command.removesuffix(f" --format={form}")
        assert plain in text.err or plain.endswith("--help")
    assert Path("game.yaml").read_bytes() == before


@pytest.mark.usefixtures("files")
def test_an_error_names_the_rulings_and_what_would_be_legal(porto) -> None:
    result = porto("build", "game.yaml", "blue-3", "red-1", "R7", "--format", "json")
    error = validated("error", result.err)
    assert [one["id"] for one in error["rulings"]] == ["P-BUILD-1", "P-BUILD-1", "P-SETUP-1"]
    assert error["rulings"][0]["sentence"] == "blue-3 is not in Inês's hand."
    assert error["error"].splitlines()[0] == "P-BUILD-1: blue-3 is not in Inês's hand."
    assert error["suggestions"][0].startswith("porto draw game.yaml ")
    assert porto(*error["suggestions"][0].split()[1:], "--format", "json").code == 0


@pytest.mark.outside
@pytest.mark.usefixtures("files")
def test_a_letter_that_a_stream_cannot_encode_is_escaped(porto) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", "show", "game.yaml", "--as", "Zoé", "--format", "json"],
        env={
            "PYTHONIOENCODING": "ascii",
            "PATH": "",
            "PYTHONUTF8": "0",
            "PYTHONPATH": str(ROOT),
            "PORTO_HOME": str(ROOT / "nobodys-home"),
        },
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    error = validated("error", done.stderr.decode())
    assert "'Zoé'" in error["error"]
    assert "Inês" in error["error"]


@for_each(
    ("line", "wanted"),
    [
        ("show game.yaml", False),
        ("show game.yaml --format json", True),
        ("show game.yaml --format=json", True),
        ("simulate greedy --format jsonl", True),
        ("show --format text game.yaml", False),
        ("show --format json --format text", False),
        ("show --format", False),
        ("show json", False),
        ("show -- --format json", False),
    ],
)
def test_when_json_is_asked_for(line: str, wanted: bool) -> None:
    assert asks_for_json(line.split()) == wanted
