"""Throws damaged records and scenarios at the program and looks at how it takes them.

    python -m tests.fuzz [--inputs N] [--seconds S] [--seed TEXT] [--jobs N]
    python -m tests.fuzz --show NUMBER [--seed TEXT]

An input is a record of records/ or a scenario of scenarios/, of either game, damaged in its bytes,
lines, words or nodes, and read by one of the commands. Whatever it is, the command has to end
within a few seconds with a documented exit code and, if it refuses, with a message that names the
place: no traceback, no more than 200 MB of memory, and nothing on the terminal that steers it.
Number and seed make an input; ``--show`` prints it and what came of it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import porto_cli
from porto_cli.games.puerto_rico.engine import BUILDINGS, GOODS, ROLES
from tests.conftest import ROOT, Result, run_porto
from tests.porto.playing import CRAMPED

MEMORY = 200 * 1024 * 1024
"""Bytes of address space that the program and this script may take together."""
SECONDS = 5
"""Within which an input has to be done with; they usually take milliseconds."""
MOST_FINDINGS = 20

# --- what is damaged --------------------------------------------------------------------------


class Base(NamedTuple):
    """A valid file."""

    kind: str
    game: str
    head: str
    """A record without turns, or a whole scenario."""
    items: tuple[str, ...] = ()
    """The turns of a record."""

    def text(self, rnd: random.Random) -> str:
        """Return the file, of a record mostly only its first turns."""
        whole = rnd.random() < (0.1 if self.game == "porto" else 0.3)
        turns = rnd.randrange(len(self.items) + 1 if whole else 12)
        head = self.head
        if "position:" in head and "artificial:" not in head and rnd.random() < 0.3:
            # Then tables are read that could never be.
            head = head.replace("porto: 1\n", "porto: 1\nartificial: true\n", 1)
        return head + "".join(self.items[:turns])


GAMES = ("porto", "puerto-rico")
OFTEN = {"real-table.yaml": 4, "own-box.yaml": 3}
"""Records to take more often: where no seed decides, more of what is damaged can still be."""


@cache
def bases() -> dict[str, list[Base]]:
    """Return all files there are to damage, by their kind."""
    records = [
        Base("record", game, head + "turns:\n", tuple(_turn_texts(turns)))
        for game in GAMES
        for name, text in sorted(_records(game).items())
        for head, turns in [text.split("turns:\n")]
        for _ in range(OFTEN.get(name, 1))
    ]
    scenarios = [
        Base("scenario", game, path.read_text("utf-8"))
        for game in GAMES
        for path in sorted((ROOT / "scenarios" / game).rglob("*.yaml"))
    ]
    return {"record": records, "scenario": scenarios}


def _records(game: str) -> dict[str, str]:
    """Return the texts of a game's records by their names."""
    texts = {
        path.name: path.read_text("utf-8") for path in (ROOT / "records" / game).glob("*.yaml")
    }
    return texts if game != "porto" else {**texts, "own-box.yaml": _with_its_own_box()}


def _turn_texts(turns: str) -> list[str]:
    return re.split(r"^(?=- )", turns, flags=re.MULTILINE)


def _with_its_own_box() -> str:
    """Return a record whose edition is written out in it."""
    match = porto_cli.new_game(["Inês", "Joana"], seed="box", first="Inês", edition=CRAMPED)
    for _ in range(20):
        match.play(match.legal_moves()[-1], player=match.state.seat)
    return match.record.text


