"""Games and players of other packages: found by their entry points, and by nothing else."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest

from porto_cli import games, installed
from porto_cli.cli import app
from porto_cli.cli import help as topics
from porto_cli.cli.lobby import begin
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core import UNREPORTED
from porto_cli.core.documents import Declared, ref
from porto_cli.installed import json_schema, rulings_of, scenario_folders
from porto_cli.match.match import new_game
from porto_cli.research import Tree
from tests.conftest import ROOT
from tests.mails import groups
from tests.porto.asking import Scripted

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

    def install_nim(self, *changes: tuple[str, str], name: str = "nim") -> Path:
        """Install the example with some changes of its code, and return its folder."""
        folder = self.folder / "porto_nim"
        shutil.copytree(NIM / "porto_nim", folder, ignore=shutil.ignore_patterns("__pycache__"))
        module = folder / "__init__.py"
        text = module.read_text("utf-8")
        for change in changes:
            text = text.replace(*change)
        module.write_text(text, "utf-8")
        self.install("porto-nim", f"[porto.games]\n{name} = porto_nim:NIM\n", {})
        return folder


def forget() -> None:
    """Forget what was found and loaded, as a new process would."""
    importlib.invalidate_caches()
    games._found.cache_clear()
    installed.player_entries.cache_clear()
    rulings_of.cache_clear()
    scenario_folders.cache_clear()
    app._whole.cache_clear()
    for name in set(games._loaded) - set(games.BOX):
        del games._loaded[name]
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
    assert "the games are porto, puerto-rico and nim." in porto("rules", "--game", "x").err


def test_who_plays_a_seat_of_it_is_shown_though_nothing_can_be_ordered(site: Site, porto) -> None:
    site.install_nim()
    porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")
    assert porto("seat", FILE, "Rui", "--to", "Bea").code == 0
    for name in ("Ana", "Bea"):
        assert porto("show", FILE, "--as", name).code == 0
    assert porto("order", FILE, "--as", "Ana").code == 2


def test_its_legal_moves_are_offered_in_a_mail(site: Site, tmp_path: Path) -> None:
    site.install_nim()
    match = new_game(["Ana", "Rui"], game="nim", seed="tram", first="Ana")
    (group,) = groups(match.replay, 0, private=False)
    assert [one.moves for one in group.offers] == [
        (match.text(one),) for one in match.legal_moves()
    ]
    assert groups(match.replay, 1, private=False) == ()


class NimSeen(Declared):
    """What everybody sees of Nim."""

    phase: Annotated[str, ref("phase")]
    heaps: list[int]


def test_it_is_a_tree_for_research_by_the_texts_of_its_moves(site: Site) -> None:
    site.install_nim()
    tree = Tree(
        "nim",
        players=range(2, 5),
        usual=2,
        options={},
        is_open=True,
        words=["take", *map(str, range(1, 6)), *"ABC"],
        longest_move=4,
        table=NimSeen,
        seen=lambda table, seat: {"phase": table.phase, "heaps": table.heaps},
        names={"phase": ["take", "over"]},
        bounds={"heaps": 3},
        parts=lambda move: ["take", str(move.number), "ABC"[move.heap]],
        things={},
        most_turns=12,
        longest=(24, 0),
    )
    node = tree.root(tree.config_of(3))
    # Every move begins with "take": the first decision is how many.
    assert [tree.actions[action] for action in node.legal] == [*"12345"]
    for text in "3A4B":
        node = tree.play(node, tree.numbers[text])
    # There are 5 left: one could take fewer of them.
    node = tree.play(node, tree.numbers["5"])
    assert node.over
    assert tree.returns(node) == (-0.5, -0.5, 1.0)
    assert tree.observation(node, 1)[tree.row(3).places()["heaps"]] == bytes(3)
    match = new_game(["Ana", "Rui"], game="nim", seed="tram", first="Ana")
    match.play("take 2 B")
    assert [tree.actions[action] for _, action in tree.line_of(match.replay)] == ["2", "B"]


def test_it_is_set_up_and_played_at_the_keyboard(site: Site, tmp_path: Path) -> None:
    """It names no rulings about the questions, and no example of a move."""
    site.install_nim()
    asker = Scripted("Nim", "2 players", "Ana", "Rui", "Type", "take 5 C", "Stop")
    match = begin(asker, tmp_path / FILE)
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    assert "Type a move, like: take 1 A" in asker.questions
    assert ": take 5 C" in (tmp_path / FILE).read_text("utf-8")


def test_it_is_listed_by_its_turns_as_it_has_no_rounds(site: Site, porto, monkeypatch) -> None:
    site.install_nim()
    porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")
    assert "Nim, not begun." in porto("games", "--plain").out
    porto("take", FILE, "1", "A")
    assert "Nim, 1 turn played." in porto("games", "--plain").out
    asker = Scripted("Nim: Ana, Rui")
    assert begin(asker, None).path == Path(FILE)


@pytest.mark.parametrize("head", ["bots=(), players=range(2, 5)", "players=range(1, 2)"])
def test_programs_are_offered_only_where_one_and_a_person_can_play(
    site: Site, tmp_path: Path, head: str
) -> None:
    site.install_nim(("players=range(2, 5)", head))
    asker = Scripted("Nim", None, "Ana", "Rui")
    begin(asker, tmp_path / FILE)
    assert "How many people are playing?" in asker.questions[1]
    assert "gainst bots" not in asker.seen[1]


@pytest.mark.parametrize(
    ("who", "programs", "people"),
    [
        ("With friends", ["1 bot", "2 bots"], ["2 people", "3 people"]),
        ("Alone", ["2 bots", "3 bots"], []),
    ],
)
def test_with_programs_as_many_people_play_as_it_needs(
    site: Site, tmp_path: Path, who: str, programs: list[str], people: list[str]
) -> None:
    site.install_nim(("range(2, 5)", "range(3, 5)"))
    asker = Scripted("Nim", who, *people[:1], programs[0], "Ana", "Bea")
    match = begin(asker, tmp_path / FILE)
    asked = dict(zip(asker.questions, asker.seen, strict=True))
    assert asked["How many computer opponents?"].splitlines()[-2:] == programs
    assert asked.get("How many of you play?", "").splitlines()[-2:] == people
    assert len(match.players) == 3


def test_a_verb_that_only_it_has_is_a_command(site: Site, porto) -> None:
    site.install_nim(("take", "grab"), ("TAKE", "GRAB"))
    assert porto("grab", FILE).code == 4
    assert porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana").code == 0
    done = porto("grab", FILE, "2", "B")
    assert (done.code, done.err) == (0, "")
    assert "Moves of Nim          grab, undo\n" in porto("--help").out
    assert "Make the move 'grab'." in porto("grab", "--help").out


def test_a_shell_completes_its_name_and_its_moves(site: Site, porto, complete) -> None:
    site.install_nim(("take", "grab"), ("TAKE", "GRAB"))
    porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")
    assert "nim" in complete("new", "x.yaml", "--game", "")
    assert complete("grab", FILE, "") == ["1", "2", "3", "4", "5"]
    assert complete("grab", FILE, "5", "") == ["C"]
    assert "grab" in complete("gr")
    assert complete("simulate", "--game", "nim", "") == ["random"]


def test_its_options_and_words_are_those_of_its_record(site: Site, porto, complete) -> None:
    """``take`` and ``moves`` are commands of Puerto Rico, too, where ``--tile`` is a text."""
    site.install_nim(COMMANDS)
    for game in ("nim", "puerto-rico"):
        assert (
            porto("new", f"{game}.yaml", "Ana", "Rui", "--game", game, "--first", "Ana").code == 0
        )
    done = porto("take", "nim.yaml", "2", "B", "--tile", "5")
    assert (done.code, done.err) == (0, "")
    assert porto("take", "nim.yaml", "2", "C", "--tile", "x").code == 2
    assert porto("moves", "nim", "--heap", "A").code == 0
    done = porto("moves", "puerto-rico.yaml", "--heap", "A")
    assert (done.code, "has no option --heap" in done.err) == (2, True)
    assert "In a game of Nim 'take' has no option --tiles" in (
        porto("take", "nim", "1", "B", "--tiles", "corn").err
    )
    helped = " ".join(porto("help", "take", "--game", "nim").out.split())
    assert "Take some. Arguments:" in helped
    assert "--tile <int> Which tile. [default: 1]" in helped
    assert "Puerto Rico" not in helped
    assert "--heap" in porto("help", "moves", "--game", "nim").out
    assert "Nim has no move 'role'; its moves are take, undo." in (
        porto("help", "role", "--game", "nim").err
    )
    assert complete("moves", "nim.yaml", "--he") == ["--heap", "--help"]


COMMANDS = (
    "NIM = Nim()",
    """
