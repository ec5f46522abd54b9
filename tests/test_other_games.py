"""Games and players of other packages: found by their entry points, and by nothing else."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from porto_cli import game as seam
from porto_cli import installed
from porto_cli.core.errors import UNREPORTED
from tests.conftest import ROOT

NIM = ROOT / "examples" / "nim"
FILE = "heaps.yaml"


class Site:
    """A folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, package: str, points: str, code: dict[str, str]) -> None:
        """Install modules with entry points, as pip would."""
        info = self.folder / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8"
        )
        (info / "entry_points.txt").write_text(points, "utf-8")
        for module, text in code.items():
            (self.folder / f"{module}.py").write_text(text, "utf-8")

    def install_nim(self, *changes: tuple[str, str], name: str = "nim") -> None:
        text = (NIM / "porto_nim.py").read_text("utf-8")
        for change in changes:
            text = text.replace(*change)
        points = f"[porto.games]\n{name} = porto_nim:NIM\n"
        self.install("porto-nim", points, {"porto_nim": text})


def forget() -> None:
    """Forget what was found and loaded, as a new process would."""
    importlib.invalidate_caches()
    installed._found.cache_clear()
    installed.player_entries.cache_clear()
    for name in set(seam._loaded) - set(seam.BOX):
        del seam._loaded[name]
    for module in ("porto_nim", "other_nim", "nim_players"):
        sys.modules.pop(module, None)


