"""Where results go: -o never destroys what it was made of, and pipes and devices stay what they
are.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import LARGEST
from tests.processes import shell

pytestmark = pytest.mark.outside

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices")

WITH_OUTPUT = [
    ["show"],
    ["show", "--plain"],
    ["show", "--format", "json"],
    ["show", "--format", "svg"],
    ["show", "--format", "html"],
    ["log"],
    ["log", "--format", "json"],
    ["log", "--format", "html"],
    ["analyze", "--samples", "1"],
]
"""What can be written into a file, of a record."""


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês").save(tmp_path / "game.yaml")
    return tmp_path / "game.yaml"


@pytest.fixture
def question(porto, game: Path) -> Path:
    """A scenario that reads the record."""
    path = game.with_name("question.yaml")
    path.write_text(
        "porto: 1\nscenario: What can be kept?\nrecord: game.yaml\ncases:\n"
        "- title: Any three of five\n  play: keep 1 2 3\n",
        "utf-8",
    )
    return path


@pytest.mark.parametrize("command", WITH_OUTPUT, ids=" ".join)
def test_no_output_replaces_its_record(porto, game: Path, command: list[str]) -> None:
    before = game.read_bytes()
    result = porto(command[0], game, *command[1:], "-o", game)
    assert result.code == 4
    assert "was not changed" in result.err
    assert game.read_bytes() == before


@posix
@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_another_name_of_the_record_is_known(porto, game: Path, link) -> None:
    other = game.with_name("other.svg")
    link(other, game)
    before = game.read_bytes()
    assert porto("show", game, "--format", "svg", "-o", other).code == 4
    assert porto("show", other, "-o", f"{game.parent}/../{game.parent.name}/game.yaml").code == 4
    assert game.read_bytes() == before


@posix
def test_standard_input_is_known_too(game: Path) -> None:
    before = game.read_bytes()
    done = shell("$PORTO show - -o game.yaml <game.yaml", game.parent)
    assert done.returncode == 4
    assert game.read_bytes() == before


@pytest.mark.parametrize("target", ["question.yaml", "game.yaml"])
@pytest.mark.parametrize("report", ["text", "json", "junit"])
def test_scenarios_and_their_records_are_inputs(
    porto, question: Path, target: str, report: str
) -> None:
    before = question.with_name(target).read_bytes()
    result = porto("scenario", question, "--format", report, "-o", target)
    assert (result.code, result.out) == (4, "")
    assert question.with_name(target).read_bytes() == before
    assert porto("scenario", question, "--format", report, "-o", "report").code == 0


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_the_settings_are_an_input_too(porto, game: Path, monkeypatch, form: str) -> None:
    monkeypatch.setenv("PORTO_HOME", str(game.parent))
    monkeypatch.delenv("PORTO_PLAYER", raising=False)
    assert porto("me", "Inês").code == 0
    result = porto("show", game, "--format", form, "-o", "config.yaml")
    assert (result.code, result.out) == (4, "")
    assert "config.yaml is also the input" in result.err
    # The program itself still changes what it has read.
    assert porto("me", "Joana").code == 0
    assert "Joana" in porto("me").out


def test_the_key_is_an_input_too(porto, tmp_path: Path, monkeypatch) -> None:
    """It is what no copy can bring back."""
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    assert porto("new", "sealed.yaml", "Ana", "Bo", "--secrecy", "sealed").code == 0
    key = tmp_path / "keys" / "key.txt"
    before = key.read_bytes()
    porto("show", "sealed.yaml", "-o", key)
    assert key.read_bytes() == before


def test_what_is_typed_wrongly_makes_no_key(porto, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    done = porto("new", "sealed.yaml", "Ana", "Bo", "--secrecy", "sealed", "--first", "Zoe")
    assert (done.code, done.out) == (2, "")
    assert not [*tmp_path.iterdir()]


def test_an_excerpt_never_overwrites(porto, game: Path) -> None:
    for target in ("game.yaml", "other.yaml"):
        path = game.with_name(target)
        path.touch()
        before = path.read_bytes()
        assert porto("scenario", "--from", game, "-o", target).code == 4
        assert path.read_bytes() == before


def test_an_output_can_be_written_again(porto, game: Path) -> None:
    for _ in range(2):
        assert porto("show", game, "--format", "svg", "-o", "game.svg").code == 0
    assert game.with_name("game.svg").read_text("utf-8").count("</svg>") == 1


@pytest.mark.parametrize("command", WITH_OUTPUT, ids=" ".join)
def test_a_dash_is_standard_output(porto, game: Path, command: list[str]) -> None:
    plain = porto(command[0], game, *command[1:])
    dashed = porto(command[0], game, *command[1:], "-o", "-")
    assert plain.code == dashed.code == 0
    assert plain.out == dashed.out != ""
    assert not game.with_name("-").exists()


@pytest.mark.parametrize("words", [[], ["--format", "junit"], ["--format", "json"]])
def test_a_dash_is_standard_output_of_scenarios(porto, question: Path, words: list[str]) -> None:
    assert porto("scenario", question, *words, "-o", "-").out == (
        porto("scenario", question, *words).out
    )
    game = question.with_name("game.yaml")
    assert porto("scenario", "--from", game, "-o", "-").out == porto("scenario", "--from", game).out
    assert not game.with_name("-").exists()


@posix
@pytest.mark.parametrize("command", ["show game.yaml", "scenario --from game.yaml"])
def test_a_pipe_is_written_into(game: Path, command: str) -> None:
    pipe = game.with_name("pipe")
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    done = shell(f"$PORTO {command} -o pipe", game.parent)
    reader.join(20)
    assert done.returncode == 0, done.stderr
    assert got == [shell(f"$PORTO {command}", game.parent).stdout]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def device(folder: Path, name: str, minor: int) -> Path:
    """Return a device to write to. The superuser, who could replace that of the system, gets
    one of his own.
    """
    if os.geteuid():
        return Path("/dev", name)
    own = folder / name
    try:
        os.mknod(own, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        own.open("ab").close()
    except OSError:
        pytest.skip("no devices can be made here")
    return own


@posix
def test_a_device_stays_a_device(game: Path) -> None:
    null = device(game.parent, "null", 3)
    before = null.stat()
    assert shell(f"$PORTO show game.yaml -o {null}", game.parent).returncode == 0
    after = null.stat()
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no full device here")
def test_a_device_that_is_full(game: Path) -> None:
    full = device(game.parent, "full", 7)
    done = shell(f"$PORTO show game.yaml -o {full}", game.parent)
    assert done.returncode == 4
    assert done.stderr.decode() == f"{full} cannot be written: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such name here")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_by_its_name_loses_nothing(game: Path, name: str) -> None:
    shell(f"{{ echo above; $PORTO show game.yaml -o {name}; echo below; }} >shown.txt", game.parent)
    lines = game.with_name("shown.txt").read_text("utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("above", "below")
    assert len(lines) > 20


def test_a_folder_is_no_output(porto, game: Path) -> None:
    for folder in (".", ""):
        result = porto("show", game, "-o", folder)
        assert result.code == 4
        assert "cannot be written" in result.err


def test_an_output_without_write_permission_stays(porto, game: Path) -> None:
    path = game.with_name("game.svg")
    path.write_text("precious")
    path.chmod(0o444)
    result = porto("show", game, "--format", "svg", "-o", path)
    assert result.code == 4
    assert "write-protected" in result.err
    assert path.read_text() == "precious"


@posix
def test_a_planted_link_is_not_written_through(porto, game: Path) -> None:
    """Neither a link nor a pipe under the name that the new file used to have."""
    victim = game.with_name("profile")
    victim.write_text("mine")
    game.with_name(".config.yaml.new").symlink_to(victim)
    os.mkfifo(game.with_name(".config.svg.new"))
    assert porto("keep", game, "1", "2", "3", "--as", "Inês").code == 0
    assert porto("show", game, "--format", "svg", "-o", "game.svg").code == 0
    assert victim.read_text() == "mine"


def test_new_files_have_names_that_nobody_can_guess(
    porto, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    replace = os.replace

    def watch(source: Path, target: Path) -> None:
        assert source.parent == target.parent
        names.append(source.name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", watch)
    for _ in range(3):
        assert porto("show", game, "-o", "shown.txt").code == 0
    assert len(set(names)) == 3


@posix
def test_a_new_file_is_made_by_nobody_else(
    porto, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should somebody guess the name, what is there is left alone."""
    monkeypatch.setattr(os, "urandom", bytes)
    victim = game.with_name("profile")
    victim.write_text("mine")
    game.with_name(f".porto-{bytes(8).hex()}.new").symlink_to(victim)
    before = game.read_bytes()
    result = porto("keep", game, "1", "2", "3", "--as", "Inês")
    assert result.code == 4
    assert "File exists" in result.err
    assert victim.read_text() == "mine"
    assert game.read_bytes() == before