from porto_cli.seam import CommandOption, Commands, Verb
from tests.shares import one_in


class Options(Nim):
    commands = Commands(
        {
            "take": Verb("Take some.", "HOW-MANY HEAP", "How many, and where.", (
                CommandOption("tile", "Which tile.", default=1),
            )),
            "undo": Verb("Take it back."),
        },
        "Two to four names.",
        moves=(CommandOption("heap", "Only moves of this heap.", "HEAP"),),
    )


NIM = Options()
""",
)
"""Nim with commands of its own."""


def test_its_files_are_found(site: Site, porto) -> None:
    folder = site.install_nim()
    assert "Whoever takes the last object of all wins." in porto("rules", "--game", "nim").out
    assert porto("rules", "nim-end").out.startswith("NIM-END  The last object")
    found = porto("scenario", "-k", "NIM-TAKE")
    assert found.code == 0
    assert "nim/taking.yaml" in found.out
    assert "1 case passed." in found.out
    helped = " ".join(porto("help", "--game", "nim").out.split())
    assert helped.startswith("Nim. 2 to 4 players. Three heaps of 3, 4 and 5 objects")
    assert "take WORD… Make the move 'take'." in helped
    # A part of a scenario that the game does not have is refused.
    scenario = folder / "scenarios" / "taking.yaml"
    text = scenario.read_text("utf-8")
    Path("own.yaml").write_text(text[: text.index("record:")] + text[text.index("cases:") :])
    assert "The key 'players' is missing" in porto("scenario", "own.yaml").err
    Path("own.yaml").write_text(text.replace("legal-count: 9", "then: {heaps: 3}"))
    assert "'then'" in porto("scenario", "own.yaml").err
    named = "game: nim\nplayers: [Ana, Rui]\n"
    Path("own.yaml").write_text(
        text[: text.index("record:")] + named + text[text.index("cases:") :]
    )
    assert "Nim has no positions; a scenario of it has the key 'record'." in (
        porto("scenario", "own.yaml").err
    )


def test_it_is_a_topic_of_the_help(site: Site, porto, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its manual page if the package installs one, otherwise what ``--game`` lists."""
    site.install_nim()
    assert porto("help", "nim").out == porto("help", "--game", "nim").out
    shown: list[str] = []
    monkeypatch.setattr(topics, "file_of", site.folder.joinpath)
    monkeypatch.setattr(topics, "show", shown.append)
    assert porto("help", "nim").code == 0
    assert shown == ["porto-nim.7"]


