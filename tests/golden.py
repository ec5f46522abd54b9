"""What the commands say of the records and the casebook, kept for ever.

    python -m tests.golden            what has changed
    python -m tests.golden --write    it has changed on purpose: keep what is said now

``golden_outputs/digests.txt`` has a digest of each output, ``documents.jsonl`` beside it some
JSON documents as they are, to show what has changed in them. Records and scenarios that are
added are not in there before they are written; a record has to be (:mod:`tests.test_golden`).
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from tests.conftest import ROOT, run_porto

KEPT = ROOT / "tests" / "golden_outputs"
DIGESTS, DOCUMENTS = KEPT / "digests.txt", KEPT / "documents.jsonl"
SURROUNDINGS = {"COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb"}
RECORDS = sorted((ROOT / "records").rglob("*.yaml"))
SCENARIOS = sorted((ROOT / "scenarios").rglob("*.yaml"))
VIEWS = [
    *("show", "show --plain", "show --format json", "show --format svg", "show --format html"),
    *("log", "log --format json", "log --format html", "score", "score --plain"),
    *("score --format json", "moves", "moves --format json", "verify", "verify --format json"),
]
IN_FULL = ("show --format json", "score --format json", "moves --format json")
"""Views whose outputs are kept as they are."""
LONGEST = 12_000
"""Outputs that are longer are kept as a digest only."""


class Output(NamedTuple):
    """What a command said. ``in_full``: it is kept as it is."""

    command: str
    text: str
    in_full: bool = False

    @property
    def digest(self) -> str:
        """What is kept of every output."""
        return sha256(self.text.encode()).hexdigest()[:16]


def key_of(path: Path) -> str:
    """Return what a file is called in what is kept."""
    return path.relative_to(ROOT).as_posix()


def outputs_of(path: Path) -> Iterator[Output]:
    """Return what the commands say of a record, or of a file of scenarios."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, SURROUNDINGS),
    ):
        os.environ.pop("FORCE_COLOR", None)
        Path(path.name).write_bytes(path.read_bytes())
        if path in SCENARIOS:
            yield said(f"scenario {path.name} --format json")
            yield said(f"scenario {path.name} --verbose")
        else:
            yield from of_record(path)


def of_record(path: Path) -> Iterator[Output]:
    """All views of a whole game, and of the game when it was not over: moves, made and refused."""
    text = path.read_text("utf-8")
    players = [name.strip(" '\"") for name in re.search(r"players: \[(.*)\]", text)[1].split(",")]
    yield from views(path.name)
    for player in players:
        yield from (said(f"{view} {path.name} --as {player}") for view in ("show", "score"))
    items = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)]
    turns = told(f"verify {path.name} --format json")["files"][0]["turns"]
    for turn in range(0, turns, 9):
        yield said(f"show {path.name} --turn {turn} --format json")
    others: list[str] = []
    for nth in (1, len(items) // 2, len(items) - 2):
        name = f"{path.stem}-{nth}.yaml"
        Path(name).write_text(text[: items[nth]], "utf-8")
        yield from views(name)
        for player in players:
            yield said(f"moves {name} --as {player} --format json")
        yield said(f"scenario --from {name}")
        # Of very many moves it is only said what one has to satisfy.
        listed = told(f"moves {name} --format json").get("moves", [])
        moves = [one["move"] for one in listed]
        chosen = random.Random(name).sample(moves, min(3, len(moves)))
        for move in dict.fromkeys([*chosen, *others]):
            yield from made(name, move)
        others = chosen


def views(name: str) -> Iterator[Output]:
    """Everything that shows a game."""
    for view in VIEWS:
        verb, _, options = view.partition(" ")
        yield said(f"{verb} {name} {options}".strip(), in_full=view in IN_FULL)


def made(name: str, move: str) -> Iterator[Output]:
    """A move tried, made and taken back; one of another time is hardly ever legal."""
    verb, _, words = re.sub(r"\btoken\b", "--token", move).partition(" ")
    before = Path(name).read_bytes()
    yield said(f"{verb} {name} {words} --dry-run")
    yield said(f"{verb} {name} {words} --dry-run --format json")
    yield said(f"{verb} {name} {words}")
    yield Output(f"cat {name} # after {move}", Path(name).read_text("utf-8"))
    yield said(f"undo {name}")._replace(command=f"undo {name} # after {move}")
    Path(name).write_bytes(before)


def said(command: str, *, in_full: bool = False) -> Output:
    """Run a command and return all that it said."""
    result = run_porto(*command.split())
    return Output(command, f"{result.code}\n{result.out}{result.err}", in_full)


def told(command: str) -> Any:
    """Run a command and return the document that it prints."""
    return json.loads(run_porto(*command.split()).out)


def kept() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return what was kept: by file the lines of digests, and by file and command the outputs."""
    digests: dict[str, list[str]] = {}
    for line in DIGESTS.read_text("utf-8").splitlines():
        file, _, rest = line.partition("\t")
        digests.setdefault(file, []).append(rest)
    documents = dict(map(json.loads, DOCUMENTS.read_text("utf-8").splitlines()))
    return digests, documents


def changes(path: Path) -> list[str]:
    """Return what has changed of what is said of a file: commands, and differences if known."""
    digests, documents = kept()
    file = key_of(path)
    if file not in digests:
        return [f"Nothing is kept of {file} yet."]
    known = dict(line.split("\t")[::-1] for line in digests[file])
    found = []
    for output in outputs_of(path):
        if known.pop(output.command, "") != output.digest:
            was = documents.get(f"{file}: {output.command}")
            now = "(its text is not kept)" if was is None else difference(was, output.text)
            found.append(f"porto {output.command}\n{now}")
    return found + [f"porto {command}\nIt is not asked any more." for command in known]


def difference(was: str, now: str) -> str:
    """Return how two outputs differ, line by line, of JSON key by key."""
    lines = [indented(text).splitlines() for text in (was, now)]
    return "\n".join([*difflib.unified_diff(*lines, "kept", "now", lineterm="", n=1)][:60])


def indented(text: str) -> str:
    code, _, rest = text.partition("\n")
    with contextlib.suppress(ValueError):
        rest = json.dumps(json.loads(rest), indent=1, ensure_ascii=False)
    return f"exit code {code}\n{rest}"


def write() -> None:
    """Keep what is said now of everything."""
    digests, documents = [], []
    for path in (*RECORDS, *SCENARIOS):
        for output in outputs_of(path):
            digests.append(f"{key_of(path)}\t{output.digest}\t{output.command}\n")
            if output.in_full and len(output.text) < LONGEST:
                entry = (f"{key_of(path)}: {output.command}", output.text)
                documents.append(json.dumps(entry, ensure_ascii=False) + "\n")
    KEPT.mkdir(exist_ok=True)
    DIGESTS.write_text("".join(digests), "utf-8")
    DOCUMENTS.write_text("".join(documents), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        for path in (*RECORDS, *SCENARIOS):
            print("\n".join(changes(path)), end="\n" if changes(path) else "")
