"""The user's own key: one, private, never lost by what a command does; and what it has signed."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli import home as private
from porto_cli.core import FileError, files
from porto_cli.sealed import holder
from porto_cli.sealed.holder import ANSWERED, SENT, Journal, OldCopyError, SecondVersionError
from porto_cli.sealed.steps import Identity
from tests.conftest import Result
from tests.documents import validated
from tests.protected_keys import protected

Porto = Callable[..., Result]
ROOT = Path(__file__).parents[2]

needs_modes = pytest.mark.skipif(os.name != "posix", reason="Windows has no modes.")


@pytest.fixture
def home(porto: Porto) -> Path:
    """Where the user's own things are."""
    return Path(os.environ["PORTO_HOME"])


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def public_of(porto: Porto) -> str:
    return str(validated("key", porto("key", "--format", "json").out)["public"])


# --- the file ----------------------------------------------------------------------------------


def test_without_a_key_its_place_is_named(porto: Porto, home: Path) -> None:
    shown = porto("key")
    assert shown.code == 0
    assert "You have no key yet" in shown.out
    assert str(home / "keys" / "key.txt") in shown.out
    result = validated("key", porto("key", "--format", "json").out)
    assert (result["exists"], result["public"], result["backup"]) == (False, None, False)
    assert not home.exists()


@needs_modes
def test_a_key_is_made_once_and_for_its_user_alone(porto: Porto, home: Path) -> None:
    before = os.umask(0)
    try:
        first = porto("key", "new")
    finally:
        os.umask(before)
    assert first.code == 0
    assert "backup" in first.err
    public = public_of(porto)
    assert public.startswith("porto1")
    assert public in first.out
    assert mode_of(home / "keys" / "key.txt") == 0o600
    assert mode_of(home / "keys") == 0o700
    assert not list((home / "keys").glob(".porto-*"))
    again = porto("key", "new")
    assert public in again.out
    assert "already" in again.err
    assert "PORTO-SECRET" not in first.out + first.err + again.out + again.err


def test_a_backup_is_suggested_once(porto: Porto, home: Path) -> None:
    assert "If you lose this key" in porto("key", "new").err
    again = porto("key", "new")
    assert "If you lose" not in again.err
    assert "No backup of it was made" in again.out
    porto("key", "export", "b.txt")
    assert "No backup" not in porto("key").out
    assert mode_of(home / "keys" / "backup.txt") == 0o600
    assert validated("key", porto("key", "--format", "json").out)["backup"]


def test_the_key_is_made_when_it_is_needed(
    porto: Porto, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from porto_cli.cli.common import keys_here

    assert not keys_here(False).public
    own = keys_here(True).identity
    said = capsys.readouterr()
    assert not said.out
    assert own.public_text in said.err
    assert "If you lose this key" in said.err
    assert keys_here(True).identity.secret == own.secret
    there = keys_here(False)
    assert there.public == own.public
    assert there.identity.secret == own.secret
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("", "has 0"),
        ("# nothing\n", "has 0"),
        ("PORTO-SECRET-KEY-1QQQQ\n", "not a secret key"),
        ("one\ntwo\n", "has 2"),
        ("\udcff\udcfe", "not a secret key"),
        ("porto-protected-key-1 argon2id 3\n", "passphrase"),
    ],
)
def test_a_damaged_key_is_named_and_left_alone(
    porto: Porto, home: Path, damage: str, said: str
) -> None:
    porto("key", "new")
    porto("key", "export", "backup.txt")
    public = public_of(porto)
    file = home / "keys" / "key.txt"
    data = damage.encode("utf-8", "surrogateescape")
    file.write_bytes(data)
    for words in (["unprotect"], ["show"], ["new"]):
        done = porto("key", *words)
        assert done.code == 4, words
        assert str(file) in done.err
        assert said in done.err
        assert "porto key import" in done.err
        assert file.read_bytes() == data
    done = porto("key", "import", "backup.txt")
    assert done.code == 0
    assert public_of(porto) == public
    assert (home / "keys" / "old-key-1.txt").read_bytes() == data


def test_a_key_that_was_changed_is_found_out(porto: Porto, home: Path) -> None:
    porto("key", "new")
    file = home / "keys" / "key.txt"
    text = file.read_text()
    line = text.splitlines()[-1]
    other = line[:-1] + ("Q" if line[-1] != "Q" else "P")
    file.write_text(text.replace(line, other))
    assert porto("key").code == 4


