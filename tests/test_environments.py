"""The program in all kinds of surroundings: locales, encodings, terminals, folders, streams."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import porto_cli
from tests.conftest import ROOT

pytestmark = pytest.mark.outside

posix = pytest.mark.skipif(sys.platform == "win32", reason="locales and terminals of POSIX")

Environment = dict[str, str | None]
"""What is set, and with None what is not."""
NO_UTF8_MODE = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

LOCALES: list[Environment] = [
    {},
    {"LC_ALL": "C"},
    {"LC_ALL": "C", **NO_UTF8_MODE},
    {"LC_ALL": "POSIX", **NO_UTF8_MODE},
    {"LC_ALL": "pt_PT.ISO-8859-1", **NO_UTF8_MODE},
    {"LC_ALL": "no-such-locale"},
    {"LC_ALL": None, "LC_CTYPE": None, "LANG": None, "LANGUAGE": "ko"},
]
ENCODINGS: list[Environment] = [
    {},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "cp437:replace"},
    {"PYTHONIOENCODING": "utf-16"},
    {"PYTHONIOENCODING": ":surrogateescape"},
]
TERMINALS: list[Environment] = [
    {},
    {"TERM": None},
    {"TERM": ""},
    {"TERM": "dumb"},
    {"TERM": "no-such-terminal", "COLORTERM": "truecolor"},
    {"NO_COLOR": ""},
    {"NO_COLOR": "1", "FORCE_COLOR": "1"},
    {"FORCE_COLOR": "0"},
]
COLUMNS: list[Environment] = [
    {"COLUMNS": value}
    for value in ("", "0", "1", "-5", "²", "４０", "x", "80.5", " 80", "9" * 30, "\U0001f40c")
]
OTHERS: list[Environment] = [
    {"LINES": "x", "COLUMNS": "y"},
    {"HOME": None},
    {"HOME": "/no/such/folder"},
    {"HOME": ""},
    {"PATH": ""},
    {"TMPDIR": "/no/such/folder"},
    {"TZ": "Nowhere/Else", "PWD": "/no/such/folder"},
    {"PYTHONOPTIMIZE": "2"},
    {"PYTHONWARNINGS": "error"},
    {"PYTHONDEVMODE": "1"},
    {"PYTHONUNBUFFERED": "1"},
    {"PYTHONDONTWRITEBYTECODE": "1"},
    {"PYTHONHASHSEED": "4711"},
    {"_PORTO_COMPLETE": None, "USER": None, "LOGNAME": None, "SHELL": None},
]
COMMANDS = [
    ["show", "game.yaml"],
    ["show", "game.yaml", "--plain"],
    ["show", "game.yaml", "--format", "json"],
    ["show", "game.yaml", "--format", "svg", "-o", "shown"],
    ["log", "game.yaml"],
    ["moves", "game.yaml"],
    ["score", "game.yaml", "--as", "Inês"],
    ["verify", "game.yaml"],
    ["keep", "game.yaml", "1", "2", "3", "--as", "Ines"],
    ["keep", "-", "1", "2", "3", "--as", "Ines"],
    ["new", "other.yaml", "Zé", "철수", "--first", "Zé"],
    ["scenario", "-k", "P-BUILD-5"],
    ["scenario", "--from", "game.yaml"],
    ["simulate", "random", "--games", "2", "--workers", "1", "--seed", "x"],
    ["rules", "P-BUILD-5"],
    ["draw", "--help"],
]
PLAIN = [COMMANDS[0], COMMANDS[8], COMMANDS[9]]


def changed(changes: Environment) -> dict[str, str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    for name, value in changes.items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


def named(environment: Environment) -> str:
    return " ".join(f"{name}={value}" for name, value in environment.items()) or "as it is"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    match = porto_cli.new_game(["Inês", "João"], seed="tram", first="Inês", title="철수's game")
    match.save(path)
    return path


def demand_that_it_works(game: Path, words: list[str], environment: Environment) -> None:
    """Whatever the locale, bytes are UTF-8, names are whole, and the record is."""
    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", *words],
        cwd=game.parent,
        env=changed(environment),
        input=game.read_bytes(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert done.returncode == 0, err
    assert "Traceback" not in err
    assert "\ufffd" not in out + err
    if environment.get("NO_COLOR"):
        assert "\x1b" not in out
    if words[0] in ("show", "log", "keep", "new") and "-o" not in words:
        assert ("Zé" if words[0] == "new" else "Inês") in out
    if words[:2] == ["keep", "-"]:
        assert out.startswith(game.read_text("utf-8"))
    for path in game.parent.glob("*.yaml"):
        assert porto_cli.load(path).players[0] in ("Inês", "Zé", "철수")


FEW = [
    *(
        ({**NO_UTF8_MODE, "LC_ALL": "C", **encoding}, words)
        for encoding in ENCODINGS[:2]
        for words in PLAIN
    ),
    *((environment, COMMANDS[0]) for environment in (*COLUMNS[::3], *OTHERS[1:2], TERMINALS[4])),
]
MANY = [
    *(
        (environment, words)
        for environment in (*LOCALES, *ENCODINGS, *TERMINALS, *COLUMNS, *OTHERS)
        for words in COMMANDS
        # What is typed comes in the encoding of the locale.
        if "PYTHONUTF8" not in environment or all(word.isascii() for word in words)
    ),
    *(({**one, **two}, words) for one, two, words in product(LOCALES[1:], ENCODINGS[1:], PLAIN)),
]


@pytest.mark.parametrize(
    ("environment", "words"), FEW, ids=lambda x: " ".join(x) if isinstance(x, list) else named(x)
)
def test_in_many_surroundings(game: Path, environment: Environment, words: list[str]) -> None:
    demand_that_it_works(game, words, environment)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(16))
def test_in_all_surroundings(game: Path, part: int) -> None:
    before = game.read_bytes()
    for environment, words in MANY[part::16]:
        for path in game.parent.iterdir():
            path.unlink()
        game.write_bytes(before)
        try:
            demand_that_it_works(game, words, environment)
        except AssertionError as error:
            raise AssertionError(f"{named(environment)}: {words}: {error}") from error


@posix
@pytest.mark.parametrize(
    ("encoding", "written"),
    [("ascii", b"Ines"), ("latin-1", b"In\xeas"), ("utf-8", b"In\xc3\xaas")],
)
def test_a_terminal_gets_what_it_can_show(game: Path, encoding: str, written: bytes) -> None:
    import pty

    shown: list[bytes] = []
    child, terminal = pty.fork()
    if not child:
        os.chdir(game.parent)
        os.execve(
            sys.executable,
            [sys.executable, "-m", "porto_cli", "show", "game.yaml"],
            changed({"PYTHONIOENCODING": encoding, "TERM": "dumb"}),
        )
    try:
        while data := os.read(terminal, 65_536):
            shown.append(data)
    except OSError:
        pass
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert written in b"".join(shown)
    b"".join(shown).decode(encoding)


@posix
@pytest.mark.parametrize("words", [["show", "game.yaml"], ["new", "x.yaml", "Rui"], ["play"]])
def test_in_a_folder_that_is_gone(tmp_path: Path, words: list[str]) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD"; exec "$0" -m porto_cli "$@"', sys.executable, *words],
        cwd=folder,
        env=changed({}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (2, 4)
    assert done.stderr
    assert "Traceback" not in done.stderr


@posix
def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path) -> None:
    """File names are bytes; those that are not UTF-8 are shown by their numbers."""
    name = os.fsencode(tmp_path) + b"/caf\xe9.yaml"
    porto_cli.new_game(["Rui"], seed="tram").save(os.fsdecode(name))
    done = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"porto_cli", b"verify", name],
        env=changed({}),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert "caf\\xe9.yaml: valid" in done.stdout.decode("utf-8")
