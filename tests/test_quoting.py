"""Suggested commands mean the same in every shell: names as words of a command line."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.core.characters import printable
from porto_cli.core.shell import FILE, file_word, option, quoted
from porto_cli.match.match import opened
from porto_cli.next_step import what_next

pytestmark = pytest.mark.outside

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile"],
    "bash -i": ["bash", "--norc", "--noprofile", "-i"],
    "dash": ["dash"],
    "zsh": ["zsh", "-f"],
    "zsh -i": ["zsh", "-f", "-i", "-s"],
    "fish": ["fish", "--no-config"],
}
"""With ``-i`` as at a prompt, where ``!`` brings back an earlier command."""

HOSTILE = [
    "friday.yaml",
    "Ana Maria",
    "D'Arcy",
    'say "when"',
    "a\\b",
    "\\",
    "\\'",
    "\\';touch owned;'",
    "\\\\'\"",
    "'; touch owned; '",
    "$(touch owned)",
    "`touch owned`",
    "$HOME ${PATH}",
    "(touch owned)",
    "a;b&c|d<e>f",
    "~root",
    "~",
    "a=~root",
    "=ls",
    "-x",
    "--help",
    "-",
    "--",
    "!",
    "!!",
    "a!b'c\\d",
    '"!!"',
    "^a^b",
    "%self %1",
    "*",
    "[a-z]?",
    "{a,b}",
    "#no",
    "Inês",
    "I\u0302ne\u0302s",
    "김철수",
    "👩\u200d👦",
    "a\u00a0b\u3000c",
    " ",
    "  two  ",
    "one\ntwo",
    "\n\n'\\\n x",
    "tab\tescape\x1b[2J bell\x07",
    "\x9b2J\u202egnp.yaml",
    "-\x1b-%s%d%%",
    "\x1b7 \x0107",
    "not \udcff\udc80 UTF-8",
    "%s\n%d",
]
LETTERS = "ab7 /.-=~!$`'\"\\()[]{}*?#;&|<>^%@+,:\n\t\x1bê\udcff\u202e"


def random_words(count: int, seed: str) -> list[str]:
    rnd = random.Random(seed)
    return ["".join(rnd.choices(LETTERS, k=rnd.randrange(1, 9))) for _ in range(count)]


def arguments(shell: str, words: list[str], folder: Path) -> list[list[str]]:
    """Run a command line for each of the words, and return what the program was given each time."""
    if not shutil.which(SHELLS[shell][0]):
        pytest.skip(f"there is no {SHELLS[shell][0]} here")
    program = folder / "porto"
    given = folder / "given"
    program.write_text(f"#!/bin/sh\nprintf '%s\\0' $# \"$@\" >>'{given}'\n")
    program.chmod(0o755)
    lines = "".join(f"porto {word}\n" for word in words)
    subprocess.run(
        SHELLS[shell],
        input=lines.encode("utf-8", "surrogateescape"),
        cwd=folder,
        env={
            "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert not (folder / "owned").exists()
    fields = iter(given.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1])
    return [[next(fields) for _ in range(int(count))] for count in fields]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_word_is_one_argument(shell: str, tmp_path: Path) -> None:
    words = [word for word in HOSTILE + random_words(150, "words") if not word.endswith("\n")]
    found = arguments(shell, [quoted(word) for word in words], tmp_path)
    assert found == [[word] for word in words]


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_thousands_of_words_are_one_argument_each(shell: str, tmp_path: Path) -> None:
    words = [word for word in random_words(1500, "many words") if not word.endswith("\n")]
    found = arguments(shell, [quoted(word) for word in words], tmp_path)
    assert found == [[word] for word in words]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_file_is_never_an_option_and_a_value_never_another(shell: str, tmp_path: Path) -> None:
    files = [word for word in HOSTILE if not word.endswith("\n") and word != "-"]
    commands = [f"show {file_word(file)} {option('--as', file)}" for file in files]
    for file, words in zip(files, arguments(shell, commands, tmp_path), strict=True):
        assert words[:2] == ["show", f"./{file}" if file.startswith("-") else file]
        assert words[2:] == ([f"--as={file}"] if file.startswith("-") else ["--as", file])


def test_no_word_steers_the_terminal_or_ends_the_line() -> None:
    for word in HOSTILE + random_words(2000, "seen"):
        assert printable(quoted(word)) == quoted(word)


def test_what_is_plain_stays_plain() -> None:
    for word in ("friday.yaml", "games/2024-05_friday.yaml", "Inês", "김철수", "a=b", "C:x", "+3"):
        assert quoted(word) == word
    assert quoted("Ana Maria") == '"Ana Maria"'
    assert quoted("D'Arcy") == '"D\'Arcy"'
    assert quoted("") == '""'


def test_what_cannot_be_a_word_has_a_placeholder() -> None:
    assert file_word("-") == file_word("friday.yaml\n") == FILE


def test_on_windows_words_stand_in_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert quoted("friday.yaml") == "friday.yaml"
    assert quoted("C:\\games\\friday.yaml") == '"C:\\games\\friday.yaml"'
    assert quoted("Ana & Rui") == '"Ana & Rui"'
    assert quoted("$(calc) %PATH% “x”") == '"?(calc) ?PATH? ?x?"'


NAMES = ["-x", "$(touch owned)", "\\'", "~root", "=ls", "!", "Inês", "D'Arcy", 'a"b']


@pytest.mark.parametrize("shell", SHELLS)
def test_every_suggested_command_is_quoted_correctly(shell: str, tmp_path: Path) -> None:
    """The commands of the sentences, by file and player, in the phases that name them."""
    lines, expected = [], []
    for file in ("./-g.yaml", "one\ntwo.yaml", "\\'$(x).yaml", "\x1b[2J \udcff.yaml", "~root"):
        for name in NAMES:
            match = porto_cli.new_game([name, "Rui"], seed="quoting", first=name)
            for one in what_next(opened(match.record), file):
                lines.append(one.command.removeprefix("porto "))
                expected.append((file, name, " --as" in one.command))
    assert len(lines) == 3 * 5 * len(NAMES)
    found = arguments(shell, lines, tmp_path)
    for words, (file, name, result) in zip(found, expected, strict=True):
        assert words[1] == file
        if result:
            assert (
                words[-1] == f"--as={name}"
                if name.startswith("-")
                else words[-2:]
                == [
                    "--as",
                    name,
                ]
            )


def suggested(text: str, verb: str) -> str:
    """Return the command with a verb that a text suggests, without the word porto."""
    return next(
        line.partition("porto ")[2] for line in text.splitlines() if f"porto {verb} " in line
    )


@pytest.mark.skipif(os.name == "nt", reason="file names")
@pytest.mark.parametrize(
    "name", ["-g.yaml", "~root", "one\ntwo", "\\'$(x)", "\x1b[2J", "\udcff.yaml", "=ls", "-"]
)
def test_a_game_goes_on_by_copying_what_was_suggested(
    porto: Any, tmp_path: Path, name: str
) -> None:
    result = porto("new", "--first=-x", "--seed", "s", "--", f"./{name}x", "-x", "Rui")
    assert (result.code, result.err) == (0, "")
    for verb in ("keep", "draw", "show"):
        (words,) = arguments("bash", [suggested(result.out, verb)], tmp_path)
        (tmp_path / "given").unlink()
        result = porto(*words)
        assert (result.code, result.err) == (0, ""), words
    assert (
        (tmp_path / f"{name}x")
        .read_text("utf-8")
        .splitlines()[0]
        .startswith("# Porto game record. Continue with: porto show ")
    )