@needs_modes
def test_what_others_could_read_is_closed_to_them_and_said(porto: Porto, home: Path) -> None:
    porto("key", "new")
    (home / "keys" / "key.txt").chmod(0o644)
    (home / "keys").chmod(0o755)
    shown = porto("key")
    assert shown.code == 0
    assert shown.err.count("from now on only you can") == 2
    assert mode_of(home / "keys" / "key.txt") == 0o600
    assert mode_of(home / "keys") == 0o700
    assert not porto("key").err


@needs_modes
def test_a_key_of_another_user_is_refused(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    porto("key", "new")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    shown = porto("key")
    assert shown.code == 4
    assert "belongs to another user" in shown.err
    assert "PORTO_HOME" in shown.err


@needs_modes
def test_where_modes_cannot_be_changed_a_key_is_refused(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    porto("key", "new")
    (home / "keys").chmod(0o755)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    shown = porto("key")
    assert shown.code == 4
    assert "does not allow closing it" in shown.err


def test_without_modes_everything_works(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a home folder is private by itself."""
    monkeypatch.setattr(private, "HAS_MODES", False)
    monkeypatch.delattr(os, "geteuid", raising=False)
    porto("key", "new")
    public = public_of(porto)
    assert porto("key", "export", "b.txt").code == 0
    assert porto("key", "import", "b.txt").code == 0
    Journal(b"me").allow(b"game", 1, b"one")
    holder.remember(b"data")
    assert holder.last_verified([b"data"])
    assert public_of(porto) == public


# --- backups -----------------------------------------------------------------------------------


@needs_modes
def test_a_backup_is_private_and_never_over_another_file(porto: Porto, home: Path) -> None:
    porto("key", "new")
    done = porto("key", "export", "backup.txt")
    assert done.code == 0
    assert not done.out
    assert "anyone who can read it" in done.err
    assert mode_of(Path("backup.txt")) == 0o600
    assert Path("backup.txt").read_text() == (home / "keys" / "key.txt").read_text()
    again = porto("key", "export", "backup.txt")
    assert again.code == 4
    assert "exists already" in again.err
    Path("link.txt").symlink_to("nowhere.txt")
    assert porto("key", "export", "link.txt").code == 4
    assert not Path("nowhere.txt").exists()


def test_a_key_goes_through_a_pipe(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    porto("key", "new")
    public = public_of(porto)
    exported = porto("key", "export", "-")
    assert "anyone who can read it" in exported.err
    monkeypatch.setenv("PORTO_HOME", f"{home}-other")
    assert porto("key", "import", stdin=exported.out.replace("\n", "\r\n")).code == 0
    assert public_of(porto) == public
    assert validated("key", porto("key", "--format", "json").out)["backup"]
    assert porto("key", "import", "-", stdin=exported.out).out.startswith("You already have")


def test_another_key_takes_its_place_only_when_a_copy_was_kept(porto: Porto, home: Path) -> None:
    porto("key", "new")
    first = (home / "keys" / "key.txt").read_text()
    for nth in range(1, 4):
        other = Identity.new()
        Path("other.txt").write_text(other.secret_text + "\n")
        done = porto("key", "import", "other.txt")
        assert done.code == 0
        assert f"old-key-{nth}.txt" in done.err
        assert public_of(porto) == other.public_text
    assert (home / "keys" / "old-key-1.txt").read_text() == first
    Path("first.txt").write_text(first)
    porto("key", "import", "first.txt")
    assert (home / "keys" / "key.txt").read_text() == first


@pytest.mark.parametrize("text", ["", "hello\n", "porto1abc\n", "x" * 100_000])
def test_an_invalid_key_is_not_imported(porto: Porto, home: Path, text: str) -> None:
    porto("key", "new")
    public = public_of(porto)
    done = porto("key", "import", stdin=text)
    assert done.code == 4
    assert "No key was imported from standard input." in done.err
    assert porto("key", "import", "nothing.txt").code == 4
    assert public_of(porto) == public
    assert not (home / "keys" / "old-key-1.txt").exists()


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_crash_while_a_key_is_replaced_loses_none(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    porto("key", "new")
    first = (home / "keys" / "key.txt").read_text()
    other = Identity.new()
    really = os.replace
    calls = 0

    def crash(one: object, two: object) -> None:
        nonlocal calls
        calls += 1
        if where == "after":
            really(one, two)  # type: ignore[arg-type]
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", crash)
    done = porto("key", "import", stdin=other.secret_text)
    assert done.code == 4
    assert calls
    texts = [file.read_text() for file in (home / "keys").glob("*key*.txt")]
    assert first in texts
    assert not list((home / "keys").glob(".porto-*"))


# --- passphrases -------------------------------------------------------------------------------


def of_a_former_version(passphrase: str) -> str:
    """Return the text of a key file that takes a passphrase."""
    own = Identity.new()
    return holder.text_for(protected(own, passphrase), own.public_text)


def typing(monkeypatch: pytest.MonkeyPatch, passphrase: str) -> None:
    """Sit at a terminal, and type a passphrase when one is asked for."""
    monkeypatch.setattr("tests.conftest._Bytes.isatty", lambda stream: stream is sys.stdin)
    monkeypatch.setattr("getpass.getpass", lambda question: passphrase)


def test_a_protected_backup_is_opened_before_it_is_taken_over(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("backup.txt").write_text(of_a_former_version("boats"))
    porto("key", "new")
    public = public_of(porto)
    nobody = porto("key", "import", "backup.txt")
    assert nobody.code == 2
    assert "porto key unprotect" in nobody.err
    typing(monkeypatch, "boots")
    wrong = porto("key", "import", "backup.txt")
    assert wrong.code == 1
    assert "not the passphrase" in wrong.err
    assert public_of(porto) == public
    typing(monkeypatch, "boats")
    assert porto("key", "import", "backup.txt").code == 0
    imported = validated("key", porto("key", "--format", "json").out)
    assert imported["protected"]
    assert imported["public"] != public


def test_a_passphrase_is_removed(porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private.private_ready()
    file = home / "keys" / "key.txt"
    text = of_a_former_version("three small boats")
    file.write_text(text)
    public = public_of(porto)
    assert "porto key unprotect" in porto("key").out
    assert porto("key", "unprotect").code == 2
    typing(monkeypatch, "three small boots")
    assert porto("key", "unprotect").code == 1
    assert file.read_text() == text
    typing(monkeypatch, "three small boats")
    assert porto("key", "unprotect").code == 0
    result = validated("key", porto("key", "--format", "json").out)
    assert (result["protected"], result["public"]) == (False, public)
    assert mode_of(file) == 0o600
    assert "has no passphrase" in porto("key", "unprotect").out


@pytest.mark.parametrize("cost", ["3 1024", "16 256", "7 1", "1 99999"])
def test_a_key_that_takes_too_much_to_open_is_refused_before_anything_is_computed(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch, cost: str
) -> None:
    porto("key", "new")
    public = public_of(porto)
    porto("key", "export", "backup.txt")
    line = protected(Identity.new(), "boats").replace(" 1 1 ", f" {cost} ", 1)
    typing(monkeypatch, "boats")
    monkeypatch.delattr("getpass.getpass")
    Path("theirs.txt").write_text(line)
    done = porto("key", "import", "theirs.txt")
    assert done.code == 4
    assert "theirs.txt" in done.err
    assert "the limit is 6 passes over 512 MiB" in done.err
    assert public_of(porto) == public
    (home / "keys" / "key.txt").write_text(line)
    for words in ([], ["unprotect"], ["export", "b.txt"]):
        done = porto("key", *words)
        assert done.code == 4
        assert "the limit is" in done.err
        assert "porto key import BACKUP" in done.err
    assert porto("key", "import", "backup.txt").code == 0
    assert public_of(porto) == public


def test_a_protected_key_says_which_it_is_only_if_that_is_true(porto: Porto, home: Path) -> None:
    own, other = Identity.new(), Identity.new()
    text = holder.text_for(protected(own, "boats"), other.public_text)
    private.private_ready()
    (home / "keys" / "key.txt").write_text(text)
    stored = holder.stored_key()
    assert stored is not None
    with pytest.raises(FileError, match="public key"):
        holder.opened(stored, lambda: "boats")


def test_a_game_can_be_looked_at_without_the_passphrase(porto: Porto, home: Path) -> None:
    from porto_cli.cli.common import keys_here

    private.private_ready()
    (home / "keys" / "key.txt").write_text(of_a_former_version("boats"))
    assert not keys_here(False).public
    assert keys_here(True).public


@pytest.mark.skipif(os.name != "posix", reason="there are no permissions to mend")
def test_looking_at_a_game_warns_that_others_could_read_the_key(porto: Porto, home: Path) -> None:
    from porto_cli.cli.common import keys_here

    porto("key", "new")
    file = holder.key_file()
    file.chmod(0o644)
    with pytest.warns(UserWarning, match=str(file)):
        assert keys_here(False).public
    assert file.stat().st_mode & 0o077 == 0
    porto("new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed", "--as", "Ana", "-q")
    file.chmod(0o644)
    told = f"Other users of this computer could look into {file}; from now on only you can.\n"
    assert told in porto("show", "game.yaml").err
    assert told not in porto("show", "game.yaml").err


@pytest.mark.parametrize(
    "words",
    [["show", "x.txt"], ["new", "x"], ["protect"], ["export", "--format", "json"], ["sing"]],
)
def test_wrong_usage_of_the_command(porto: Porto, home: Path, words: list[str]) -> None:
    assert porto("key", *words).code == 2
    assert not home.exists()


# --- the journal -------------------------------------------------------------------------------

GAME, OTHER_GAME = bytes(range(32)), bytes(32)
ONE, TWO = b"\1" * 32, b"\2" * 32


@pytest.fixture
def journal(home: Path) -> Journal:
    """An empty journal."""
    return Journal(b"my public key")


def test_who_would_sign_another_version_is_told_how_to_get_the_first_one(journal: Journal) -> None:
    journal.allow(GAME, 3, ONE)
    with pytest.raises(SecondVersionError, match=r"the copy of the record that has it\.$"):
        journal.allow(GAME, 3, TWO)
    journal.allow(GAME, 4, ONE, "draw blue-1")
    with pytest.raises(SecondVersionError, match=r"make the same move again\.$"):
        journal.allow(GAME, 4, TWO)


def test_one_version_of_each_step_is_signed(journal: Journal) -> None:
    assert not journal.knows(GAME)
    journal.allow(GAME, 3, ONE, "draw blue-1")
    journal.allow(GAME, 3, ONE)
    with pytest.raises(SecondVersionError) as error:
        journal.allow(GAME, 3, TWO)
    assert error.value.exit_code == 1
    assert "two versions count as cheating" in str(error.value)
    journal.allow(GAME, 4, TWO)
    journal.allow(OTHER_GAME, 3, TWO)
    Journal(b"another key").allow(GAME, 3, TWO)
    signed = Journal(b"my public key").signed(GAME)
    assert {height: one.digest for height, one in signed.items()} == {3: ONE, 4: TWO}
    assert signed[3].step == "draw blue-1"


@needs_modes
def test_the_journal_is_for_its_user_alone(journal: Journal) -> None:
    journal.allow(GAME, 1, ONE)
    path = journal.path(GAME)
    assert mode_of(path) == 0o600
    assert mode_of(path.parent) == mode_of(path.parent.parent) == 0o700


def test_a_note_is_on_the_disk_before_the_signature_leaves(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    really = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(handle), really(handle))[1])
    journal.allow(GAME, 1, ONE)
    assert len(synced) >= 2, "the file, and the folder that names it"
    synced.clear()
    journal.allow(GAME, 2, ONE)
    assert synced


def test_what_cannot_be_noted_is_not_allowed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.allow(GAME, 1, ONE)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        journal.allow(GAME, 2, TWO)
    monkeypatch.undo()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_a_crash_cut_off_was_never_acted_upon(journal: Journal, cut: int) -> None:
    journal.allow(GAME, 1, ONE)
    whole = journal.path(GAME).read_bytes()
    journal.allow(GAME, 2, TWO, "draw")
    both = journal.path(GAME).read_bytes()
    journal.path(GAME).write_bytes(both[: len(whole) + cut])
    assert set(journal.signed(GAME)) == {1}
    journal.allow(GAME, 2, ONE)
    assert {height: one.digest for height, one in journal.signed(GAME).items()} == {1: ONE, 2: ONE}


def test_a_damaged_journal_signs_nothing(journal: Journal) -> None:
    journal.allow(GAME, 1, ONE)
    journal.allow(GAME, 2, TWO)
    path = journal.path(GAME)
    good = path.read_bytes()
    for place in (0, 5, 20, len(good) // 2):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(FileError, match=r"line [12]"):
            journal.allow(GAME, 3, ONE)
    path.write_bytes(good)
    journal.allow(GAME, 3, ONE)


def test_a_lost_journal_learns_from_the_record(journal: Journal) -> None:
    journal.allow(GAME, 1, ONE)
    journal.allow(GAME, 4, TWO)
    journal.learn(GAME, {1: ONE, 4: TWO})
    journal.path(GAME).unlink()
    with pytest.warns(UserWarning, match="2 steps according to this record: the journal was lost"):
        journal.learn(GAME, {1: ONE, 4: TWO})
    with pytest.raises(SecondVersionError):
        journal.allow(GAME, 4, ONE)
    journal.learn(GAME, {1: ONE, 4: TWO})
    journal.learn(OTHER_GAME, {})
    with pytest.warns(UserWarning, match="your key has signed 1 step "):
        journal.learn(OTHER_GAME, {1: ONE})


def test_a_record_with_another_version_of_an_own_step_is_refused(journal: Journal) -> None:
    journal.allow(GAME, 1, ONE)
    with pytest.raises(SecondVersionError):
        journal.learn(GAME, {1: TWO, 2: ONE})
    assert set(journal.signed(GAME)) == {1}


def test_what_was_sent_is_noted(journal: Journal) -> None:
    assert journal.highest(GAME, SENT) == 0
    journal.note_highest(GAME, SENT, 5)
    journal.note_highest(GAME, SENT, 3)
    assert journal.highest(GAME, SENT) == 5
    assert journal.knows(GAME)
    assert journal.signed(GAME) == {}
    journal.allow(GAME, 6, ONE)
    journal.note_highest(GAME, SENT, 6)
    assert journal.highest(GAME, SENT) == 6


_SIGNER = """
import sys, time
from pathlib import Path
from porto_cli.sealed.holder import Journal, OldCopyError, SecondVersionError
print("ready", flush=True)
while not Path(sys.argv[3]).exists():
    time.sleep(0.001)
mine, steps = sys.argv[1].encode() * 16, int(sys.argv[2])
won = []
for height in range(steps):
    try:
        Journal(b"me").allow(b"game", height, mine)
        won.append(height)
    except SecondVersionError:
        pass
print(*won)
"""


def started(program: str, *words: str) -> subprocess.Popen[str]:
    """Start a program of ours."""
    arguments = [sys.executable, "-c", program, *words]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT)


@pytest.mark.outside
def test_of_two_programs_at_once_one_signs(home: Path, tmp_path: Path) -> None:
    go = tmp_path / "go"
    programs = [started(_SIGNER, letter, "200", str(go)) for letter in "abcd"]
    for program in programs:
        assert program.stdout is not None
        program.stdout.readline()
    go.touch()
    won = [number for program in programs for number in program.communicate()[0].split()]
    assert sorted(map(int, won)) == list(range(200)), "each step is signed, and by one of them"
    assert set(Journal(b"me").signed(b"game")) == set(range(200))


@pytest.fixture(params=[errno.ENOLCK, errno.EOPNOTSUPP], ids=errno.errorcode.get)
def no_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without locks, like some network disks."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(handle: int, operation: int) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_without_locks_nothing_is_signed(journal: Journal, no_locks: None) -> None:
    with pytest.raises(FileError, match=r"does not support locks.*PORTO_HOME"):
        journal.allow(GAME, 1, ONE)
    assert not journal.knows(GAME)


def test_without_locks_a_key_is_made_and_kept(porto: Porto, home: Path, no_locks: None) -> None:
    porto("key", "new")
    public = public_of(porto)
    assert porto("key", "export", "backup.txt").code == 0
    assert porto("key", "import", "backup.txt").code == 0
    assert public_of(porto) == public


def test_a_journal_that_another_computer_changes_meanwhile_signs_nothing(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A synchronized folder brings the other computer's file, whatever is locked here."""
    journal.allow(GAME, 1, ONE)
    path = journal.path(GAME)
    theirs = path.read_bytes()
    really = os.fsync

    def synchronize(handle: int) -> None:
        really(handle)
        path.unlink()
        path.write_bytes(theirs)
        path.chmod(0o600)

    monkeypatch.setattr(os, "fsync", synchronize)
    with pytest.raises(FileError, match="changed by another computer"):
        journal.allow(GAME, 2, ONE)
    monkeypatch.setattr(os, "fsync", really)
    journal.allow(GAME, 2, TWO)


def test_what_gave_way_may_be_missing_in_a_copy(journal: Journal) -> None:
    journal.allow(GAME, 3, ONE, "keep")
    with pytest.raises(OldCopyError, match="step 3 of this game in another copy"):
        journal.allow(GAME, 6, ONE, own={})
    journal.allow(GAME, 6, ONE, "keep", own={}, same=lambda step: step == "keep")
    journal.allow(GAME, 7, ONE, own={6: ONE})
    journal.supersede(GAME, [6, 7], [3])
    with pytest.raises(OldCopyError, match="step 3"):
        journal.allow(GAME, 8, ONE, own={})
    journal.allow(GAME, 8, ONE, own={3: ONE})


def test_the_last_answer_that_was_seen_is_noted(journal: Journal) -> None:
    assert journal.highest(GAME, ANSWERED) == 0
    journal.note_highest(GAME, ANSWERED, 5)
    journal.note_highest(GAME, ANSWERED, 3)
    assert journal.highest(GAME, ANSWERED) == 5
    assert not journal.knows(GAME)


_MAKER = """
from porto_cli.sealed import holder
print(holder.make_key().public)
"""


@pytest.mark.outside
def test_two_programs_at_once_make_one_key(home: Path) -> None:
    for _ in range(3):
        programs = [
            subprocess.Popen(
                [sys.executable, "-c", _MAKER], stdout=subprocess.PIPE, text=True, cwd=ROOT
            )
            for _ in range(3)
        ]
        result = {program.communicate()[0].strip() for program in programs}
        stored = holder.stored_key()
        assert stored is not None
        assert result == {stored.public}
        stored.path.unlink()


# --- setups that were verified ----------------------------------------------------------------


def test_only_what_was_verified_is_believed(home: Path) -> None:
    assert not holder.last_verified([b"set-up"])
    assert not home.exists()
    holder.remember(b"set-up")
    assert holder.last_verified([b"set-up"])
    assert not holder.last_verified([b"set-up!"])


def test_checks_that_changed_are_made_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holder.remember(b"set-up")
    monkeypatch.setattr(holder, "VERSION", holder.VERSION + 1)
    assert not holder.last_verified([b"set-up"])


@needs_modes
@pytest.mark.parametrize("name", ["keys", "keys/verified.txt"])
def test_a_cache_that_others_can_write_is_not_believed(home: Path, name: str) -> None:
    holder.remember(b"set-up")
    (home / name).chmod(0o777)
    assert not holder.last_verified([b"set-up"])
    assert not holder.last_verified([b"set-up"])
    holder.remember(b"set-up")
    assert holder.last_verified([b"set-up"])
    (home / name).chmod(0o770)
    holder.remember(b"another")
    assert not holder.last_verified([b"set-up"])
    assert holder.last_verified([b"another"])


def test_a_cache_that_cannot_be_written_is_no_error(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file")
    holder.remember(b"set-up")
    assert not holder.last_verified([b"set-up"])


def test_of_two_notes_at_once_none_is_lost(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holder.remember(b"1")
    really = files.replace

    def late(path: Path, text: str, was: str, **more: bool) -> tuple[str, ...]:
        monkeypatch.setattr(files, "replace", really)
        holder.remember(b"2")
        return really(path, text, was, **more)

    monkeypatch.setattr(files, "replace", late)
    holder.remember(b"3")
    assert all(holder.last_verified([one]) for one in (b"1", b"2", b"3"))


def test_old_notes_go(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "MOST_NOTES", 3)
    for number in (*range(8), 6):
        holder.remember(bytes([number]))
    assert [bool(holder.last_verified([bytes([number])])) for number in range(8)] == [False] * 5 + [
        True
    ] * 3
