"""What the Tab key offers: asked as the shells ask, and in live shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.games.porto.engine import PRIVATE_NAMES, card_names
from tests.conftest import ROOT
from tests.porto.test_play import cut
from tests.processes import at_home, in_a_terminal

RECORDS = ROOT / "records" / "porto"
PROGRAM = Path(sys.executable).with_name("porto")


def explained(shell: str, line: str, porto: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the answer to a shell that shows explanations."""
    monkeypatch.setenv("_PORTO_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_WORD_TO_COMPLETE", line.split(" ")[-1])
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    result = porto()
    assert (result.code, result.err) == (0, "")
    return str(result.out)


@pytest.fixture
def game(tmp_path: Path) -> porto_cli.Match:
    """A game in which Joana holds blue-1 and blue-2."""
    return cut("two-players.yaml", 40, tmp_path / "friday.yaml")


class TestWhatIsOffered:
    def test_commands(self, complete: Any) -> None:
        assert complete("s") == ["sell", "store", "seat", "show", "score", "scenario", "simulate"]
        assert complete("bui") == ["build"]
        assert "--version" in complete("--")

    def test_records_of_the_folder(self, complete: Any, tmp_path: Path) -> None:
        (tmp_path / "games").mkdir()
        for name in ("a.yaml", "b.yaml", "d.yml", "notes.txt", "games/c.yaml"):
            (tmp_path / name).touch()
        assert complete("show", "") == ["a.yaml", "b.yaml", "d.yml"]
        assert complete("draw", "b") == ["b.yaml"]
        assert complete("play", "games/") == ["games/c.yaml"]
        assert complete("show", "nowhere/") == []
        # What a shell does with nothing is to offer all files, and folders among them.
        assert complete("show", "gam") == []

    def test_players(self, complete: Any, game: porto_cli.Match) -> None:
        assert complete("show", "friday.yaml", "--as", "") == ["Joana", "Inês"]
        assert complete("show", "friday.yaml", "--as", "I") == ["Inês"]
        assert complete("show", "friday.yaml", "--as", "=", "jo") == ["joana"]

    def test_players_of_a_new_game(self, complete: Any) -> None:
        words = ("new", "x.yaml", "Ana Maria", "D'Arcy", "--first")
        assert complete("new", "x.yaml", "Rui", "Inês", "--first", "") == ["Rui", "Inês"]
        assert complete(*(word.replace(" ", "\\ ").replace("'", "\\'") for word in words), "") == [
            "Ana\\ Maria",
            "D\\'Arcy",
        ]

    def test_an_open_quote_needs_no_backslash(self, complete: Any, tmp_path: Path) -> None:
        porto_cli.new_game(["Ana Maria", "Rui"]).save(tmp_path / "friday.yaml")
        assert complete("show", "friday.yaml", "--as", "'Ana") == ["Ana Maria"]

    def test_cards_that_can_be_drawn_with_those_typed(
        self, complete: Any, game: porto_cli.Match
    ) -> None:
        face_up = card_names(game.state.cards)
        assert sorted(complete("draw", "friday.yaml", "")) == sorted(set(face_up))
        assert complete("draw", "friday.yaml", "green-2", "") == ["yellow-1"]
        assert complete("draw", "friday.yaml", "green-2", "yellow-1", "") == []
        assert complete("draw", "friday.yaml", "purple-3", "") == []
        assert complete("draw", "friday.yaml", "wood-3", "") == []

    def test_nothing_follows_a_verb_of_another_game(
        self, complete: Any, game: porto_cli.Match
    ) -> None:
        assert complete("role", "friday.yaml", "") == []
        assert complete("move", "friday.yaml", "role", "") == []

    def test_cards_to_draw_come_in_any_order(self, complete: Any, game: porto_cli.Match) -> None:
        assert complete("draw", "friday.yaml", "yellow-1", "") == ["green-2", "red-2"]
        assert complete("draw", "friday.yaml", "y1", "g") == ["green-2"]

    def test_contracts_that_are_revealed_at_a_real_table(
        self, complete: Any, tmp_path: Path
    ) -> None:
        items = porto_cli.load(RECORDS / "real-table.yaml").record.items
        first = next(n for n, one in enumerate(items) if one.entries[0][1].startswith("keep"))
        match = cut("real-table.yaml", first, tmp_path / "table.yaml")
        names = {PRIVATE_NAMES[one] for one in match.state.config.private_deck}
        assert set(complete("keep", "table.yaml", "")) == names
        assert set(complete("keep", "table.yaml", "side", "")) == names - {"side"}

    def test_private_contracts_are_told_only_to_whom_they_are_dealt(
        self, porto: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What a choice means is told with its number, but not to who is not named."""
        porto("new", "friday.yaml", "Inês", "Joana", "--first", "Inês", "--seed", "tram")
        named = explained("fish", "porto keep friday.yaml --as Inês ", porto, monkeypatch)
        unnamed = explained("fish", "porto keep friday.yaml 1 2 ", porto, monkeypatch)
        contracts = [one for one in PRIVATE_NAMES if one in named]
        assert len(contracts) == 5
        assert unnamed.split()
        assert not [one for one in PRIVATE_NAMES if one in unnamed]

    def test_equal_cards_of_a_solo_game_are_distinguished(
        self, complete: Any, tmp_path: Path
    ) -> None:
        cut("solo-won.yaml", 12, tmp_path / "solo.yaml")
        assert {"red-2", "red-2@3"} <= set(complete("draw", "solo.yaml", "red"))

    def test_cards_of_the_hand_and_houses(self, complete: Any, game: porto_cli.Match) -> None:
        assert sorted(complete("build", "friday.yaml", "")) == ["blue-1", "blue-2"]
        assert complete("build", "friday.yaml", "blue-2", "") == ["blue-1"]
        assert complete("build", "friday.yaml", "b2", "b1", "") == ["R2", "L6", "L3"]
        assert complete("build", "friday.yaml", "b2", "b1", "l") == ["l6", "l3"]
        assert complete("build", "friday.yaml", "red-3", "") == []

    def test_filters_of_the_moves(self, complete: Any, game: porto_cli.Match) -> None:
        assert sorted(complete("moves", "friday.yaml", "l")) == ["l3", "l6"]
        assert complete("moves", "friday.yaml", "--house", "") == ["L3", "L6", "R2"]
        assert len(complete("moves", "friday.yaml", "--contract", "")) == 4
        assert sorted(complete("moves", "friday.yaml", "--cards", "b")) == [
            "blue-1",
            "blue-2",
            "blue-3",
        ]
        assert complete("verify", "f") == ["friday.yaml"]

    def test_roofs(self, complete: Any, game: porto_cli.Match) -> None:
        assert complete("build", "friday.yaml", "b2", "b1", "L3", "--token", "") == ["R4"]
        assert complete("build", "friday.yaml", "b2", "b1", "R2", "--token", "") == []

    def test_every_word_of_a_build(self, complete: Any, tmp_path: Path) -> None:
        cut("three-players.yaml", 7, tmp_path / "friday.yaml")
        words = ["build", "friday.yaml", "purple-2", "yellow-1", "L4"]
        assert complete(*words, "") == ["token"]
        assert complete(*words, "--token", "L6", "") == ["contract"]
        assert {"L2", "L6", "R6"} <= set(complete(*words, "token", ""))
        words += ["token", "L6"]
        assert complete(*words, "") == ["contract"]
        assert complete(*words, "contract", "") == ["purple+yellow", "none"]
        assert complete(*words, "contract", "purple+yellow", "") == []
        assert complete(*words, "--contract", "none", "") == []

    def test_the_verb_may_be_repeated_behind_the_record(
        self, complete: Any, game: porto_cli.Match
    ) -> None:
        assert complete("build", "friday.yaml", "build", "b2", "") == ["blue-1"]
        assert complete("build", "friday.yaml", "build", "b2", "b1", "L3", "") == ["token"]
        assert complete("draw", "friday.yaml", "draw", "green-2", "") == ["yellow-1"]
        assert complete("pass", "friday.yaml", "") == []

    def test_contracts(self, complete: Any, tmp_path: Path) -> None:
        match = cut("three-players.yaml", 7, tmp_path / "friday.yaml")
        words = ("build", "friday.yaml", "purple-2", "yellow-1", "L4", "--token", "L6")
        assert complete(*words, "--contract", "") == ["purple+yellow", "none"]
        match.play("build purple-2 yellow-1 L4 token L6")
        match.save()
        assert complete("contract", "friday.yaml", "") == ["purple+yellow", "none"]
        assert complete("contract", "friday.yaml", "purple+yellow", "") == []

    def test_what_can_come_up_on_a_real_table(self, complete: Any, tmp_path: Path) -> None:
        match = cut("real-table.yaml", 20, tmp_path / "table.yaml")
        cards = set(card_names(match.state.deck + match.state.discards))
        assert set(complete("draw", "table.yaml", "red-1", "--refill", "")) == cards
        assert set(complete("draw", "table.yaml", "red-1", "--timer", "b")) == {
            card for card in cards if card.startswith("b")
        }
        contracts = complete("draw", "table.yaml", "red-1", "--refill-contracts", "")
        assert len(contracts) == len(match.state.contract_deck)

    def test_editions_rulings_fingerprint_and_formats(
        self, complete: Any, game: porto_cli.Match
    ) -> None:
        assert complete("new", "x.yaml", "--edition", "me") == ["mebo-2019"]
        assert complete("rules", "P-TOKEN") == ["P-TOKEN-1", "P-TOKEN-2"]
        assert complete("rules", "hosp") == ["hospice"]
        assert complete("draw", "friday.yaml", "--expect", "") == [game.fingerprint]
        assert complete("show", "friday.yaml", "--format", "j") == ["json"]

    def test_a_deal_is_numbered_and_named_only_for_the_player_who_asks(
        self, porto: Any, complete: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = porto_cli.new_game(["Inês", "Joana"], first="Inês")
        match.save(tmp_path / "friday.yaml")
        assert complete("keep", "friday.yaml", "") == ["1", "2", "3", "4", "5"]
        assert complete("keep", "friday.yaml", "2", "4", "") == ["1", "3", "5"]
        deals = [[PRIVATE_NAMES[card] for card in cards] for cards in match.state.dealt]
        result = explained("zsh", "porto keep friday.yaml --as Joana ", porto, monkeypatch)
        assert all(f'"{name}"' in result for name in deals[1])
        untold = explained("zsh", "porto keep friday.yaml ", porto, monkeypatch)
        assert not any(name in untold for deal in deals for name in deal if "-" in name)
        monkeypatch.setenv("PORTO_PLAYER", "Joana")
        assert explained("zsh", "porto keep friday.yaml ", porto, monkeypatch) == result
        monkeypatch.setenv("PORTO_PLAYER", "Zoé")
        assert explained("zsh", "porto keep friday.yaml ", porto, monkeypatch) == untold

    def test_settings_that_are_wrong_offer_nothing_secret_and_spoil_nothing(
        self, complete: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        porto_cli.new_game(["Joana", "Rui"], first="Joana").save(tmp_path / "friday.yaml")
        monkeypatch.setenv("PORTO_HOME", str(tmp_path))
        (tmp_path / "config.yaml").write_text("me: [Joana\n", "utf-8")
        assert complete("keep", "friday.yaml", "") == ["1", "2", "3", "4", "5"]

    def test_since(self, complete: Any, game: porto_cli.Match) -> None:
        assert complete("log", "friday.yaml", "--since", "l") == ["last"]

    @pytest.mark.parametrize("text", ["", "porto: 99\n", "[[[", "\udcff\x00"])
    def test_a_record_that_cannot_be_read_offers_nothing(
        self, complete: Any, tmp_path: Path, text: str
    ) -> None:
        (tmp_path / "bad.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
        for words in (["draw"], ["build"], ["keep"], ["contract"]):
            assert complete(*words, "bad.yaml", "") == []
        assert complete("show", "bad.yaml", "--as", "") == []
        assert complete("draw", "gone.yaml", "") == []
        assert complete("draw", "-", "") == []


class TestWhatTheShellsGet:
    def test_zsh(self, porto: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        assert explained("zsh", "porto build friday.yaml b2 b1 R", porto, monkeypatch) == (
            '_arguments \'*: :(("R2":"4 of 6 floors, 11 VP"))\'\n'
        )

    def test_a_command_is_offered_with_what_it_is_for(
        self, porto: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert '"show":"the table"' in explained("zsh", "porto sh", porto, monkeypatch)
        assert explained("fish", "porto hi", porto, monkeypatch) == "hint\tadvice on a move\n"

    def test_fish(self, porto: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        assert explained("fish", "porto build friday.yaml b2 b1 R", porto, monkeypatch) == (
            "R2\t4 of 6 floors, 11 VP\n"
        )

    def test_powershell(self, porto: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        assert explained("powershell", "porto build friday.yaml b2 b1 R", porto, monkeypatch) == (
            "R2:::4 of 6 floors, 11 VP\n"
        )
        assert explained("pwsh", "porto dra", porto, monkeypatch) == "draw::: \n"

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell", "pwsh"])
    def test_each_has_a_script(
        self, porto: Any, shell: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("_PORTO_COMPLETE", f"source_{shell}")
        result = porto()
        assert result.code == 0
        assert "_PORTO_COMPLETE" in result.out

    @pytest.mark.outside
    @pytest.mark.parametrize(
        ("shell", "begins"), [("zsh", "#compdef porto"), ("fish", "complete --command porto")]
    )
    def test_the_script_of_a_shell_that_is_named(self, porto: Any, shell: str, begins: str) -> None:
        """In bash the option alone shows that of bash."""
        assert porto("--show-completion", shell).out.startswith(begins)

    def test_a_shell_that_is_not_known(self, porto: Any) -> None:
        result = porto("--show-completion", "tcsh")
        assert result.code == 2
        assert "'tcsh' has no completion; these have: bash," in result.err

    @pytest.mark.long
    @pytest.mark.parametrize(
        "line", ["porto ", "porto show ", "porto build friday.yaml b2 b1 ", "porto rules P"]
    )
    def test_none_waits_for_rich_or_questionary(self, tmp_path: Path, line: str) -> None:
        cut("two-players.yaml", 40, tmp_path / "friday.yaml")
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "porto_cli"],
            cwd=tmp_path,
            env={
                **os.environ,
                "_PORTO_COMPLETE": "complete_zsh",
                "_TYPER_COMPLETE_ARGS": line,
                "PYTHONPATH": str(ROOT),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.startswith("_arguments") or line == "porto show "
        modules = {
            row.rpartition("|")[2].strip().partition(".")[0] for row in done.stderr.splitlines()
        }
        assert "typer" in modules
        assert not modules & {"rich", "questionary", "prompt_toolkit", "pydantic"}


SHELLS = {"bash": ["bash", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish", "-i"]}
"""Each shell as a person starts it; it reads the files of the home folder."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with two games, which is the home of who plays them."""
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    porto_cli.new_game(["Ana Maria", "Rui"], first="Rui").save(tmp_path / "sunday.yaml")
    return tmp_path


def start(shell: str, home: Path) -> Any:
    """Start a live shell in a terminal."""
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    env = at_home(home) | {"PATH": path, "TERM": "xterm"}
    return in_a_terminal(SHELLS[shell], home, env, columns=200)


@pytest.mark.long
@pytest.mark.outside
@pytest.mark.parametrize("shell", SHELLS)
def test_tab_in_a_live_shell(home: Path, shell: str) -> None:
    if not shutil.which(shell) or not PROGRAM.exists():
        pytest.skip(f"{shell} and the program porto have to be installed")
    live = start(shell, home)
    live.sendline("porto --install-completion")
    live.expect("completion installed in")
    live.sendline("exit")
    live.close()

    live = start(shell, home)
    live.sendline("echo rea''dy")
    live.expect("ready")
    if shell == "zsh":
        # It throws away what is typed before its line editor is there.
        live.expect_exact("\x1b[?2004h")
    # A whole command by Tab: the command, the record, both cards, the house.
    live.send("porto bui\tfri\tblue-2 b\tR\t--dry-run\r")
    live.expect("Joana played blue-2 and blue-1 and built .* on R2")
    live.expect("Nothing was written: this was a dry run.")
    # An order by Tab: the record, the decision, the policy.
    live.send("porto order fri\tcont\tsens\t--as Joana --dry-run --quiet && echo ord''ered\r")
    live.expect("ordered")
    # A name with a blank, in the way that the shell writes it.
    live.send("porto show sun\t --plain --as Ana\t\r")
    live.expect("Ana Maria")
    live.expect("keep three of these private contracts")
    live.sendline("exit")
    live.close()


HOSTILE = [
    *("a'b", 'b"c', "c$(touch owned)", "d`touch owned`", "e\\f", "f;touch owned", "g!h", "i*j"),
    *("k:l", "m[1]", "n~", "o&p", "q r", "s{t,u}", "v#w", "x=y", "ê'\"\\", "z\\'; touch owned"),
]
"""Names of records, each with a beginning of its own."""


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes_names_that_look_like_code(tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell) or not PROGRAM.exists():
        pytest.skip(f"{shell} and the program porto have to be installed")
    for name in HOSTILE:
        shutil.copy(RECORDS / "two-players.yaml", tmp_path / f"{name}.yaml")
    live = start(shell, tmp_path)
    live.sendline("porto --install-completion")
    live.expect("completion installed in")
    live.sendline("exit")
    live.close()

    live = start(shell, tmp_path)
    live.sendline("echo rea''dy")
    live.expect("ready")
    if shell == "zsh":
        live.expect_exact("\x1b[?2004h")
    for name in HOSTILE:
        live.send(f"porto verify {name[0]}\t\r")
        live.expect_exact(f"{name}.yaml: valid")
    live.sendline("exit")
    live.close()
    assert not (tmp_path / "owned").exists()