def test_files_beside_a_module_are_not_its_own(site: Site, porto) -> None:
    """Where packages are installed they lie among those of others."""
    folder = site.install_nim()
    shutil.move(folder / "__init__.py", site.folder / "porto_nim.py")
    (site.folder / "rulings.toml").write_text("[rulings", "utf-8")
    shutil.rmtree(folder)
    assert porto("rules", "--game", "nim").code == 0
    assert porto("help", "--game", "nim").code == 0


@pytest.mark.long
def test_the_schema_has_its_documents(site: Site, porto) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    folder = site.install_nim()
    porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")

    def faults(name: str, *words: object) -> list[str]:
        schema = json_schema() | {"anyOf": [{"$ref": f"#/$defs/{name}"}]}
        found = json.loads(porto(*words, "--format", "json").out)
        return [one.message for one in jsonschema.Draft202012Validator(schema).iter_errors(found)]

    assert faults("report", "take", FILE, "2", "B") == []
    for name, command in (("show", "show"), ("moves", "moves"), ("log", "log")):
        assert faults(name, command, FILE) == []
    assert faults("standings", "score", FILE) == []
    assert faults("verify", "verify", FILE) == []
    assert faults("games", "games") == []
    assert faults("show", "log", FILE) != []
    own = {"nim-show": {"required": ["heaps"]}, "show": {"required": ["nothing"]}}
    (folder / "schema.json").write_text(json.dumps({"$defs": own}), "utf-8")
    assert len(faults("show", "show", FILE)) == 1
    assert faults("log", "log", FILE) == []
    porto("new", "porto.yaml", "Ana", "Rui")
    assert faults("show", "show", "porto.yaml") == []


