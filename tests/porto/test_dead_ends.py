"""What a new user types wrongly: each is answered with what is meant, or with what to type."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

import porto_cli
from porto_cli.cli import ask
from porto_cli.cli.commands import COMMANDS
from porto_cli.cli.lobby import begin, saved_games
from porto_cli.core.shell import quoted
from porto_cli.match import seats_of
from porto_cli.match.record import has_suffix, kind_of, meant
from tests.conftest import ROOT
from tests.porto.asking import Scripted
from tests.porto.test_play import cut

SCENARIO = ROOT / "scenarios" / "porto" / "02-draw" / "01-how-many-cards.yaml"
TYPED = quoted(str(SCENARIO))
EDITION = ROOT / "porto_cli" / "games" / "porto" / "editions" / "mebo-2019.yaml"


@pytest.fixture
def game(porto: Any, tmp_path: Path) -> porto_cli.Match:
    """A game between Joana and Inês, in the folder where the program runs."""
    return cut("two-players.yaml", 40, tmp_path / "friday.yaml")


class TestWhatIsNoCommand:
    @pytest.mark.parametrize(
        ("typed", "says", "command"),
        [
            ("drwa friday.yaml b1", "did you mean 'draw'", "porto draw friday.yaml b1"),
            ("BUILD friday.yaml", "did you mean 'build'", "porto build friday.yaml"),
            ("sim greedy", "did you mean 'simulate'", "porto simulate greedy"),
            ("status friday.yaml", "did you mean 'show'", "porto show friday.yaml"),
            ("claims friday.yaml", "did you mean 'contract'", "porto contract friday.yaml"),
            ("friday.yaml", "is a file, not a command", "porto show friday.yaml"),
            ("friday", "is a file, not a command", "porto show friday.yaml"),
            ("friday.yaml draw b1", "the command comes first", "porto draw friday.yaml b1"),
            (TYPED, "is a file, not a command", f"porto scenario {TYPED}"),
            ("monday.yaml", "that of a new game.\nTry:\n", "porto play monday.yaml"),
            ("setler g.yaml", "did you mean 'role settler'", "porto role g.yaml settler"),
            # Only what the game of the record has is proposed.
            ("Captain", "did you mean 'rules captain'", "porto rules captain"),
            ("hospise", "did you mean 'rules hospice'", "porto rules hospice"),
            ("settle friday.yaml", "did you mean 'rules settler'", "porto rules settler"),
            ("choose", "After 'porto choose', FILE is missing", "porto help choose"),
            ("nwe", "did you mean 'new'", "porto new"),
            ("help setler", "did you mean 'role'", "porto help role"),
            ("help hospise", "no command or topic 'hospise'", "porto rules hospice"),
            ("help wurst", "no command or topic 'wurst'", "porto rules wurst"),
            ("help drwa", "did you mean 'draw'", "porto help draw"),
            ("help neighbor", "no command or topic 'neighbor'", "porto rules neighbor"),
        ],
    )
    def test_it_is_answered_with_the_likely_command(
        self, porto: Any, game: Any, typed: str, says: str, command: str
    ) -> None:
        porto(*shlex.split(typed)).assert_leads_to(command, says=says)

    def test_what_means_nothing_leads_to_the_list(self, porto: Any) -> None:
        for word in ("xyzzy", "fnord", "wurst"):
            result = porto(word)
            assert result.code == 2
            assert "'porto help' lists all of them" in result.err

    def test_words_are_proposed_as_shells_need_them(self, porto: Any, game: Any) -> None:
        result = porto("shwo", "our game.yaml", "--as", "D'Arcy")
        assert shlex.split(result.proposed[0])[1:] == ["show", "our game.yaml", "--as", "D'Arcy"]

    @pytest.mark.long
    def test_help_explains_every_command(self, porto: Any) -> None:
        for command in COMMANDS:
            result = porto("help", command)
            assert (result.code, result.err) == (0, ""), command
            assert result.out == porto(command, "--help").out, command


class TestRecordOrPlayer:
    @pytest.mark.parametrize(
        ("typed", "commands"),
        [
            ("Ana Bob", ["porto new ana-bob.yaml Ana Bob", "porto new Ana.yaml Bob"]),
            ("Ana", ["porto new ana.yaml Ana"]),
            (
                "Ana Bob --seed tram",
                [
                    "porto new ana-bob.yaml Ana Bob --seed tram",
                    "porto new Ana.yaml Bob --seed tram",
                ],
            ),
            (
                "--first Bob Bob Ana",
                [
                    "porto new bob-ana.yaml --first Bob Bob Ana",
                    "porto new --first Bob Bob.yaml Ana",
                ],
            ),
            ("friday A B C D", ["porto new friday.yaml A B C D"]),
        ],
    )
    def test_a_script_gets_the_command_to_type(
        self, porto: Any, tmp_path: Path, typed: str, commands: list[str]
    ) -> None:
        result = porto("new", *typed.split())
        assert (result.code, result.out) == (2, "")
        assert "the record or a player?" in result.err
        assert result.proposed == commands
        assert list(tmp_path.iterdir()) == []

    def test_who_can_be_asked_for_the_players_may_mean_the_record(
        self, porto: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(ask, "can_ask", lambda: True)
        result = porto("new", "friday")
        assert result.code == 2
        assert result.proposed == ["porto new friday.yaml friday", "porto new friday.yaml"]
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("file", ["./Ana", "Ana.yaml", "ana.txt", "games/Ana"])
    def test_what_can_only_be_a_file_is_not_questioned(
        self, porto: Any, tmp_path: Path, file: str
    ) -> None:
        (tmp_path / "games").mkdir()
        assert porto("new", file, "Bob").code == 0
        assert porto_cli.load(file).players == ("Bob",)

    def test_new_says_which_game_it_is_and_how_many_play(self, porto: Any) -> None:
        solo = porto("new", "a.yaml", "Ana", "--timer", "26").out
        assert solo.startswith("The solo game of Ana is set up in a.yaml: 13 turns against ")
        three = porto("new", "b.yaml", "Ana", "Bob", "Eva", "--first", "Bob").out
        assert three.startswith("A game of 3 players is set up in b.yaml; Bob is the first player.")

    def test_a_record_on_standard_output_leaves_the_sentences_to_standard_error(
        self, porto: Any
    ) -> None:
        result = porto("new", "-", "Ana", "Bob", "--seed", "tram")
        assert porto_cli.loads(result.out).record.seed == "tram"
        assert result.err.startswith("A game of 2 players is set up in FILE; ")
        assert porto("new", "-", "Ana", "Bob", "--quiet").err == ""


class TestNamesOfRecords:
    @pytest.mark.parametrize(
        "command",
        [
            *("show", "moves", "log", "score", "verify", "draw {} b3 -n", "undo {} -n"),
            *("build {} b2 b1 R2 -n", "scenario --from", "simulate greedy --games 1 -j 1 --from"),
        ],
    )
    @pytest.mark.parametrize("suffix", [".yaml", ".yml"])
    def test_the_extension_can_be_left_out(
        self, porto: Any, tmp_path: Path, command: str, suffix: str
    ) -> None:
        cut("two-players.yaml", 40, tmp_path / f"ana-bob{suffix}")
        words = command.format("ana-bob").split()
        result = porto(*words, *([] if "{}" in command else ["ana-bob"]))
        assert result.code == 0
        assert f"There is no file ana-bob; ana-bob{suffix} is used.\n" in result.err
        assert porto(*words, *([] if "{}" in command else ["ana-bob"]), "-h").err == ""

    def test_a_move_is_written_into_the_file_with_the_extension(
        self, porto: Any, tmp_path: Path, game: porto_cli.Match
    ) -> None:
        assert porto("draw", "friday", "b3", "-q").code == 0
        assert porto_cli.load("friday.yaml").state.turn == game.state.turn + 1
        assert [path.name for path in tmp_path.iterdir()] == ["friday.yaml"]

    def test_a_file_of_just_this_name_comes_first(self, tmp_path: Path) -> None:
        for name in ("ana", "ana.yaml", "bob.yml", "bob.yaml", "eva.yml"):
            (tmp_path / name).touch()
        (tmp_path / "eva").mkdir()
        assert meant(tmp_path / "ana").name == "ana"
        assert meant(tmp_path / "bob").name == "bob.yaml"
        assert meant(tmp_path / "eva").name == "eva.yml"
        assert meant(tmp_path / "rui").name == "rui"

    @pytest.mark.parametrize("typed", ["fryday.yaml", "firday", "friday.yml", "frid"])
    def test_a_misspelt_name_is_answered_with_the_right_one(
        self, porto: Any, game: Any, typed: str
    ) -> None:
        result = porto("show", typed)
        assert result.code == 4
        sentence = f"There is no file {typed}; did you mean friday.yaml?"
        assert result.err.splitlines() == [sentence, "Try:", "  porto show friday.yaml"]

    def test_a_name_of_nothing_says_how_a_game_is_started(self, porto: Any) -> None:
        result = porto("show", "our game")
        assert result.code == 4
        assert "'porto new \"our game.yaml\" NAME…' starts a game" in result.err

    def test_what_play_creates_play_offers(self, porto: Any, tmp_path: Path) -> None:
        for name in ("a.yaml", "b.yml", "c", "d.porto"):
            porto("new", tmp_path / name, "Ana", "Bob", "-q")
        for name in ("notes.txt", ".hidden", "porto.txt"):
            (tmp_path / name).write_text("porto: the town\n", "utf-8")
        (tmp_path / "question.yaml").write_bytes(SCENARIO.read_bytes())
        (tmp_path / "porto").mkdir()
        found, _ = saved_games(tmp_path)
        assert {match.path.name for match in found if match.path} == {
            *("a.yaml", "b.yml", "c", "d.porto")
        }

    def test_a_game_that_play_starts_gets_an_extension(self, tmp_path: Path) -> None:
        match = begin(Scripted("2", "Ana", "Bob", None, None), tmp_path / "friday")
        assert match.path == tmp_path / "friday.yaml"

    @pytest.mark.parametrize(
        ("name", "has"),
        [("a.yaml", True), ("a.b", True), ("Dr. Bob", False), ("J.R.", False), (".a", False)],
    )
    def test_what_an_extension_is(self, name: str, has: bool) -> None:
        assert has_suffix(Path(name)) is has


class TestFilesOfAnotherKind:
    @pytest.mark.parametrize("command", ["show", "moves", "log", "score", "verify", "undo"])
    @pytest.mark.parametrize(
        ("file", "says"),
        [
            (SCENARIO, "This file is a scenario, not a record; 'porto scenario' runs it."),
            (EDITION, "This file is an edition, not a record; 'porto new --edition' plays"),
        ],
    )
    def test_in_place_of_a_record(self, porto: Any, command: str, file: Path, says: str) -> None:
        result = porto(command, file)
        assert result.code == 3
        assert says in result.err

    def test_a_record_in_place_of_a_scenario(self, porto: Any, game: Any) -> None:
        result = porto("scenario", "friday.yaml")
        assert result.code == 3
        assert "This file is a record, not a scenario; 'porto show' shows it" in result.err

    def test_a_text_in_place_of_a_scenario(self, porto: Any, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("# A scenario\n@here: `x`\n", "utf-8")
        result = porto("scenario", "a.md")
        assert result.code == 3
        assert "a.md:1:1: This is not a scenario; 'porto help scenarios' says what" in result.err

    def test_a_scenario_may_be_one_line_of_json(self, porto: Any, tmp_path: Path) -> None:
        text = (ROOT / "scenarios/porto/00-rulebook/1-three-draws.yaml").read_text("utf-8")
        (tmp_path / "one.yaml").write_text(json.dumps(yaml.safe_load(text)), "utf-8")
        assert "All 4 cases passed." in porto("scenario", "one.yaml").out

    def test_the_kind_of_a_file_is_recognized_by_its_beginning(
        self, tmp_path: Path, game: Any
    ) -> None:
        assert kind_of(tmp_path / "friday.yaml") == "record"
        assert kind_of(SCENARIO) == "scenario"
        assert kind_of(EDITION) == ""
        assert kind_of(tmp_path / "gone") == ""


TABLE = (
    "--secrecy table --cards b1,b2,g1,g2,y3 --contracts 1-b,blue+red,y-h,blue+green "
    "--tokens L3=1,L4=1,L5=1,L6=1,L7=1,R1=2,R2=2,R3=2,R4=2,R5=3"
)


class TestOptionsWithoutEffect:
    @pytest.mark.parametrize(
        ("typed", "says"),
        [
            ("new a.yaml Ana Bob --timer 28", "Only the solo game has a timer"),
            ("new a.yaml Ana --tie-break contracts-first", "there is no tie to break"),
            ("simulate random random --games 1 --timer 28", "Only the solo game has a timer"),
            ("simulate random --games 1 --tie-break seat-first", "there is no tie to break"),
            ("simulate random --games 1 --from friday.yaml --timer 28", "the record says which"),
            ("simulate random --games 1 --format csv --color always", "csv has no colors"),
            ("show friday.yaml --format json --plain", "--plain is for text"),
            ("show friday.yaml --format json --color always", "json has no colors"),
            ("show friday.yaml --format svg --color never", "svg always has colors"),
            ("show friday.yaml --plain --color always", "Plain sentences have no colors"),
            ("show friday.yaml --format reply --color never", "reply always has colors"),
            ("score friday.yaml --format json --plain", "--plain is for text"),
            ("score friday.yaml --plain --color always", "Plain sentences have no colors"),
            ("hint friday.yaml --plain --color always", "Plain sentences have no colors"),
            ("analyze friday.yaml --plain --color always", "Plain sentences have no colors"),
            ("moves friday.yaml --format json --color always", "json has no colors"),
            ("log friday.yaml --format html --color never", "html always has colors"),
            ("scenario -v --format json", "--verbose and --explain are for text"),
        ],
    )
    def test_they_are_refused_with_the_reason(
        self, porto: Any, game: Any, tmp_path: Path, typed: str, says: str
    ) -> None:
        result = porto(*typed.split())
        assert (result.code, result.out) == (2, "")
        assert says in result.err
        assert [path.name for path in tmp_path.iterdir()] == ["friday.yaml"]

    @pytest.mark.parametrize(
        "typed",
        [
            "show friday.yaml --format json --color never",
            "show friday.yaml --format svg --color always --as Joana",
            "show friday.yaml --plain --color never --turn 2",
            "moves friday.yaml --format json --color auto",
        ],
    )
    def test_options_that_change_nothing_are_accepted(
        self, porto: Any, game: Any, typed: str
    ) -> None:
        assert porto(*typed.split()).code == 0

    def test_a_solo_game_on_a_real_table_has_its_timer(self, porto: Any) -> None:
        assert porto("new", "a.yaml", "Ana", "--timer", "24", *TABLE.split()).code == 0
        assert porto_cli.load("a.yaml").record.config.timer == 24

    def test_a_minus_is_standard_output(self, porto: Any, game: Any, tmp_path: Path) -> None:
        for command in ("show", "log"):
            result = porto(command, "friday.yaml", "-o", "-")
            assert result.out == porto(command, "friday.yaml").out
        assert not (tmp_path / "-").exists()

    def test_what_a_quiet_verify_says_as_json(self, porto: Any, game: Any) -> None:
        Path("bad.yaml").write_text("porto: 1\n", "utf-8")
        result = porto("verify", "friday.yaml", "bad.yaml", "-q", "--format", "json")
        assert [report["file"] for report in json.loads(result.out)["files"]] == ["bad.yaml"]

    def test_what_came_up_is_judged_in_a_dry_run_too(self, porto: Any) -> None:
        porto("new", "a.yaml", "Ana", "Bob", "--first-game", *TABLE.split())
        dry = ("draw", "a.yaml", "b1", "-n", "--refill")
        assert porto(*dry, "r1").code == 0
        assert "but 1 can come up; leave out: red-2" in porto(*dry, "r1,r2").err
        for _ in range(3):
            assert porto("draw", "a.yaml", "b1", "--refill", "b1", "-q").code == 0
        assert "blue-1 cannot come up" in porto(*dry, "b1").err


class TestNamesOfPlayers:
    @pytest.mark.parametrize(
        ("typed", "seats"),
        [
            ("Inês", [0]),
            ("INES", [0]),
            ("in", [0, 1]),
            ("ine", [0, 1]),
            ("inê", [0]),
            ("inesa", [1]),
            ("jo", [2]),
            ("João", [2]),
            ("joa", [2]),
            ("x", []),
            ("", []),
            ("  Jo ", [2]),
        ],
    )
    def test_who_can_be_meant(self, typed: str, seats: list[int]) -> None:
        assert seats_of(["Inês", "Inesa", "João"], typed) == seats

    def test_two_names_may_still_differ_in_an_accent_or_in_length_only(self, porto: Any) -> None:
        assert porto("new", "a.yaml", "Ines", "Inês", "In", "-q").code == 0
        assert seats_of(["Ines", "Inês", "In"], "ines") == [0]
        assert seats_of(["Ines", "Inês", "In"], "inês") == [1]
        assert seats_of(["Ines", "Inês", "In"], "in") == [2]
        assert seats_of(["Inês", "Inés"], "ines") == [0, 1]

    def test_every_command_takes_a_beginning(self, porto: Any, game: Any) -> None:
        for words in ("show", "score", "moves", "draw {} b3 -n", "simulate random --from"):
            typed = words.format("friday.yaml").split()
            file = [] if "{}" in words else ["friday.yaml"]
            few = ["--games", "1", "-j", "1"] if "simulate" in words else []
            assert porto(*typed, *file, "--as", "jo", *few).code == 0, words
        ines = porto("show", "friday.yaml", "--as", "Ines", "--format", "json").out
        assert json.loads(ines) == json.loads(
            porto("show", "friday.yaml", "--as", "Inês", "--format", "json").out
        )

    def test_an_ambiguous_name_lists_the_players(self, porto: Any) -> None:
        porto("new", "a.yaml", "Ana", "Andy", "Bob", "-q")
        result = porto("show", "a.yaml", "--as", "an")
        assert result.code == 2
        assert result.err.startswith("'an' could be one of An")
        assert {*result.proposed} == {"porto show a.yaml --as Ana", "porto show a.yaml --as Andy"}

    def test_the_first_player_of_a_new_game(self, porto: Any) -> None:
        assert porto("new", "a.yaml", "Inês", "Joana", "--first", "ines").code == 0
        assert porto_cli.load("a.yaml").players == ("Inês", "Joana")
        result = porto("new", "b.yaml", "Joana", "João", "--first", "joa")
        assert result.code == 2
        assert "'joa' could be one of Joana, João" in result.err


class TestRealTable:
    def test_what_is_missing_is_shown_as_a_command(self, porto: Any) -> None:
        porto("new", "a.yaml", "Ana", "Bob", "--first", "Ana", *TABLE.split())
        result = porto("draw", "a.yaml", "b1", "g1")
        assert result.code == 2
        assert result.proposed == ["porto draw a.yaml blue-1 green-1 --refill CARD,CARD"]
        keep = porto("keep", "a.yaml", "side", "palette", "m-b")
        assert keep.code == 2
        assert keep.proposed == [
            "porto keep a.yaml side palette m-b --as Ana",
            "porto keep a.yaml side palette m-b --as Bob",
        ]
        assert "palette side" in porto("keep", "a.yaml", "--as", "Ana").err

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            (",R5=3", "", "--tokens lacks those of R5, like R5=1."),
            ("L3=1,L4=1,", "", "--tokens lacks those of L3, L4, like L3=1."),
            ("L3=1", "L3=1,L3=2", "The token of L3 is named twice."),
            ("L3=1", "L2=1", "The house L2 is not used with 2 players"),
        ],
    )
    def test_tokens_that_are_wrong(self, porto: Any, old: str, new: str, says: str) -> None:
        result = porto("new", "a.yaml", "Ana", "Bob", *TABLE.replace(old, new).split())
        assert result.code == 2
        assert says in result.err
        assert not Path("a.yaml").exists()


class TestPlayWithoutATerminal:
    def test_of_a_game_that_there_is_tells_how_to_look_at_it(self, porto: Any, game: Any) -> None:
        for name in ("friday.yaml", "friday"):
            result = porto("play", name)
            assert result.code == 2
            assert result.proposed == ["porto show friday.yaml"]
            assert "porto new" not in result.err

    def test_of_a_missing_game_names_the_command_to_set_it_up(self, porto: Any) -> None:
        assert porto("play", "monday").proposed == ["porto new monday.yaml NAME…"]


def test_moves_after_a_build_are_distinguished(porto: Any, tmp_path: Path) -> None:
    match = cut("four-players-seat-first.yaml", 51, tmp_path / "friday.yaml")
    match.play("build green-1 blue-1 R5")
    match.save()
    lines = porto("moves", "friday.yaml").out.splitlines()
    assert lines[:6] == [
        "Fulfill public contracts",
        "  5 VP  contract blue-house 1-blue-floor  contract blue-house 2, contract",
        "          1-blue-floor 3",
        "  3 VP  contract 1-blue-floor",
        "  2 VP  contract blue-house",
        "  0 VP  contract none",
    ]


def test_leaving_a_game_by_mail_names_the_command_to_come_back(tmp_path: Path) -> None:
    from porto_cli.cli.keyboard import _how_to_go_on
    from porto_cli.cli.session import Session

    match = cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    seat = match.seat("Joana")
    assert str(_how_to_go_on(Session(match, Scripted(), seat))).endswith(
        f": porto play {match.path} --as Joana"
    )
    assert str(_how_to_go_on(Session(match, Scripted()))).endswith(f": porto play {match.path}")