# -- Inputs


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is nothing endless here")
@pytest.mark.parametrize(
    "command",
    [
        ["verify", "/dev/zero"],
        ["show", "/dev/zero"],
        ["draw", "/dev/zero", "blue-1"],
        ["new", "x.yaml", "Inês", "--edition", "/dev/zero"],
        ["simulate", "random", "--edition", "/dev/zero"],
        ["scenario", "/dev/zero"],
        ["scenario", "--from", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_every_input_is_read_with_a_limit(porto, tmp_path: Path, command: list[str]) -> None:
    result = porto(*command)
    assert result.code == 3
    assert f"larger than {LARGEST >> 20} MiB" in result.out + result.err
    assert not (tmp_path / "x.yaml").exists()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is nothing endless here")
def test_the_record_of_a_scenario_ends_too(porto, tmp_path: Path) -> None:
    (tmp_path / "endless.yaml").write_text(
        "porto: 1\nscenario: Endless\nrecord: /dev/zero\ncases:\n- legal-count: 1\n"
    )
    result = porto("scenario", "endless.yaml")
    assert result.code == 3
    assert "/dev/zero" in result.err


def test_a_file_that_grows_huge_is_compared_with_a_limit(game: Path) -> None:
    match = porto_cli.load(game)
    match.play("keep 1 2 3", player="Inês")
    with game.open("ab") as file:
        file.truncate(LARGEST * 1000)
    with pytest.raises(porto_cli.core.FileError, match="changed by another program"):
        match.save()
