"""Compare what two versions of the program print, for about 2,500 commands.

    git worktree add ../before main
    python -m tests.compare_outputs ../before

Each version runs in a process of its own with the records and scenarios of this checkout: every
view of finished and unfinished games, moves that are made, refused and taken back, the casebook,
help texts, and commands that are wrong in many ways. Whatever differs is printed as a diff, JSON
key by key; equal differences are printed once. Nothing is kept in the repository.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
RECORDS = sorted((ROOT / "records").rglob("*.yaml"))
SCENARIOS = sorted((ROOT / "scenarios").rglob("*.yaml"))
ENVIRONMENT = {"COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb"}
VIEWS = [
    *("show", "show --plain", "show --format json", "show --format svg", "show --format html"),
    *("log", "log --format json", "log --format html", "score", "score --plain"),
    *("score --format json", "moves", "moves --format json", "verify", "verify --format json"),
]
COMMANDS = [
    *("address", "analyze", "build", "choose", "contract", "discard", "draw", "games", "guest"),
    *("help", "hint", "join", "keep", "key", "load", "log", "mail", "me", "moves", "new", "pass"),
    *("place", "play", "receive", "reveal", "role", "rules", "scenario", "score", "sell", "show"),
    *("simulate", "store", "take", "undo", "verify"),
]
IN_A_NEW_GAME = [
    *("show", "show --plain", "show --as Ana", "show --as Zed", "show --turn 99", "show --turn x"),
    *("show --format html", "show --format nix", "show -o /nonexistent/x.html", "moves", "log"),
    *("log --since last", "score", "verify", "verify --proof", "undo", "reveal", "join", "hint"),
    *("mail --to Ana", "mail --to Bob", "mail --to Zed", "analyze --samples 0", "pass"),
    *("draw", "draw red-99", "build", "build red-2", "contract x", "keep 1 2 3", "keep 9"),
    *("role", "role settler", "role mayorr", "take corn", "place", "sell", "load corn", "store"),
]
ANYWHERE = """
    --help
    --version
    show nothing.yaml
    show .
    new porto.yaml Ana
    new x.yaml
    new x.yaml Ana Ana
    new x.yaml Ana Bob --game chess
    new x.yaml Ana --bot Rui
    new x.yaml Ana --bot 'Rui 9'
    new x.yaml A B C D E F
    rules
    rules P-BUILD-5
    rules P-NONE
    rules --game puerto-rico
    help
    help show
    help record
    me
    me Ana
    games
    key
    key show
    address Bob x
    address Bob bob@example.org
    receive
    receive nothing.eml
    drow porto.yaml
    simulate greedy random -n 2 --seed 1 -j 1
    simulate random greedy 2 --seats 2 -n 2 --seed 1 -j 1