WORD = re.compile(r"[\w+@'-]+")
KINS = [
    re.compile(rule)
    for rule in (
        r"[a-z]+-[1-3](@\d)?",
        r"[LR][1-7]",
        r"(blue|green|purple|red|yellow)",
        r"[a-z]+\+[a-z]+|[1-3]-[a-z]+-floors?|[a-z]+-house",
        r"(houses|pairs|trios|mirror|ends)-[a-z+]+|palette|side",
        r"\d+",
        f"quarry|forest|{'|'.join(GOODS)}",
        "|".join(ROLES),
        "|".join(building.name for building in BUILDINGS),
        "role|take|place|build|sell|load|store|guest|choose|draw|keep|contract|pass",
        r"[a-z-]+",
        r"[A-Z]\w+",
    )
]
"""Words that can stand in each other's place."""
# fmt: off
NASTY = [
    "", "0", "-1", "00", "1e9", "0x10", "9" * 40, "9" * 5000, "1.5", "½", "²", "١", "none", "null",
    "~", "no", "true", "yes", "[]", "{}", "[[[[", "{{{{", "- - - -", "&a", "*a", "!!python/name:os",
    "!x", "|", ">", "? ", ": ", "#", "''", '"', "'", "---", "...", "%YAML 1.1", "<<", "\t", "@",
    "a" * 5000, "blue-1 " * 500, "\u202e", "\u2028", "\x85", "\x1b[2J", '"\\e[2J"', '"\\a\\0"',
    '"a\\nb"', '"\\u202e"', "🂡", "ﬁ", "{x}", "{0}", "%s", "%(x)s", "[red]", "L8", "R0", "blue-0",
    "blue-4", "+", "red+red+red", "/dev/null", "../records/solo-won.yaml", "records/solo-won.yaml",
    "no-colonist", "from", "add", "leave", "return", "vp", "supply", "prospector-2", "wharf",
    "-", "keep", "undo", "L4: blue 2", "L4: blue 99", "complete", "over", "timer", "contracts",
]
# fmt: on
"""Words that have upset programs."""
BYTES = [b"\xff", b"\xfe\xff", b"\x00", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\r\n"]
BYTES += [b"\x1b", b"\x7f", b"\xc2\x85", b"\xe2\x80\xa8", b"\xf4\x90\x80\x80", b"\t", b" " * 300]


@cache
def vocabulary() -> list[str]:
    """Return the words of all files, each once."""
    texts = [base.head + "".join(base.items) for kind in bases().values() for base in kind]
    return sorted({word for text in texts for word in WORD.findall(text)})


@cache
def kin(word: str) -> list[str]:
    """Return the words that could stand where this one does."""
    for rule in KINS:
        if rule.fullmatch(word):
            return [other for other in vocabulary() if rule.fullmatch(other)]
    return vocabulary()


def _word_for(word: str, rnd: random.Random) -> str:
    """Return what to put in the place of a word: mostly one of its kind."""
    roll = rnd.random()
    if roll < 0.7:
        return rnd.choice(kin(word))
    return rnd.choice(NASTY if roll < 0.9 else vocabulary())


# --- how it is damaged ------------------------------------------------------------------------


def damage_bytes(data: bytes, rnd: random.Random) -> bytes:
    """Flip, drop, double or insert some bytes."""
    place = rnd.randrange(len(data) + 1)
    end = min(len(data), place + rnd.choice((1, 1, 2, 8, 64)))
    part = data[place:end]
    new = rnd.choice(
        [
            bytes(byte ^ 1 << rnd.randrange(8) for byte in part),
            b"",
            part * 2,
            rnd.choice(BYTES) + part,
            rnd.choice(BYTES),
            rnd.randbytes(len(part)),
        ]
    )
    return data[:place] + new + (data[end:] if rnd.random() < 0.98 else b"")


def damage_lines(data: bytes, rnd: random.Random) -> bytes:
    """Drop, double, swap, indent, join or end lines, or take some from another file."""
    lines = data.splitlines(keepends=True) or [b"\n"]
    place, other = rnd.randrange(len(lines)), rnd.randrange(len(lines))
    match rnd.randrange(8):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines[place] = b" " * rnd.randint(1, 4) + lines[place]
        case 4:
            lines[place] = lines[place].lstrip(b" -")
        case 5:
            lines[place] = lines[place].rstrip(b"\n") + rnd.choice((b"", b" ", b": ", b", "))
        case 6:
            del lines[place:]
        case _:
            foreign = _any_base(rnd).text(rnd).encode().splitlines(keepends=True)
            start = rnd.randrange(len(foreign))
            lines[place:place] = foreign[start : start + rnd.randint(1, 3)]
    return b"".join(lines)


def damage_words(data: bytes, rnd: random.Random) -> bytes:
    """Put other words in the place of some, drop or double or swap some."""
    text = data.decode("utf-8", "surrogateescape")
    words = list(WORD.finditer(text))
    if not words:
        return data
    for _ in range(rnd.choice((1, 1, 2, 5))):
        word, other = rnd.choice(words), rnd.choice(words)
        new = _word_for(word[0], rnd)
        match rnd.randrange(10):
            case 0:
                new = other[0]
            case 1:
                new = ""
            case 2:
                new = f"{word[0]} {new}"
            case 3:
                new = f"{word[0]}{new}"
        text = text[: word.start()] + new + text[word.end() :]
        words = list(WORD.finditer(text)) or words
    return text.encode("utf-8", "surrogateescape")


def damage_values(data: bytes, rnd: random.Random) -> bytes:
    """Put other cards, houses, contracts, numbers in the place of some: still well written."""
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(rnd.choice((1, 1, 2, 4))):
        values = [
            word
            for word in WORD.finditer(text)
            if text[word.end() : word.end() + 1] != ":" and kin(word[0]) is not vocabulary()
        ]
        if not values:
            break
        word = rnd.choice(values)
        text = text[: word.start()] + rnd.choice(kin(word[0])) + text[word.end() :]
    return text.encode("utf-8", "surrogateescape")


def damage_nodes(data: bytes, rnd: random.Random) -> bytes:
    """Drop, double, swap, wrap or replace values of the YAML tree, and write it again."""
    import yaml

    try:
        tree = {"": yaml.load(data, yaml.CBaseLoader)}
    except (yaml.YAMLError, UnicodeDecodeError):
        return damage_words(data, rnd)
    for _ in range(rnd.choice((1, 1, 2, 4))):
        places = list(_places(tree))
        if not places:
            return b""
        parent, key = rnd.choice(places)
        other_parent, other = rnd.choice(places)
        match rnd.randrange(8):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, list):
                parent.insert(key, deepcopy(parent[key]))
            case 2:
                parent[key] = [parent[key]]
            case 3:
                parent[key] = {_word_for("x", rnd): parent[key]}
            case 4:
                parent[key] = rnd.choice(([], {}, "", None, [[]], [""] * 200))
            case 5 if isinstance(parent, dict):
                parent[_word_for(key, rnd)] = parent.pop(key)
            case 6:
                parent[key] = deepcopy(other_parent[other])
            case _:
                old = parent[key]
                parent[key] = _word_for(old if isinstance(old, str) else "x", rnd)
    return yaml.dump(
        tree.get("", tree),
        Dumper=yaml.CSafeDumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=rnd.choice((False, None, None, None)),
    ).encode("utf-8", "surrogatepass")


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Return every value of a tree as what holds it and its key or place there."""
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(entries):
        yield node, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    damage_bytes,
    damage_lines,
    damage_words,
    damage_nodes,
    damage_values,
    damage_values,
]


def _any_base(rnd: random.Random) -> Base:
    return rnd.choice(bases()[rnd.choice(sorted(bases()))])


# --- what is done with it ---------------------------------------------------------------------

REFUSED, USAGE, INVALID, TROUBLE = 1, 2, 3, 4

MOVED = {0, REFUSED, USAGE, INVALID}
COMMANDS: dict[str, list[tuple[str, set[int]]]] = {
    "record": [
        *[("verify -", {0, INVALID})] * 4,
        ("show -", {0, INVALID}),
        ("show - --plain", {0, INVALID}),
        ("show - --format json", {0, INVALID}),
        ("show - --format html", {0, INVALID}),
        ("show - --format svg", {0, INVALID}),
        ("moves -", {0, INVALID}),
        ("moves - --format json", {0, INVALID}),
        ("log -", {0, INVALID}),
        ("log - --format html", {0, INVALID}),
        ("log - --format json", {0, INVALID}),
        ("score -", {0, INVALID}),
        ("score - --format json", {0, INVALID}),
        ("undo -", MOVED),
        ("scenario --from -", {0, INVALID}),
    ],
    "scenario": [
        *[("scenario -", {0, REFUSED, INVALID})] * 6,
        ("scenario - --explain", {0, REFUSED, INVALID}),
        ("scenario - --format json", {0, REFUSED, INVALID}),
        ("scenario - --format junit", {0, REFUSED, INVALID}),
    ],
}
"""Commands that read a file of each kind, and the exit codes that they may end with."""

MOVES = {
    "porto": ("draw", "build", "keep", "contract", "pass"),
    "puerto-rico": ("role", "take", "place", "build", "sell", "load", "store", "guest", "choose"),
}
"""The commands that play a move of each game."""


def _move_command(base: Base, text: str, rnd: random.Random) -> str:
    """Return a move to play behind ``text``, the beginning of a record.

    It is mostly one that was played there or elsewhere in the record, but for a word or two.
    """
    if rnd.random() < 0.1:
        game = rnd.choice(GAMES)
        return f"{rnd.choice(MOVES[game])} - {rnd.choice(vocabulary())}"
    played = [
        move[1].split()
        for item in base.items
        if (move := re.match(r"- \w+: ([^#\n]+)", item)) and move[1].split()[0] in MOVES[base.game]
    ]
    behind = min(text.count("\n- "), len(played) - 1)
    command, *words = played[behind] if rnd.random() < 0.5 else rnd.choice(played)
    for _ in range(rnd.choice((0, 1, 1, 2))):
        place = rnd.randrange(len(words) + 1)
        match rnd.randrange(4):
            case 0 if place < len(words):
                del words[place]
            case 1 if place < len(words):
                words[place] = words[place][: rnd.randint(1, 4)]
            case 2:
                words.insert(place, _argument_for("from", rnd))
            case _ if place < len(words):
                words[place] = _argument_for(words[place], rnd)
    return " ".join([command, "-", *words])


def _argument_for(word: str, rnd: random.Random) -> str:
    """Return a word that no option begins with; the terminal could not pass NUL either."""
    new = _word_for(word, rnd)
    return new if not new.startswith("-") and "\0" not in new else word


class Input(NamedTuple):
    """A damaged file and the command that has to read it."""

    command: str
    codes: set[int]
    data: bytes
    damages: tuple[str, ...]


def input_of(seed: str, number: int) -> Input:
    """Make an input; the same numbers make the same one."""
    rnd = random.Random(f"{seed}/{number}")
    base = _any_base(rnd)
    text = base.text(rnd)
    if base.kind == "record" and rnd.random() < 0.2:
        command, codes = _move_command(base, text, rnd), MOVED
        # Mostly it is the move alone that is wrong.
        most = rnd.choice((0, 0, 0, 1))
    else:
        command, codes = rnd.choice(COMMANDS[base.kind])
        most = rnd.choice((1, 1, 1, 2, 3))
    damages = [rnd.choice(DAMAGES) for _ in range(most)]
    data = text.encode()
    for damage in damages:
        data = damage(data, rnd)
    return Input(command, codes, data, tuple(damage.__name__ for damage in damages))


class TooSlowError(BaseException):
    """An input took longer than it may; no handler for ordinary errors stops this."""


def _too_slow(*_: object) -> None:
    raise TooSlowError(f"longer than {SECONDS} seconds")


def complaint(given: Input) -> tuple[str, Result]:
    """Feed an input to its command; return what is wrong with the answer, or nothing."""
    wrong, result = in_time(lambda: run_porto(*given.command.split(), stdin=given.data))
    return wrong or _complaint_about(result, given), result


def in_time(do: Callable[[], Result]) -> tuple[str, Result]:
    """Return what comes of a command, or a traceback where that ends otherwise, or not in time.

    Processor time counts: on a busy machine nothing is slow because others work.
    """
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return "", do()
    except (Exception, TooSlowError):
        return traceback.format_exc(), Result(-1, "", "")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


PLACE = re.compile(r"standard input(?::(\d+):(\d+))?: ")


STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that move the cursor, color, ring or turn the direction of the text."""


