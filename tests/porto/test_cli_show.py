"""show, moves, log and score, as they are typed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import porto_cli
from tests.conftest import ROOT
from tests.porto.tables import played
from tests.tables import text_at


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    """Three players in the middle of a game."""
    path = tmp_path / "friday.yaml"
    path.write_text(played(3, 42).record.text, "utf-8")
    return path


@pytest.fixture
def finished(porto, tmp_path: Path) -> Path:
    path = tmp_path / "finished.yaml"
    path.write_text(played(3).record.text, "utf-8")
    return path


def test_show_ends_with_what_can_be_done(porto, game: Path) -> None:
    result = porto("show", game)
    assert (result.code, result.err) == (0, "")
    assert "Round 15, turn 43, roofs 3 of 8: Inês is to move." in result.out
    *_, draw, build, moves = result.out.splitlines()
    assert draw.startswith(f"It is Inês's turn. To draw, for example: porto draw {game} ")
    assert build.startswith(f"To build, for example: porto build {game} ")
    assert moves == f"To see the legal moves: porto moves {game}"


def test_show_reads_standard_input(porto, game: Path) -> None:
    result = porto("show", "-", stdin=game.read_text("utf-8"))
    assert result.code == 0
    assert result.out == porto("show", game).out.replace(str(game), "FILE")


def test_private_contracts_say_what_they_can_still_bring_and_only_to_their_owner(
    porto, game: Path
) -> None:
    shown = json.loads(porto("show", game, "--as", "Inês", "--format", "json").out)
    own, *others = (player["private_progress"] for player in shown["players"])
    assert others == [None, None]
    assert [one["contract"] for one in own] == shown["players"][0]["private"]
    for one in own:
        assert set(one) == {"contract", "vp", "most", "ways"}
        assert (one["most"] > one["vp"]) == bool(one["ways"])
        for way in one["ways"]:
            assert all(house in shown["houses"] for house in way)
    assert any(one["ways"] for one in own)
    for how in (["--plain"], [], ["--format", "svg"], ["--format", "html"]):
        mine = porto("show", game, "--as", "Inês", *how).out
        assert " VP: complete " in mine or " side lacks " in mine
        assert not re.search(" VP: complete | side lacks ", porto("show", game, *how).out)


def test_show_of_a_finished_game(porto, finished: Path) -> None:
    shown = json.loads(porto("show", finished, "--format", "json").out)
    assert shown["phase"] == "over"
    assert list(shown["result"]) == ["ranking", "scores", "private", "tie_breaks", "level"]
    assert shown["result"]["scores"] == {
        player["name"]: player["score"] for player in shown["players"]
    }
    assert all(len(player["private"]) == 3 for player in shown["players"])
    assert porto("show", finished).out.splitlines()[-1].endswith(f"porto score {finished}")


def test_show_of_an_earlier_turn(porto, game: Path) -> None:
    shown = json.loads(porto("show", game, "--turn", 7, "--format", "json").out)
    assert (shown["turns_over"], shown["to_move"]) == (7, ["Joana"])
    assert (
        f"turn {shown['turn']}, roofs 0 of 8: Joana is to move"
        in porto("show", game, "--turn", 7).out
    )
    assert "porto draw" not in porto("show", game, "--turn", 7).out
    assert json.loads(porto("show", game, "--turn", 0, "--format", "json").out)["turns_over"] == 0


@pytest.mark.parametrize("turn", ["43", "-1", "many"])
def test_show_of_a_turn_that_was_not(porto, game: Path, turn: str) -> None:
    result = porto("show", game, "--turn", turn)
    assert (result.code, result.out) == (2, "")
    assert result.err


def test_a_name_that_nobody_has(porto, game: Path) -> None:
    for command in ("show", "moves", "score"):
        result = porto(command, game, "--as", "Zoe")
        assert (result.code, result.out) == (2, "")
        assert "the players are Inês, Joana, Afonso" in result.err


@pytest.mark.parametrize("format_", ["text", "json", "svg", "html"])
def test_show_into_a_file(porto, game: Path, format_: str) -> None:
    to = game.with_name("table")
    result = porto("show", game, "--format", format_, "-o", to)
    assert (result.code, result.out, result.err) == (0, "", f"{to} is written.\n")
    assert to.read_text("utf-8") == porto("show", game, "--format", format_).out


def test_a_file_that_cannot_be_written(porto, game: Path) -> None:
    result = porto("show", game, "-o", "nowhere/table.txt")
    assert (result.code, result.out) == (4, "")
    assert "nowhere" in result.err


@pytest.mark.long
def test_color_only_if_wanted(porto, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("show", "moves", "log", "score"):
        assert "\x1b" not in porto(command, game).out
        assert "\x1b[" in porto(command, game, "--color", "always").out
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in porto(command, game).out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b" not in porto(command, game).out
        monkeypatch.delenv("NO_COLOR")
        monkeypatch.delenv("FORCE_COLOR")


def test_the_parts_of_a_move_make_the_move(porto, game: Path) -> None:
    cards = json.loads(porto("show", game, "--format", "json").out)["cards"]
    kinds = set()
    for move in json.loads(porto("moves", game, "--format", "json").out)["moves"]:
        kinds.add(move["kind"])
        if move["kind"] == "build":
            token = ["token", move["token"]] if move["token"] else []
            words = [move["number_card"], move["color_card"], move["house"], *token]
            assert move["move"].split()[1:] == words
        else:
            assert move["cards"] == [cards[space - 1] for space in move["spaces"]]
            assert move["move"].split()[1:] == move["cards"]
        assert move["vp"] == sum(vp for _, vp in move["scores"])
        fulfilled = [reason for reason, _ in move["scores"] if reason.startswith("contract:")]
        assert fulfilled == [f"contract:{name}" for name in move["contracts"]]
    assert kinds == {"draw", "build"}


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        (["--house", "l3"], 12),
        (["--contract", "2-green-floors"], 5),
        (["--contract", "2-g-f"], 5),
        (["--cards", "blue-2"], 22),
        (["--cards", "blue-2", "--cards", "green-1"], 10),
        (["--cards", "blue-2,green-1", "--house", "R1"], 1),
        (["--cards", "b2 b2"], 0),
        (["--house", "R6"], 0),
        (["l3"], 12),
        (["b2", "green", "1"], 10),
        (["build", "b2,g1", "--house", "R1"], 1),
        (["castle"], 0),
    ],
)
def test_moves_are_filtered(porto, game: Path, filters: list[str], count: int) -> None:
    facts = json.loads(porto("moves", game, "--format", "json", *filters).out)
    assert len(facts["moves"]) == facts["count"] == count
    text = porto("moves", game, *filters)
    assert text.code == 0
    none = "None of the 38 legal moves matches."
    expected = f"{count} of 38 legal moves." if count else none
    assert expected in text.out


def test_of_many_moves_the_best_on_each_house_are_listed(porto) -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    while match.game.count_moves(match.state, match.state.seat) < 1000:
        match.play(match.text(match.legal_moves()[0]), player=match.state.seat)
    match.save("many.yaml")
    mover, scored = ("--as", match.to_move()[0]), re.compile("^ +[0-9]+ VP ", re.MULTILINE)
    kinds = porto("moves", "many.yaml", *mover).out.split("\n\n")
    assert max(len(scored.findall(kind)) for kind in kinds) == 3
    said = re.search(r"To see all with (\w+): porto moves many.yaml \1$", kinds[-1], re.MULTILINE)
    assert said
    assert len(scored.findall(porto("moves", "many.yaml", said[1], *mover).out)) > 3
    assert "\nThe first one is played with: porto build many.yaml" in kinds[-1]


def test_a_mistyped_word_of_a_move_is_answered_with_what_was_probably_meant(
    porto, game: Path
) -> None:
    result = porto("moves", game, "build", "gren-1")
    assert (result.code, result.out) == (2, "")
    assert "No move has the word 'gren-1'. Did you mean green-1?" in result.err


@pytest.mark.parametrize("filters", [["--house", "X1"], ["--cards", "pink-1"], ["--contract", "2"]])
def test_a_filter_that_cannot_be_read(porto, game: Path, filters: list[str]) -> None:
    result = porto("moves", game, *filters)
    assert (result.code, result.out) == (2, "")
    assert filters[1] in result.err


def test_moves_of_somebody_who_is_not_to_move(porto, game: Path) -> None:
    result = porto("moves", game, "--as", "Joana")
    assert result.out.startswith("Joana cannot move now.\nIt is Inês's turn")
    assert json.loads(porto("moves", game, "--as", "Joana", "--format", "json").out)["moves"] == []


def test_moves_of_somebody_who_can_keep_early(porto, tmp_path: Path) -> None:
    porto("new", "new.yaml", "Inês", "Joana", "--seed", "tram", "--first", "Inês")
    shown = porto("moves", "new.yaml", "--as", "Joana")
    assert shown.out.splitlines()[-1].endswith("porto keep new.yaml 1 2 3 --as Joana")
    assert shown.out != porto("moves", "new.yaml").out


def test_moves_of_a_finished_game(porto, finished: Path) -> None:
    assert json.loads(porto("moves", finished, "--format", "json").out)["moves"] == []
    assert porto("moves", finished).out.startswith("The game is over: ")


def test_log_tells_where_each_vp_came_from(porto, finished: Path) -> None:
    shown = json.loads(porto("log", finished, "--format", "json").out)
    assert list(shown) == ["porto", "game", "title", "turns", "result"]
    assert sum(turn["vp"] for turn in shown["turns"]) + sum(
        vp for contracts in shown["result"]["private"].values() for _, vp in contracts
    ) == sum(shown["result"]["scores"].values())
    text = porto("log", finished).out
    for turn in shown["turns"]:
        if turn["vp"]:
            assert f"{turn['vp']} VP (" in text
    for contracts in shown["result"]["private"].values():
        for reason, vp in contracts:
            assert f" {vp} VP {reason.removeprefix('private:')}: " in text


def test_log_of_a_running_game_ends_with_what_can_be_done(porto, game: Path) -> None:
    assert porto("log", game).out.splitlines()[-1] == (
        f"To see the legal moves: porto moves {game}"
    )


def test_score_of_a_running_game(porto, game: Path) -> None:
    shown = porto("score", game, "--as", "Inês")
    assert "as of now" in shown.out
    assert "as of now" not in porto("score", game).out
    facts = json.loads(porto("score", game, "--format", "json").out)
    assert [player["place"] for player in facts["players"]] == [1, 2, 3]
    assert facts["over"] is False


def test_score_of_a_finished_game_is_the_reckoning(porto, finished: Path) -> None:
    text = porto("score", finished).out
    facts = json.loads(porto("score", finished, "--format", "json").out)
    for player in facts["players"]:
        assert sum(player["sources"].values()) == player["score"]
        assert sum(vp for _, vp in player["scores"]) == player["score"]
        for kind, vp in player["sources"].items():
            of_kind = (vp for reason, vp in player["scores"] if reason.partition(":")[0] == kind)
            assert sum(of_kind) == vp
        for contract in player["private"]:
            assert contract["contract"] in text


@pytest.mark.outside
@pytest.mark.parametrize("command", ["show", "moves", "log", "score"])
@pytest.mark.parametrize("encoding", ["ascii", pytest.param("utf-8", marks=pytest.mark.slow)])
def test_a_pipe_gets_utf_8_in_any_locale(command: str, encoding: str, game: Path) -> None:
    """In a process of its own: names arrive as they are, as text and as JSON."""

    def run(*more: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "porto_cli", command, str(game), *more],
            env={
                "PYTHONIOENCODING": encoding,
                "COLUMNS": "80",
                "PATH": "",
                "PYTHONUTF8": "0",
                "PORTO_HOME": str(game.parent),
            },
            capture_output=True,
            cwd=ROOT,
            check=True,
        )

    text = run().stdout.decode()
    facts = json.dumps(json.loads(run("--format", "json").stdout), ensure_ascii=False)
    if command != "moves":
        assert "Inês" in text
        assert "Inês" in facts


@pytest.mark.outside
@pytest.mark.parametrize("command", ["show", "moves", "log", "score"])
def test_what_is_not_in_color_needs_no_console_of_rich(command: str, game: Path) -> None:
    heavy = {"rich.console", "rich.text", "questionary", "json"}
    code = (
        "import sys; from porto_cli.cli.app import run\n"
        "try: run(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"print(*sorted({heavy} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, command, str(game)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        encoding="utf-8",
    )
    assert found.stdout.splitlines()[-1] == ""


def test_a_tie_for_the_first_place_is_told_once(porto) -> None:
    tied = played(2, seed="t1")
    assert tied.state.scores[0] == tied.state.scores[1]
    Path("tied.yaml").write_text(tied.record.text, "utf-8", newline="\n")
    for name in ("score", "log"):
        told = " ".join(porto(name, "tied.yaml").out.split())
        assert "tied with Inês on VP; Joana fulfilled more public contracts" in told
        assert told.count("fulfilled more") == 1
        assert "both have" not in told


def test_score_in_sentences(porto, finished: Path) -> None:
    shown = porto("score", finished, "--plain").out
    facts = json.loads(porto("score", finished, "--format", "json").out)
    first = facts["players"][0]
    assert shown.startswith(f"The game is over: {first['name']} wins with {first['score']} VP")
    assert f"\n1. {first['name']}, {first['score']} VP: floors " in shown
    assert "neighbors  ground" in porto("score", finished).out
    assert "neighbors  ground" not in shown


def test_a_title_cannot_color_the_screen(porto, game: Path) -> None:
    text = game.read_text("utf-8")
    assert "title: Friday night" in text
    hostile = 'title: "\\e[31mFriday\\r\\n\\x9bnight\\u202e"'
    game.write_text(text.replace("title: Friday night", hostile), "utf-8")
    for more in ([], ["--plain"]):
        shown = porto("show", game, *more)
        assert shown.code == 3
        assert "is not allowed; remove it" in shown.err
        assert not {"\x1b", "\x9b", "\r", "\u202e"} & set(shown.out + shown.err)


def test_after_the_last_turn_at_a_table_no_contract_can_be_met_any_more(porto) -> None:
    """P-END-2: only the private contracts are still to be revealed."""
    Path("sunday.yaml").write_text(text_at("porto/real-table", -3), "utf-8")
    shown = porto("show", "sunday.yaml").out
    assert "The last turn is over. Private contracts to reveal: Joana, Inês." in shown
    assert "The game ends after" not in shown
    assert "this turn" not in shown
    assert "later" not in shown
    contracts = json.loads(porto("show", "sunday.yaml", "--format", "json").out)["public_contracts"]
    assert {one["can_be_met"] for one in contracts} == {"never"}


def box(old: str, new: str) -> None:
    """Write an edition to box.yaml: the usual one, changed."""
    usual = (ROOT / "porto_cli/games/porto/editions/mebo-2019.yaml").read_text("utf-8")
    assert old in usual
    Path("box.yaml").write_text(f"{usual.replace(old, new)}\nartificial: true\n", "utf-8")


def test_what_counts_only_once_pays_its_first_number_whatever_else_a_box_says(porto) -> None:
    """P-PRIV-MIRROR, P-PRIV-PALETTE, P-PRIV-SIDE."""
    box("palette: [7]", "palette: [7, 9]")
    porto("new", "a.yaml", "A", "B", "--edition", "box.yaml", "--seed", "m0", "--first", "A")
    see = ("show", "a.yaml", "--as", "A", "--format", "json")
    dealt = json.loads(porto(*see).out)["players"][0]["dealt"]
    kept = sorted(dealt, key=lambda name: name != "palette")[:3]
    assert porto("keep", "a.yaml", *kept, "--as", "A").code == 0
    progress = json.loads(porto(*see).out)["players"][0]["private_progress"]
    most = [one["most"] for one in progress if one["contract"] == "palette"]
    assert most == [7]


def test_a_box_without_cards_can_be_looked_at(porto) -> None:
    box("cards: {1: 4, 2: 4, 3: 2}", "cards: {1: 0, 2: 0, 3: 0}")
    assert porto("new", "a.yaml", "A", "B", "--edition", "box.yaml", "--first", "A").code == 0
    assert porto("keep", "a.yaml", "1", "2", "3", "--as", "A").code == 0
    shown = porto("show", "a.yaml", "--as", "A")
    assert (shown.code, shown.err) == (0, "")
    assert "Private contracts of A" in shown.out


def test_at_a_table_it_is_said_what_a_turn_against_the_timer_reveals(porto) -> None:
    """P-SOLO-2, P-SOLO-5: the timer is turned up after a turn, the rows are refilled after it."""
    tokens = "L3=1,L4=2,L5=1,L6=3,L7=4,R1=1,R2=1,R3=1,R4=2,R5=2"
    cards, contracts = "blue-1,red-1,red-2,green-1,green-2", "1-blue-floor,2-blue-floors,blue-house"
    setup = ("--tokens", tokens, "--cards", cards, "--contracts", f"{contracts},blue+blue")
    begun = porto("new", "solo.yaml", "Ana", "--secrecy", "table", *setup)
    assert "like: --refill CARD,CARD --timer CARD,CARD\n" in begun.out
    revealed = ("--refill", "blue-2", "--timer", "green-2,red-1")
    drawn = porto("draw", "solo.yaml", "blue-1", *revealed)
    assert drawn.code == 0
    assert "like: --refill CARD,CARD --refill-contracts CONTRACT,CONTRACT\n" in drawn.out
