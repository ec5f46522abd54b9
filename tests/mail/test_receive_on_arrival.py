"""The recipes of porto-receive(1): real programs that deliver mail give it to ``porto receive``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import porto_cli
from porto_cli.mail.ids import named
from porto_cli.mail.offers import ReplyTo
from porto_cli.match.match import Match
from tests.conftest import ROOT
from tests.mail.test_receive import mail, play_on
from tests.mails import message_id
from tests.processes import at_home, in_a_terminal

pytestmark = pytest.mark.outside

_PAGES = tomllib.loads((ROOT / "man" / "pages.toml").read_text("utf-8"))
SCRIPT, PROCMAIL, MAILDROP, SIEVE, MUTT = (
    recipe.lstrip() for recipe, _ in _PAGES["commands"]["receive"]["recipes"]
)
STRANGE = b"""\
From: x@example.org
In-Reply-To: <123456789012.123456789012345678901234@porto.invalid>

porto: 1
players: [A]
"""
"""A message that is refused."""
LARGE = STRANGE + b"x\n" * 200_000
"""One that no pipe holds until somebody reads it."""
UNRELATED = b"From: x@example.org\nSubject: hello\n\nporto: 1\n"


def needs(program: str) -> str:
    """Return where a program is."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


@pytest.fixture
def versions() -> list[Match]:
    return of_game("porto")


def of_game(game: str) -> list[Match]:
    """Return a game after some turns, each version further than the one before."""
    players = ["Ana", "Rui", "Bea"]
    begun = porto_cli.new_game(players, game=game, seed="tram", first="Ana", title="Friday")
    return [play_on(begun, turns) for turns in (1, 4, 5)]


def answers(match: Match) -> dict[str, bytes]:
    """Return answers with a move, by what it is that shows that they are answers."""
    move = match.text(match.legal_moves()[0])
    head = f"From: {match.to_move()[0]} <x@example.org>\nSubject: Re: Olá\n".encode()
    own_id = message_id(match.replay)
    folded = f"References: <{'a' * 70}@example.org>\n\t{own_id}\n"
    click = ReplyTo("", "", named(match.replay)).body([move])
    return {
        "In-Reply-To": head + f"In-Reply-To: {own_id}\n\n{move}\n".encode(),
        "References": head + f"{folded}\n{move}\n".encode(),
        "a click": head + f"Content-Type: text/plain\n\n{click}".encode(),
    }


def receiving(folder: Path, settings: Path, script: str = SCRIPT) -> Path:
    """Make a home with the script of the page, and a program ``porto`` beside it."""
    for part in ("games", "bin", ".local/bin", "Maildir/new", "Maildir/cur", "Maildir/tmp"):
        (folder / part).mkdir(parents=True)
    write(folder / "bin/porto-receive", script, 0o755)
    program = f"""\
#!/bin/sh
export PORTO_HOME="{settings}" PYTHONPATH="{":".join(sys.path)}"
exec {sys.executable} -m porto_cli "$@"
"""
    write(folder / ".local/bin/porto", program, 0o755)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return receiving(tmp_path, tmp_path / "porto")


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def environment(home: Path) -> dict[str, str]:
    path = f"{home}/.local/bin:/usr/bin:/bin"
    return {"HOME": str(home), "PATH": path, "USER": "rui"}