def _complaint_about(result: Result, given: Input) -> str:
    if result.code not in given.codes:
        return f"exit code {result.code}"
    if "Traceback" in result.out + result.err:
        return "a traceback"
    is_a_record = given.command.split()[0] in ("undo", *MOVES["porto"], *MOVES["puerto-rico"])
    steering = STEERING.search(result.err if is_a_record else result.out + result.err)
    if steering:
        return f"it steers the terminal with {steering[0]!r}"
    text = result.err if "scenario -" not in given.command else result.err + result.out
    if result.code and not text.strip():
        return "not a word"
    if result.code == INVALID and not result.out.startswith(("{", "<")):
        place = PLACE.search(text)
        if not place:
            return "the message names no place"
        lines = len(given.data.decode("utf-8", "replace").splitlines()) + 1
        if place[1] and not (1 <= int(place[1]) <= lines and int(place[2]) >= 1):
            return f"the place is outside of the file of {lines} lines"
    return ""


# --- many of them -----------------------------------------------------------------------------


def most_memory() -> int:
    """Return the most bytes that this process has held.

    What Linux counts as a resource begins with what the process held that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        held = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(held.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Kind(NamedTuple):
    """A kind of hunt."""

    module: str
    """What makes the inputs, started as a script."""
    input_of: Callable[[str, int], Any]
    """Makes an input of a seed and a number. It has a ``command`` to be shown."""
    complaint: Callable[[Any], tuple[str, Result]]
    """Says what is wrong with what comes of an input, or nothing, and what that is."""
    show: Callable[[str, int], str]


def work(kind: Kind, seed: str, numbers: range, at: int, seconds: float) -> dict[str, Any]:
    """Try a range of inputs in this process; ``at`` is a file to note the current one in.

    After so many ``seconds`` no other one is begun.
    """
    import resource

    # What the tests share turns it off while they are collected.
    gc.enable()
    on_linux = sys.platform == "linux"
    if on_linux:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    codes: Counter[str] = Counter()
    findings = []
    slowest = (0.0, 0)
    end = time.monotonic() + seconds
    for number in numbers:
        if time.monotonic() > end:
            break
        os.pwrite(at, f"{number:12}".encode(), 0)
        given = kind.input_of(seed, number)
        start = time.perf_counter()
        wrong, result = kind.complaint(given)
        slowest = max(slowest, (time.perf_counter() - start, number))
        codes[str(result.code)] += 1
        if wrong:
            findings.append({"number": number, "command": given.command, "wrong": wrong})
            if len(findings) >= MOST_FINDINGS:
                break
    return {
        "inputs": sum(codes.values()),
        "codes": codes,
        "findings": findings,
        "slowest": slowest,
        "memory": most_memory(),
    }


def hunt(
    seed: str, inputs: int, jobs: int, seconds: float = 3600, module: str = "tests.fuzz"
) -> dict[str, Any]:
    """Try many inputs in other processes, whose memory is limited, and return the report.

    It has fewer ``inputs`` if there are not ``seconds`` enough.
    """
    ranges = [range(job, inputs, jobs) for job in range(jobs)]
    start = time.perf_counter()
    begun = [begin(seed, numbers, seconds, module) for numbers in ranges]
    reports = [finish(*each, seconds) for each in begun]
    codes: Counter[str] = Counter()
    for report in reports:
        codes.update(report["codes"])
    return {
        "inputs": sum(report["inputs"] for report in reports),
        "codes": dict(sorted(codes.items())),
        "findings": [finding for report in reports for finding in report["findings"]],
        "slowest": max(tuple(report["slowest"]) for report in reports),
        "memory": max(report["memory"] for report in reports),
        "seconds": time.perf_counter() - start,
    }


Begun = tuple[subprocess.Popen[bytes], Any, range]


def begin(seed: str, numbers: range, seconds: float, module: str) -> Begun:
    """Start a process for a range of inputs."""
    at = tempfile.TemporaryFile()  # noqa: SIM115 - closed by finish
    words = [numbers.start, numbers.stop, numbers.step, at.fileno()]
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", module, "--seed", seed, "--seconds", str(seconds)),
            *("--work", *map(str, words)),
        ],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "PYTHONWARNINGS": "ignore"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[at.fileno()],
    )
    return process, at, numbers


def finish(
    process: subprocess.Popen[bytes], at: Any, numbers: range, seconds: float
) -> dict[str, Any]:
    """Wait for a process; if it died or hangs, that is what its current input has done."""
    try:
        out, err = process.communicate(timeout=60 + min(seconds, SECONDS * len(numbers)))
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    try:
        report: dict[str, Any] = json.loads(out)
    except ValueError:
        number = int(os.pread(at.fileno(), 12, 0) or -1)
        wrong = f"the process ended with {process.returncode}\n{err.decode(errors='replace')}"
        finding = {"number": number, "command": "", "wrong": wrong}
        report = {
            "inputs": 0,
            "codes": {},
            "findings": [finding],
            "slowest": (0.0, number),
            "memory": 0,
        }
    at.close()
    return report


def sentences(report: dict[str, Any], seed: str, module: str = "tests.fuzz") -> Iterator[str]:
    """Return a report as lines to read."""
    for finding in report["findings"]:
        yield f"input {finding['number']}, porto {finding['command']}: {finding['wrong']}"
        yield f"  python -m {module} --seed {seed} --show {finding['number']}"
    codes = ", ".join(f"{code}: {count}" for code, count in report["codes"].items())
    slowest, number = report["slowest"]
    yield f"{report['inputs']} inputs in {report['seconds']:.0f} s, exit codes {codes}"
    yield f"slowest: {slowest * 1000:.0f} ms (input {number}); memory: {report['memory'] >> 20} MB"
    yield f"findings: {len(report['findings'])}"


def show(seed: str, number: int) -> str:
    """Return an input, how it was made, and what comes of it."""
    given = input_of(seed, number)
    wrong, result = complaint(given)
    return "\n".join(
        [
            given.data.decode("utf-8", "backslashreplace"),
            f"--- porto {given.command}   ({', '.join(given.damages)})",
            f"--- exit code {result.code}",
            result.out,
            result.err,
            f"--- {wrong or 'as it should be'}",
        ]
    )


FILES = Kind("tests.fuzz", input_of, complaint, show)


def main(
    args: list[str] | None = None, kind: Kind = FILES, description: str | None = __doc__
) -> int:
    """Run as a script; the exit code is 1 if something was found."""
    parser = argparse.ArgumentParser(prog=f"python -m {kind.module}", description=description)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--inputs", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", default="ribeira")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, metavar="NUMBER")
    parser.add_argument("--work", type=int, nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args(args)
    if options.show is not None:
        print(kind.show(options.seed, options.show))
        return 0
    if options.work:
        start, stop, step, at = options.work
        numbers = range(start, stop, step)
        print(json.dumps(work(kind, options.seed, numbers, at, options.seconds)))
        return 0
    report = hunt(options.seed, options.inputs, options.jobs, options.seconds, kind.module)
    print(*sentences(report, options.seed, kind.module), sep="\n")
    return int(bool(report["findings"]))


if __name__ == "__main__":
    sys.exit(main())
