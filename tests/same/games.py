"""Random games: one version lists the moves and makes them, the other one has to agree."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from tests.same import advice
from tests.same.bench import Bench, Gone, exits
from tests.same.jobs import Job
from tests.same.material import Game
from tests.same.program import TABLE, Files, Json, Outcome, Program, command_line, on_table

NAMES = ("Ana", "Bob", "Zé", "Rui: x", "no")
FILE = "g.yaml"
SETUPS = (
    *(f"--timer {cards}" for cards in (28, 26, 24)),
    *(
        " ".join(options)
        for options in product(
            ("2", "3", "4"), ("", "--first-game"), ("", "--tie-break seat-first")
        )
    ),
    *(
        f"{seats} --game puerto-rico --buildings {buildings} --rulebook {rulebook}"
        for seats, buildings, rulebook in product(
            (2, 3, 4, 5), ("base", "draft", "random"), ("printed", "guide")
        )
    ),
)
"""The options of all games: the number of players first, which is one with a timer."""
SECONDS = 8.0
"""The least time for a game."""
NONSENSE = ("frobnicate", "draw blue-9", "build", "role king", "pass", "undo", "keep 1 2", "0", "?")


@dataclass
class Table:
    """A game that is being played."""

    bench: Bench
    player: Program
    """Who lists the moves and makes them."""
    referee: Program
    """The other version."""
    rng: random.Random
    text: bytes = b""
    seen: list[str] = field(default_factory=list)
    """Moves that have been legal; most are so no more."""

    @property
    def files(self) -> Files:
        """The record on the table."""
        return on_table({FILE: self.text})

    @property
    def names(self) -> list[str]:
        """The players, and somebody who is none."""
        return [*Game(FILE, self.text.decode()).players, "Nobody"]

    @property
    def label(self) -> str:
        """Who plays, for the table of results."""
        return f"by the {self.player.name}"


def of(bench: Bench, seconds: float, workers: int) -> Iterator[Job]:
    """Games with all options, in a random order, without end."""
    setups = list(SETUPS)
    limit = max(SECONDS, seconds * workers / len(SETUPS))
    number = 0
    while bench.has("games", "new", FILE) and bench.has("games", "moves", FILE):
        random.Random(f"{bench.seed} setups {number}").shuffle(setups)
        for options in setups:
            number += 1
            rng = random.Random(f"{bench.seed} games {number}")
            programs = (bench.new, bench.old) if number % 2 else (bench.old, bench.new)
            yield partial(play, Table(bench, *programs, rng), options.split(), limit)


def play(table: Table, options: Sequence[str], limit: float) -> None:
    """Play one game to its end, or as far as the time allows."""
    until = time.monotonic() + limit
    seats = int(options[0]) if options[0].isdigit() else 1
    args = ["new", FILE, *table.rng.sample(NAMES, seats), *options[options[0].isdigit() :]]
    args += ["--seed", f"s{table.rng.randrange(10**6)}"]
    try:
        if not start(table, args, seats):
            return
        while time.monotonic() < until and turn(table):
            pass
        verify(table)
    except Gone:
        table.bench.tally.leave_out("moves")


def start(table: Table, args: list[str], seats: int) -> bool:
    """Set up a game with both versions; sometimes go on from a record of the project."""
    bench = table.bench
    old, new = bench.both({}, args)
    table.bench.tally.add("moves", made(old, new, FILE), command_line(args), {})
    records = [
        game
        for game in bench.games
        if len(game.players) == seats and game.header["secrecy"] != "table"
    ]
    if records and table.rng.random() < 0.5:
        game = table.rng.choice(records)
        # Never right before the result, which only the program itself writes.
        table.text = game.cut(table.rng.randrange(max(1, game.length - 1))).encode()
        return True
    outcome = new if table.player is bench.new else old
    table.text = outcome.files.get(f"{TABLE}/{FILE}", b"")
    return bool(table.text)


def turn(table: Table) -> bool:
    """Make one move, after trying what is not legal; False at the end."""
    listed = moves(table)
    if not listed:
        return False
    chosen = table.rng.choice(listed)
    if table.rng.random() < 0.5:
        attempt(table, refusable(table, listed))
    args = [*typed(chosen), *keeper(table, chosen), "--format", "json"]
    if table.rng.random() < 0.3:
        attempt(table, args)
    if table.rng.random() < 0.03:
        args = ["undo", FILE]
    before = table.files
    outcome = table.bench.run(table.player, before, args)
    if outcome.exit and args[0] != "undo":
        wrong = {f"a listed move is refused ({table.label})": outcome.err}
        table.bench.tally.add("moves", wrong, command_line(args), before)
        return False
    table.text = outcome.files[f"{TABLE}/{FILE}"]
    table.seen = [*listed[:20], *table.seen][:60]
    return True


def keeper(table: Table, move: str) -> list[str]:
    """Whose choice it is; unlike other moves, contracts can be kept out of turn."""
    if not move.startswith("keep "):
        return []
    shown = table.bench.run(table.player, table.files, ["show", FILE, "--format", "json"]).json()
    return ["--as", shown["to_move"][0]]


def moves(table: Table) -> list[str]:
    """The legal moves; sometimes both versions have to list the same."""
    args = ["moves", FILE, "--format", "json"]
    document = table.bench.run(table.player, table.files, args).json()
    listed = spelled(document)
    if table.rng.random() < 0.4:
        other = spelled(table.bench.run(table.referee, table.files, args).json())
        lists = {table.player.name: listed, table.referee.name: other}
        found = {}
        if lost := sorted(set(lists["old"]) - set(lists["new"])):
            found["a legal move is missing"] = f"no more: {lost}"
        if more := sorted(set(lists["new"]) - set(lists["old"])):
            found["a move is legal that was not"] = f"new: {more}"
        table.bench.tally.add("legal moves", found, command_line(args), table.files)
    if not listed and isinstance(document, dict) and document.get("count"):
        refused = table.bench.run(table.player, table.files, unlisted(document))
        return suggested(refused.json())
    return listed


def spelled(document: Json) -> list[str]:
    """The moves of a document of `moves`, as they are written."""
    found = document.get("moves", []) if isinstance(document, dict) else []
    return [str(move["move"]) for move in found]


def unlisted(document: Json) -> list[str]:
    """A wrong move of the kind of which there are too many to list, to get suggestions."""
    if "circles" in document:
        return ["place", FILE, "--format", "json"]
    verb = "load" if "goods" in document and "prices" not in document else "build"
    return [verb, FILE, "--format", "json"]


def suggested(document: Json) -> list[str]:
    """The moves of the commands that an error suggests."""
    found = document.get("suggestions", []) if isinstance(document, dict) else []
    words = [line.split() for line in found]
    return [" ".join([verb, *rest]) for _, verb, _, *rest in words if "--as" not in rest]


def typed(move: str) -> list[str]:
    """The command that makes a move."""
    verb, *words = move.split()
    return [verb, FILE, *words]


def refusable(table: Table, listed: Sequence[str]) -> list[str]:
    """A command that is probably not legal: stale, mistyped, out of turn or nonsense."""
    rng = table.rng
    match rng.randrange(5):
        case 0 if table.seen:
            args = typed(rng.choice(table.seen))
        case 1:
            args = typed(rng.choice(NONSENSE))
        case 2:
            args = [*typed(rng.choice(listed)), "--as", rng.choice(table.names)]
        case 3:
            args = ["undo", FILE, "--as", rng.choice(table.names)]
        case _:
            args = typed(mistyped(rng.choice(listed), rng))
    return [*args, "--format", "json"]


def mistyped(move: str, rng: random.Random) -> str:
    """A move with a letter too many, too few or wrong, or with a word too many or too few."""
    words, at = move.split(), rng.randrange(len(move))
    word = rng.randrange(len(words))
    return rng.choice([
        move[:at] + move[at + 1 :],
        move[:at] + rng.choice("abcdelrs-123 ") + move[at:],
        move[:at] + rng.choice("abcdelrs-123") + move[at + 1 :],
        " ".join(words[:word] + words[word + 1 :]),
        " ".join(words[: word + 1] + words[word:]),
    ]).strip() or "?"  # fmt: skip


def attempt(table: Table, args: list[str]) -> None:
    """Both versions judge a command alike, and write the same if it is legal."""
    bench, files = table.bench, table.files
    try:
        old, new = bench.both(files, args)
    except Gone:
        bench.tally.leave_out("refusals")
        return
    kind = "refusals" if old.exit else "moves"
    found = made(old, new, FILE) or cited(old, new)
    found |= advice.refused(bench, files, args, old, new)
    bench.tally.add(kind, found, command_line(args), files)


def made(old: Outcome, new: Outcome, file: str) -> dict[str, str]:
    """How the results of a move or of an illegal move differ."""
    found = exits(old, new)
    before, after = (without_comments(one.files.get(f"{TABLE}/{file}")) for one in (old, new))
    if before != after and not found:
        found["record"] = first_difference(before, after)
    return found


def cited(old: Outcome, new: Outcome) -> dict[str, str]:
    """Whether other rulings are given as the reason."""
    before, after = (rulings(one.json()) for one in (old, new))
    return {"rulings": f"{before} are now {after}"} if before != after else {}


def rulings(document: Json) -> list[str]:
    """The ids of the rulings that an error cites."""
    found = document.get("rulings", []) if isinstance(document, dict) else []
    return sorted(ruling["id"] if isinstance(ruling, dict) else str(ruling) for ruling in found)


def without_comments(contents: bytes | None) -> list[str]:
    """The lines of a record, without what is there only for its readers."""
    text = (contents or b"").decode(errors="replace")
    return [line.split("  #")[0] for line in text.splitlines() if not line.startswith("#")]


def first_difference(old: Sequence[str], new: Sequence[str]) -> str:
    """The first lines that differ."""
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        if before != after:
            return f"line {number + 1}: {before!r} is now {after!r}"
    return f"{len(old)} lines are now {len(new)}"


def verify(table: Table) -> None:
    """Both versions find the same in the record that one of them has written."""
    args = ["verify", FILE, "--format", "json"]
    old, new = table.bench.both(table.files, args)
    command = command_line(args)
    found = exits(old, new) or table.bench.compare(
        "games", old.json(), new.json(), command, table.files
    )
    if not found and old.exit:
        found = {f"a game {table.label} is not valid": old.out}
    table.bench.tally.add(f"games {table.label}", found, command, table.files)