def started(command: list[str], home: Path, data: bytes) -> subprocess.Popen[bytes]:
    env = environment(home) | {"PATH": "/usr/bin:/bin"}
    process = subprocess.Popen(
        command, cwd=home, env=env, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    process.stdin.write(data)
    process.stdin.close()
    return process


def run(command: list[str], home: Path, data: bytes) -> int:
    process = started(command, home, data)
    process.wait(60)
    return process.returncode


def sent(match: Match) -> bytes:
    return f"Message-ID: {message_id(match.replay)}\n".encode() + mail(match)


def has(home: Path, match: Match) -> bool:
    """Return whether this game is the one that a player sees in the folder.

    What the program still writes has a hidden name, and may be gone before it can be read.
    """
    seen = (home / "games").glob("[!.]*")
    return [path.read_text("utf-8") for path in seen] == [match.record.text]


def is_soon(true: Callable[[], bool]) -> bool:
    """Return whether something becomes true; procmail does not wait for what it starts."""
    deadline = time.monotonic() + 60
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def delivering(program: str, home: Path) -> list[str]:
    """Return the command with which a server delivers a message by a recipe."""
    if program == "script":
        return [str(home / "bin/porto-receive")]
    if program == "procmail":
        head = f"HOME={home}\nMAILDIR=$HOME/Maildir\nDEFAULT=$HOME/Maildir/\nSHELL=/bin/sh\n"
        return [needs(program), "-m", str(write(home / ".procmailrc", head + PROCMAIL))]
    head = f'HOME="{home}"\nDEFAULT="$HOME/Maildir"\nSHELL="/bin/sh"\n'
    return [needs(program), str(write(home / ".mailfilter", head + MAILDROP))]


PROGRAMS = pytest.mark.parametrize("program", ["script", "procmail", "maildrop"])


@PROGRAMS
@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_what_comes_in_is_received_and_kept(program: str, game: str, home: Path) -> None:
    command = delivering(program, home)
    versions = of_game(game)
    for match in versions:
        assert run(command, home, sent(match)) == 0
        assert is_soon(lambda match=match: has(home, match))
    kept = len(list((home / "Maildir/new").iterdir()))
    assert kept == (0 if program == "script" else len(versions))


@PROGRAMS
@pytest.mark.parametrize("kind", ["In-Reply-To", "References", "a click"])
def test_the_log_has_the_moves_of_answers(program: str, kind: str, home: Path, versions) -> None:
    match = versions[-1]
    write(home / "games/friday.yaml", match.record.text)
    assert run(delivering(program, home), home, answers(match)[kind]) == 0
    log = home / "games.log"
    assert is_soon(lambda: log.exists() and "Nothing was played" in log.read_text("utf-8"))
    assert has(home, match)


@PROGRAMS
@pytest.mark.parametrize("data", [STRANGE, UNRELATED, LARGE])
def test_nothing_is_sent_back(program: str, home: Path, data: bytes) -> None:
    command = delivering(program, home)
    assert run(command, home, data) == 0
    if program != "script":
        assert len(list((home / "Maildir/new").iterdir())) == 1
    if data != UNRELATED:
        log = home / "games.log"
        assert is_soon(lambda: log.exists() and "nothing was changed" in log.read_text("utf-8"))
    assert not list((home / "games").iterdir())


@PROGRAMS
def test_nothing_is_sent_back_if_the_program_is_missing(program: str, home: Path) -> None:
    (home / ".local/bin/porto").unlink()
    command = delivering(program, home)
    assert run(command, home, LARGE) == 0
    log = home / "games.log"
    assert is_soon(lambda: log.exists() and "porto" in log.read_text("utf-8"))


@PROGRAMS
def test_messages_that_come_at_once_wait_for_each_other(program: str, home: Path, versions) -> None:
    command = delivering(program, home)
    running = [started(command, home, sent(match)) for match in versions]
    for process in running:
        assert process.wait(60) == 0
    assert is_soon(lambda: has(home, versions[-1]))


def test_a_sieve_script(home: Path, versions) -> None:
    """Of Dovecot the real filter; it does not run for the root user."""
    sievec, sieve_filter = needs("sievec"), needs("sieve-filter")
    config = write(
        home / "dovecot.conf",
        f"""
mail_location = maildir:{home}/Maildir
base_dir = {home}/run
log_path = /dev/stderr
ssl = no
plugin {{
  sieve_plugins = sieve_extprograms
  sieve_extensions = +vnd.dovecot.pipe
  sieve_pipe_bin_dir = {home}/bin
}}
""",
    )
    script = write(home / "rules.sieve", SIEVE)
    compiler = [sievec, "-c", str(config), "-x", "+vnd.dovecot.pipe +body", str(script)]
    assert run(compiler, home, b"") == 0
    if os.geteuid() == 0:
        pytest.skip("sieve-filter does not run as root")
    for nth, data in enumerate([*map(sent, versions), *answers(versions[-1]).values(), UNRELATED]):
        (home / f"Maildir/new/{nth}.box").write_bytes(data)
    filtering = [sieve_filter, "-e", "-W", "-c", str(config), str(script), "INBOX"]
    assert run(filtering, home, b"") == 0
    assert has(home, versions[-1])
    assert len(list((home / "Maildir").glob("*/*.box*"))) == len(versions) + 4
    assert (home / "games.log").read_text("utf-8").count("Nothing was played") == 3


def test_mutt_asks_on_its_terminal(home: Path, versions) -> None:
    match = versions[-1]
    write(home / "games/friday.yaml", match.record.text)
    write(home / "mbox", "From x Fri May  1 20:11:00 2026\n" + answers(match)["a click"].decode())
    write(home / "muttrc", f"set folder={home}\n{MUTT}")
    words = [needs("mutt"), "-F", str(home / "muttrc"), "-f", str(home / "mbox")]
    child = in_a_terminal(words, None, at_home(home) | environment(home))
    child.expect_exact("Olá")
    child.send("P")
    child.expect_exact("1 Play it")
    child.send("\r")
    child.expect_exact("Press any key to continue")
    child.send("  qq")
    child.close()
    assert len((home / "games/friday.yaml").read_text("utf-8")) > len(match.record.text)