@pytest.fixture
def site(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    forget()
    yield Site(folder)
    forget()


def test_an_installed_game_is_played(site: Site, porto) -> None:
    site.install_nim()
    assert porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana").code == 0
    assert porto("take", FILE, "2", "B").code == 0
    assert "Nim: 2 to 4 players." in " ".join(porto("new", "--help").out.split())
    assert "Nim: Make the move 'take'." in " ".join(porto("help", "take").out.split())
    assert "there is porto and puerto-rico and nim." in porto("rules", "--game", "x").err


def test_a_verb_that_only_it_has_is_a_command(site: Site, porto) -> None:
    site.install_nim(("take", "grab"), ("TAKE", "GRAB"))
    assert porto("grab", FILE).code == 4
    assert porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana").code == 0
    done = porto("grab", FILE, "2", "B")
    assert (done.code, done.err) == (0, "")
    assert "grab" in porto("--help").out
    assert "Make the move 'grab'." in porto("grab", "--help").out


def test_a_shell_completes_its_name_and_its_moves(
    site: Site, porto, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install_nim(("take", "grab"), ("TAKE", "GRAB"))
    porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")

    def offered(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_PORTO_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return porto().out.split()

    assert "nim" in offered("porto new x.yaml --game ")
    assert offered(f"porto grab {FILE} ") == ["1", "2", "3", "4", "5"]
    assert offered(f"porto grab {FILE} 5 ") == ["C"]
    assert "grab" in offered("porto gr")
    assert offered("porto simulate --game nim ") == ["random"]


def test_nothing_of_it_is_loaded_for_another_game(site: Site, porto) -> None:
    site.install("bad", "[porto.games]\nnim = other_nim:NIM\n", {"other_nim": "raise OSError"})
    for game in ("porto", "puerto-rico"):
        assert porto("new", f"{game}.yaml", "Ana", "Rui", "--game", game).code == 0
        for command in ("show", "moves", "log", "verify", "mail"):
            words = ["--to", "a@example.org"] if command == "mail" else []
            assert porto(command, f"{game}.yaml", *words).code == 0
    assert installed._found.cache_info().currsize == 0


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        (("NIM = Nim()", "NIM = 1 / 0"), "nim", "cannot be loaded (ZeroDivisionError"),
        (("def apply(", "def applied("), "nim", "apply"),
        (("seam=SEAM", "seam=SEAM + 1"), "nim", "Install a newer version of porto-cli."),
        (("seam=SEAM", "seam=SEAM - 1"), "nim", "Install a newer version of porto-nim."),
        (("NIM = Nim()", "NIM = 3"), "nim", "names no game"),
        (
            ("TYPE_CHECKING, NamedTuple", "TYPE_CHECKING, Nothing"),
            "nim",
            "cannot be loaded (ImportError",
        ),
        (("", ""), "heaps", "calls its game 'heaps' in its metadata and 'nim' in its code"),
    ],
)
def test_one_that_cannot_be_used_says_what_to_do(
    site: Site, porto, change: tuple[str, str], name: str, said: str
) -> None:
    site.install_nim(change, name=name)
    text = f"porto: 1\ngame: {name}\nrules: 1\nplayers: [Ana, Rui]\nseed: x\nturns:\n"
    Path(FILE).write_text(text, "utf-8")
    for done in (
        porto("show", FILE),
        porto("new", "new.yaml", "Ana", "Rui", "--game", name),
    ):
        assert done.code == 4
        assert said in done.err
        assert "porto-nim" in done.err
        assert "Traceback" not in done.err
    assert said in porto("rules", "--game", "x").err
    assert porto("help").code == 0


@pytest.mark.parametrize(
    ("member", "command"),
    [
        ("apply", "take heaps.yaml 1 A"),
        ("to_move", "show heaps.yaml"),
        ("table", "show heaps.yaml"),
        ("describe", "log heaps.yaml"),
        ("outcome", "score heaps.yaml"),
        ("format_move", "moves heaps.yaml"),
        ("legal_moves", "simulate random random --game nim -n 4 -j 2"),
    ],
)
def test_one_that_fails_is_named(site: Site, porto, member: str, command: str) -> None:
    site.install_nim()
    assert porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana").code == 0
    assert porto("take", FILE, "2", "B").code == 0
    before = Path(FILE).read_text("utf-8")
    module = site.folder / "porto_nim.py"
    text = module.read_text("utf-8")
    body = text.index('"""\n', text.index(f"    def {member}(")) + len('"""\n')
    module.write_text(f"{text[:body]}        1 / 0\n{text[body:]}", "utf-8")
    forget()
    done = porto(*command.split())
    assert done.code == 4
    assert "The game 'nim' of the package porto-nim has failed in " in done.err
    assert "(ZeroDivisionError: division by zero)" in done.err
    assert "Traceback" not in done.err
    assert Path(FILE).read_text("utf-8") == before


def test_a_record_that_is_written_is_told_even_if_the_game_fails_then(site: Site, porto) -> None:
    fails = (
        "from porto_cli.ui import Ui\n\n\n"
        "class Failing(Ui):\n    def turn_of_people(self, *_):\n        1 / 0\n\n\n"
        "NIM = Nim()\nNIM.ui = Failing(NIM)"
    )
    site.install_nim(("NIM = Nim()", fails))
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")
    assert done.code == UNREPORTED
    assert f"{FILE} is written." in done.err
    assert "porto-nim has failed" in done.err
    assert Path(FILE).exists()


def test_metadata_that_makes_no_sense_is_told(site: Site, porto) -> None:
    site.install("odd", "[porto.games]\nnim = not a module!\n", {})
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim")
    assert done.code == 4
    assert "of the package odd cannot be loaded" in done.err


def test_a_name_that_is_taken_is_told(site: Site, porto) -> None:
    site.install_nim()
    site.install("other-nim", "[porto.games]\nnim = other_nim:NIM\n", {"other_nim": ""})
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim")
    assert done.code == 4
    assert "porto-nim and other-nim" in done.err or "other-nim and porto-nim" in done.err
    forget()
    site.install("third", "[porto.games]\nporto = other_nim:NIM\n", {})
    assert porto("new", FILE, "Ana", "Rui").code == 0
    assert "which is the name of a game of porto; it is not used" in (
        porto("rules", "--game", "x").err
    )


def test_one_that_is_not_installed_is_named(porto) -> None:
    text = "porto: 1\ngame: nim\nrules: 1\nplayers: [Ana, Rui]\nseed: x\nturns:\n"
    Path(FILE).write_text(text, "utf-8")
    done = porto("show", FILE)
    assert done.code == 3
    assert "'nim'" in done.err
    assert "a package that adds the game has to be installed" in done.err


def test_players_are_registered_too(site: Site, porto) -> None:
    site.install_nim()
    code = "def last(view, moves, luck):\n    return moves[-1]\n"
    points = "[porto.players]\nnim.last = nim_players:last\nporto.lazy = nim_players:last\n"
    site.install("nim-players", points, {"nim_players": code})
    words = ("-n", 1, "-j", 1, "--seed", "tram")
    done = porto("tournament", "last", "random", "--game", "nim", *words)
    assert (done.code, "last" in done.out) == (0, True)
    assert porto("simulate", "lazy", "greedy", *words).code == 0
    assert porto("new", FILE, "Ana", "--game", "nim", "--bot", "Rui last").code == 0
    assert "bots: {Rui: last}" in Path(FILE).read_text("utf-8")
    assert porto("verify", FILE, "--bots").code == 0
    shown = json.loads(porto("show", FILE, "--format", "json").out)
    assert shown["bots"] == {"Rui": "last"}
    # On a computer without the package the record says what is missing.
    (site.folder / "nim_players-1.0.dist-info" / "entry_points.txt").write_text("")
    forget()
    done = porto("show", FILE)
    assert done.code == 3
    assert "a package that adds the player has to be installed" in done.err


@pytest.mark.outside
def test_the_example_is_played_by_the_program(site: Site, tmp_path: Path) -> None:
    """Each command in a process of its own, that finds the package by its entry point."""
    site.install_nim()

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "porto_cli", *words],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(site.folder)]),
                "PORTO_HOME": str(tmp_path / "home"),
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana", "--seed", "tram")
    assert "leaves 2" in run("take", FILE, "2", "B")
    run("undo", FILE)
    run("take", FILE, "3", "A")
    for words in ("show", "show --format html", "moves", "log", "score", "verify", "games"):
        verb, *options = words.split()
        assert run(verb, *([] if verb == "games" else [FILE]), *options)
    mail = run("mail", FILE, "--to", "rui@example.org")
    (tmp_path / "box").mkdir()
    (tmp_path / "in.eml").write_text(mail, "utf-8")
    (tmp_path / FILE).unlink()
    assert FILE in run("receive", "in.eml")
    assert (tmp_path / FILE).exists()


@pytest.mark.outside
def test_the_example_holds_what_every_game_has_to_hold(site: Site) -> None:
    """Its own tests, which are one line."""
    site.install_nim()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "."],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site.folder)])},
        cwd=NIM,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