""".strip().splitlines()
DAMAGED = ["", "x: 1", "porto: 1\n", "- Ana: draw", "porto: 9\n", "[", "\0", "a: &x 1\n"]
WIDEST = 400
"""Characters of a line of a diff; a page has very long lines."""


class Output(NamedTuple):
    """A command, and its exit code and all that it printed."""

    command: str
    text: str


def outputs() -> Iterator[Output]:
    """Run all commands in an empty folder, as a user without settings."""
    for path in (*RECORDS, *SCENARIOS):
        name = path.relative_to(ROOT).as_posix()
        with empty_folder():
            Path(path.name).write_bytes(path.read_bytes())
            for output in of_record(path) if path in RECORDS else of_scenarios(path):
                yield output._replace(command=f"{name}: {output.command}")
    with empty_folder():
        yield from of_new_games()


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, {**ENVIRONMENT, "PORTO_HOME": f"{folder}/home"}),
    ):
        os.environ.pop("FORCE_COLOR", None)
        os.environ.pop("PORTO_PLAYER", None)
        yield


def of_scenarios(path: Path) -> Iterator[Output]:
    yield run(f"scenario {path.name} --format json")
    yield run(f"scenario {path.name} --verbose")


def of_record(path: Path) -> Iterator[Output]:
    """All views of a finished game, and of the game at three earlier moments."""
    text = path.read_text("utf-8")
    players = [name.strip(" '\"") for name in re.search(r"players: \[(.*)\]", text)[1].split(",")]
    yield from views(path.name)
    for player in players:
        yield from (run(f"{view} {path.name} --as {player}") for view in ("show", "score"))
    items = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)]
    turns = document(f"verify {path.name} --format json")["files"][0]["turns"]
    for turn in range(0, turns, 9):
        yield run(f"show {path.name} --turn {turn} --format json")
    others: list[str] = []
    for nth in (1, len(items) // 2, len(items) - 2):
        name = f"{path.stem}-{nth}.yaml"
        Path(name).write_text(text[: items[nth]], "utf-8")
        yield from views(name)
        for player in players:
            yield run(f"moves {name} --as {player} --format json")
        yield run(f"scenario --from {name}")
        moves = [one["move"] for one in document(f"moves {name} --format json").get("moves", [])]
        chosen = random.Random(name).sample(moves, min(3, len(moves)))
        # Moves of another moment are hardly ever legal.
        for move in dict.fromkeys([*chosen, *others]):
            yield from made(name, move)
        others = chosen


def views(name: str) -> Iterator[Output]:
    """Everything that shows a game."""
    for view in VIEWS:
        verb, _, options = view.partition(" ")
        yield run(f"{verb} {name} {options}".strip())


def made(name: str, move: str) -> Iterator[Output]:
    """Preview a move, make it and take it back."""
    verb, _, words = re.sub(r"\btoken\b", "--token", move).partition(" ")
    before = Path(name).read_bytes()
    yield run(f"{verb} {name} {words} --dry-run")
    yield run(f"{verb} {name} {words} --dry-run --format json")
    yield run(f"{verb} {name} {words}")
    yield Output(f"cat {name} # after {move}", f"0\n{Path(name).read_text('utf-8')}")
    yield run(f"undo {name}")._replace(command=f"undo {name} # after {move}")
    Path(name).write_bytes(before)


def of_new_games() -> Iterator[Output]:
    """Games that have just begun, help texts, and what can be typed wrong."""
    yield from (run(f"{command} --help") for command in COMMANDS)
    for name, setup in (
        ("porto.yaml", "Ana Bob --game porto"),
        ("puerto-rico.yaml", "Ana Bob Cid --game puerto-rico"),
        ("solo.yaml", "Ana --game porto"),
    ):
        yield run(f"new {name} {setup} --seed 5")
        for command in IN_A_NEW_GAME:
            verb, _, rest = command.partition(" ")
            yield run(f"{verb} {name} {rest}")
    yield run("new table.yaml Ana Bob --secrecy table --first Ana")
    yield from (run(f"{verb} table.yaml") for verb in ("show", "moves", "draw", "score"))
    yield from (run(command.strip()) for command in ANYWHERE)
    for number, text in enumerate(DAMAGED):
        Path(f"damaged-{number}.yaml").write_text(text, "utf-8")
        yield run(f"show damaged-{number}.yaml")
        yield run(f"draw damaged-{number}.yaml red-1")


def run(command: str) -> Output:
    from porto_cli.cli.app import run as run_program

    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    code: str | int | None = 0
    with (
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO())),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            run_program(shlex.split(command))
        except SystemExit as exit_:
            code = exit_.code
    printed.flush()
    text = printed.buffer.getvalue().decode().replace(os.getcwd(), "/folder")
    # A mail has its time, and boundaries that are random.
    text = re.sub(r"(?m)^Date: .*|={15}\d+==", "…", text)
    return Output(command, f"{code or 0}\n{text}")


def document(command: str) -> Any:
    return json.loads(run(command).text.partition("\n")[2])


def of_checkout(checkout: Path) -> dict[str, str]:
    """Return what a version prints, by command."""
    done = subprocess.run(
        [sys.executable, __file__, "--print-outputs", checkout.resolve()],
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(line) for line in done.stdout.decode().splitlines())


def difference(before: str, now: str) -> str:
    """Return how two outputs differ, line by line; JSON key by key."""
    lines = [indented(text).splitlines() for text in (before, now)]
    diff = [*difflib.unified_diff(*lines, lineterm="", n=0)][2:]
    return "\n".join(line[:WIDEST] for line in diff if not line.startswith("@@"))


def indented(text: str) -> str:
    code, _, rest = text.partition("\n")
    with contextlib.suppress(ValueError):
        rest = json.dumps(json.loads(rest), indent=1, ensure_ascii=False)
    return f"exit code {code}\n{rest}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path, help="a checkout of the other version")
    parser.add_argument("--print-outputs", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.print_outputs:
        sys.path.insert(0, str(options.checkout))
        out = sys.stdout
        for output in outputs():
            print(json.dumps(output), file=out)
        return 0
    before, now = of_checkout(options.checkout), of_checkout(ROOT)
    commands: dict[str, list[str]] = defaultdict(list)
    for command in {**before, **now}:
        if before.get(command) != now.get(command):
            commands[difference(before.get(command, ""), now.get(command, ""))].append(command)
    for diff, of in commands.items():
        print(f"\n{len(of)} x, such as: porto {of[0]}\n{diff}")
    changed = sum(map(len, commands.values()))
    print(f"\n{len(now)} commands, {changed} print something else.")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
