"""On a terminal sentences are broken between words and commands stay whole; else nothing is."""

import io
import os
import sys
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porto_cli.term import broken, cells, tell
from tests.conftest import ROOT

NEXT = "It is the turn of Rui. To see what Rui can do now: porto moves friday.yaml --as Rui"
QUOTED = "It does not show a change made on purpose; 'porto verify' does, if you compare it."
WORD = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z", "M"]), min_size=1)


@pytest.mark.parametrize("command", ["show", "log", "mail"])
def test_each_command_tells_which_file_it_has_written(porto, command: str) -> None:
    """Also where nobody looks, as in a pipe; on standard error, which is no part of the result."""
    assert porto("new", "game.yaml", "Ana", "Rui", "-q").code == 0
    words = (command, "game.yaml", *([] if command == "mail" else ["--format", "html"]))
    first = porto(*words, "-o", "x.html")
    assert (first.code, first.out) == (0, "")
    assert "x.html is written.\n" in first.err
    again = porto(*words, "-o", "x.html")
    assert "x.html is written, in place of the file that was there.\n" in again.err


def test_a_sentence_that_fits_is_left_alone() -> None:
    assert broken("Ana is to move.", 15) == ["Ana is to move."]


def test_words_stay_whole() -> None:
    assert broken("Inês has to keep three contracts.", 17) == [
        "Inês has to keep",
        "three contracts.",
    ]


def test_a_command_that_fits_behind_its_sentence_stays_there() -> None:
    assert broken(NEXT, 60) == [
        "It is the turn of Rui. To see what Rui can do now:",
        "  porto moves friday.yaml --as Rui",
    ]
    assert broken(NEXT, 46) == [
        "It is the turn of Rui. To see what Rui can do",
        "now: porto moves friday.yaml --as Rui",
    ]


def test_a_command_that_is_too_long_is_left_to_the_terminal() -> None:
    assert broken(NEXT, 20)[-1] == "  porto moves friday.yaml --as Rui"


def test_a_line_that_is_a_command_is_left_alone() -> None:
    command = "  porto build friday.yaml red-2 blue-1 L4 token L6"
    assert broken(command, 20) == [command]


def test_a_command_in_quotes_stays_whole() -> None:
    for width in range(14, 80):
        assert any("'porto verify'" in line for line in broken(QUOTED, width)), width


def test_what_is_indented_stays_indented() -> None:
    result = "  sunday.yaml: it cannot be read, because its letters are no UTF-8."
    assert broken(result, 40) == [
        "  sunday.yaml: it cannot be read,",
        "  because its letters are no UTF-8.",
    ]


@pytest.mark.long
@given(st.lists(st.one_of(WORD, st.sampled_from(["'porto", "verify'", ":", "porto"])), min_size=1))
def test_no_word_is_lost(words: list[str]) -> None:
    text = " ".join(words)
    lines = broken(text, 30)
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())


@given(st.lists(WORD.filter(lambda word: cells(word) <= 30 and "porto" not in word), min_size=1))
def test_no_line_is_too_wide(words: list[str]) -> None:
    assert all(cells(line) <= 30 for line in broken(" ".join(words), 30))


def test_in_a_pipe_each_sentence_is_one_line() -> None:
    stream = io.StringIO()
    tell(NEXT, QUOTED, stream=stream)
    assert stream.getvalue() == f"{NEXT}\n{QUOTED}\n"


def at_60_columns(folder: Path, *words: str) -> list[str]:
    """Return the lines that a command prints on a terminal."""
    import pty
    import struct
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    child, terminal = pty.fork()
    if not child:
        ioctl(0, TIOCSWINSZ, struct.pack("HHHH", 25, 60, 0, 0))
        os.chdir(folder)
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        os.execve(sys.executable, [sys.executable, "-m", "porto_cli", *words], environment)
    shown = b""
    try:
        while data := os.read(terminal, 65_536):
            shown += data
    except OSError:
        pass
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return shown.decode("utf-8").splitlines()


@pytest.mark.outside
@pytest.mark.skipif(os.name != "posix", reason="a terminal of the program's own")
def test_on_a_terminal_of_60_columns(tmp_path: Path) -> None:
    words = ("new", "friday.yaml", "Inês", "Rui", "--seed", "tram", "--first", "Inês")
    lines = at_60_columns(tmp_path, *words)
    assert all(cells(line) <= 60 or line.startswith("  porto ") for line in lines)
    assert any(line.endswith(" porto keep friday.yaml 1 2 3 --as Inês") for line in lines)


@pytest.mark.outside
@pytest.mark.skipif(os.name != "posix", reason="a terminal of the program's own")
def test_plain_sentences_are_broken_between_words(tmp_path: Path) -> None:
    copy(ROOT / "records/porto/two-players.yaml", tmp_path / "friday.yaml")
    lines = at_60_columns(tmp_path, "show", "friday.yaml", "--plain")
    assert max(map(cells, lines)) <= 60
    assert any(len(line) > 40 and line[-1].isalpha() for line in lines)