@pytest.mark.long
def test_nothing_of_it_is_loaded_for_another_game(site: Site, porto) -> None:
    site.install("bad", "[porto.games]\nnim = other_nim:NIM\n", {"other_nim": "raise OSError"})
    for game in ("porto", "puerto-rico"):
        assert porto("new", f"{game}.yaml", "Ana", "Rui", "--game", game).code == 0
        for command in ("show", "moves", "log", "verify", "mail"):
            words = ["--to", "a@example.org"] if command == "mail" else []
            assert porto(command, f"{game}.yaml", *words).code == 0
    assert games._found.cache_info().currsize == 0


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        (("NIM = Nim()", "NIM = 1 / 0"), "nim", "cannot be used (ZeroDivisionError"),
        (("NIM = Nim()", "raise SystemExit(0)"), "nim", "cannot be used (SystemExit: 0)"),
        (("NIM = Nim()", "raise GeneratorExit"), "nim", "cannot be used (GeneratorExit)"),
        (("def apply(", "def applied("), "nim", "apply"),
        (("seam=SEAM", "seam=SEAM + 1"), "nim", "was written for version"),
        (
            ("NIM = Nim()", "NIM = 3"),
            "nim",
            "names no object of a class derived from",
        ),
        (
            ("TYPE_CHECKING, NamedTuple", "TYPE_CHECKING, Nothing"),
            "nim",
            "cannot be used (ImportError",
        ),
        (("", ""), "heaps", "its code calls it 'nim'"),
    ],
)
def test_an_unusable_game_is_reported_with_what_to_do(
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
    assert porto("help").code == 0


@pytest.mark.long_for(
    "raise SystemExit(0)-(SystemExit: 0)-describe-log heaps.yaml",
    "raise SystemExit(0)-(SystemExit: 0)-legal_moves-simulate random random --game nim -n 4 -j 2",
)
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
        ("apply", "games"),
    ],
)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("1 / 0", "(ZeroDivisionError: division by zero)"),
        ("raise SystemExit(0)", "(SystemExit: 0)"),
        pytest.param("raise GeneratorExit", "(GeneratorExit)", marks=pytest.mark.long),
        # An error of the system, for which the commands have answers of their own.
        pytest.param(
            *("open('no such book')", "(FileNotFoundError: [Errno 2] No such file or directory"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_one_that_fails_is_named(
    site: Site, porto, member: str, command: str, fault: str, said: str
) -> None:
    site.install_nim()
    assert porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana").code == 0
    assert porto("take", FILE, "2", "B").code == 0
    before = Path(FILE).read_text("utf-8")
    module = site.folder / "porto_nim" / "__init__.py"
    text = module.read_text("utf-8")
    body = text.index('"""\n', text.index(f"    def {member}(")) + len('"""\n')
    module.write_text(f"{text[:body]}        {fault}\n{text[body:]}", "utf-8")
    forget()
    done = porto(*command.split())
    assert done.code == 4
    assert "The game 'nim' of the package porto-nim has failed (" in done.err
    assert said in done.err
    assert "Traceback" not in done.err
    assert Path(FILE).read_text("utf-8") == before


def test_a_saved_record_is_reported_even_if_the_game_fails_then(site: Site, porto) -> None:
    fails = "class Failing(Nim):\n    def legal_moves(self, *_):\n        1 / 0\n\nNIM = Failing()"
    site.install_nim(("NIM = Nim()", fails))
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim", "--first", "Ana")
    assert done.code == UNREPORTED
    assert f"{FILE} is written." in done.err
    assert "porto-nim has failed" in done.err
    assert Path(FILE).exists()


def test_invalid_metadata_is_reported(site: Site, porto) -> None:
    site.install("odd", "[porto.games]\nnim = not a module!\n", {})
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim")
    assert done.code == 4
    assert "of the package odd cannot be used" in done.err


def test_a_name_that_is_taken_is_reported(site: Site, porto) -> None:
    site.install_nim()
    site.install("other-nim", "[porto.games]\nnim = other_nim:NIM\n", {"other_nim": ""})
    done = porto("new", FILE, "Ana", "Rui", "--game", "nim")
    assert done.code == 4
    assert "porto-nim and other-nim" in done.err or "other-nim and porto-nim" in done.err
    forget()
    site.install("third", "[porto.games]\nporto = other_nim:NIM\n", {})
    assert porto("new", FILE, "Ana", "Rui").code == 0


def test_one_that_is_not_installed_is_named(porto) -> None:
    text = "porto: 1\ngame: nim\nrules: 1\nplayers: [Ana, Rui]\nseed: x\nturns:\n"
    Path(FILE).write_text(text, "utf-8")
    done = porto("show", FILE)
    assert done.code == 3
    assert "'nim'" in done.err
    assert "install the package that adds this game" in done.err


def test_players_are_registered_too(site: Site, porto) -> None:
    site.install_nim()
    code = "def last(view, moves, rng):\n    return moves[-1]\n"
    points = "[porto.players]\nnim.last = nim_players:last\nporto.lazy = nim_players:last\n"
    site.install("nim-players", points, {"nim_players": code})
    words = ("-n", 1, "-j", 1, "--seed", "tram")
    done = porto("simulate", "last", "random", "--game", "nim", *words)
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
    assert "install the package that adds this player" in done.err


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
