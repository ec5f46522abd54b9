"""The list of a folder: games with who is to move or has won, and files that are no game."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli import user
from porto_cli.cli import lobby
from porto_cli.cli.games import _tallies, files_of, survey
from porto_cli.core import InvalidMoveError
from porto_cli.games import GAMES, commands_of, game_of
from porto_cli.installed import lessons_of
from porto_cli.term.prompt import CancelledError
from tests.conftest import ROOT
from tests.documents import validated
from tests.porto.asking import BACK, Scripted

HOUR, DAY = 3600, 86400


def new(path: Path, *players: str, game: str = "porto", age: float = 0, **more: Any) -> Path:
    """Make a game whose first player is to move, and a file that old."""
    porto_cli.new_game(players, game=game, first=players[0], **more).save(path)
    return aged(path, age)


def aged(path: Path, age: float) -> Path:
    now = path.stat().st_mtime
    os.utime(path, (now - age, now - age))
    return path


def finished(path: Path, name: str = "porto/two-players.yaml", age: float = 0) -> Path:
    shutil.copy(ROOT / "records" / name, path)
    os.utime(path)
    return aged(path, age)


def listed(porto, *words: object) -> dict[str, Any]:
    return validated("games", porto("games", *words, "--format", "json").out)


@pytest.fixture
def folder(porto, tmp_path: Path) -> Path:
    new(tmp_path / "mine.yaml", "Ana", "Rui", age=2 * DAY)
    new(tmp_path / "older.yaml", "Ana", "Rui", age=9 * DAY)
    new(tmp_path / "theirs.yaml", "Rui", "Ana", age=20 * DAY)
    new(tmp_path / "sunday.yaml", "Rui", "Ana", "Bia", game="puerto-rico", age=HOUR)
    finished(tmp_path / "old.yaml", age=400 * DAY)
    finished(tmp_path / "new.yaml", "puerto-rico/two-players.yaml")
    return tmp_path


ORDER = ["older.yaml", "mine.yaml", "theirs.yaml", "sunday.yaml", "new.yaml", "old.yaml"]


def test_those_that_wait_for_me_come_first(porto, folder, monkeypatch) -> None:
    monkeypatch.setenv(user.PLAYER, "Ana")
    found = listed(porto)
    assert [one["file"] for one in found["games"]] == ORDER
    assert [one["mine"] for one in found["games"]] == [True, True, False, False, False, False]
    result = porto("games").out.splitlines()
    headings = ["Waiting for you", "Waiting for others", "Finished"]
    assert [line for line in result if line in headings] == headings
    assert "    Porto, round 1. It has been your turn for 9 days. Ana 0 VP, Rui 0 VP." in result
    assert "    Porto, round 1. It has been Rui's turn for 20 days. Rui 0 VP, Ana 0 VP." in result


def test_without_a_name_nobody_is_first(porto, folder) -> None:
    assert not any(one["mine"] for one in listed(porto)["games"])
    result = porto("games").out.splitlines()
    assert "Running" in result
    assert not {"Waiting for you", "Waiting for others"} & set(result)


def test_finished_games_tell_who_has_won_and_the_averages(porto, tmp_path: Path) -> None:
    finished(tmp_path / "two.yaml")
    finished(tmp_path / "copy.yaml")
    finished(tmp_path / "three.yaml", "porto/three-players.yaml")
    finished(tmp_path / "solo.yaml", "porto/solo-lost.yaml")
    assert listed(porto)["players"] == [
        tally("Afonso", games=1, wins=1, average=76.0),
        tally("Inês", games=2, wins=1, average=64.5),
        tally("Joana", games=2, wins=0, average=61.0),
        tally("Inês", alone=True, games=1, wins=0, average=32.0),
    ]
    output = porto("games").out
    assert "Porto, won by Afonso. Afonso 76 VP, Inês 67 VP, Joana 61 VP." in output
    assert "Porto, lost. Inês 32 VP." in output
    assert "Inês: won 1 of 2 games, 64.5 VP on average" in output
    assert "Finished games of Porto, alone" in output


def tally(player: str, *, alone: bool = False, **facts: float) -> dict[str, object]:
    return {"game": "porto", "alone": alone, "player": player, **facts}


def test_scores_are_those_that_everybody_may_know(porto, tmp_path: Path, monkeypatch) -> None:
    """Private contracts before the end, and the VP chips of others, are nobody's business."""
    match = porto_cli.load(ROOT / "records/puerto-rico/three-players-guide.yaml")
    text = match.record.text
    lines = text.splitlines(keepends=True)
    start = next(nth for nth, line in enumerate(lines) if line.startswith("turns:"))
    (tmp_path / "cut.yaml").write_text("".join(lines[: start + 90]), "utf-8")
    running = porto_cli.load(tmp_path / "cut.yaml")
    assert any(player.vp for player in running.state.players)
    (one,) = listed(porto)["games"]
    assert one["scores"] == [None, None, None]
    monkeypatch.setenv(user.PLAYER, running.players[1])
    (one,) = listed(porto)["games"]
    assert [score is None for score in one["scores"]] == [True, False, True]


def test_other_files_are_counted_and_broken_records_reported(porto, tmp_path: Path) -> None:
    good = new(tmp_path / "good.yaml", "Ana", "Rui").read_text("utf-8")
    (tmp_path / "newer.yaml").write_text(good.replace("porto: 1", "porto: 2", 1), "utf-8")
    (tmp_path / "broken.yaml").write_text(good.replace("players: [", "players: [Bia, ", 1), "utf-8")
    (tmp_path / "binary.yaml").write_bytes(b"porto: 1\n\xff\xfe")
    (tmp_path / "cut.yaml").write_text(good[:200], "utf-8")
    (tmp_path / "sealed.yaml").write_text(
        "porto: 1\nplayers: [Ana, Rui]\nsecrecy: sealed\nseals:\n", "utf-8"
    )
    (tmp_path / "notes.txt").write_text("porto is a game\n", "utf-8")
    (tmp_path / "empty.yaml").write_text("", "utf-8")
    (tmp_path / "picture.png").write_bytes(bytes(range(256)))
    (tmp_path / "case.yaml").write_text("porto: 1\nscenario: A case\ncases: []\n", "utf-8")
    (tmp_path / ".hidden.yaml").write_text(good, "utf-8")
    (tmp_path / "folder.yaml").mkdir()
    found = listed(porto)
    assert [one["file"] for one in found["games"]] == ["good.yaml"]
    assert [one["file"] for one in found["skipped"]] == [
        "binary.yaml",
        "broken.yaml",
        "cut.yaml",
        "newer.yaml",
        "sealed.yaml",
    ]
    assert found["others"] == 4
    result = porto("games")
    assert result.code == 0
    assert "Skipped 5 records:" in result.err
    assert "newer.yaml:2:8: The record has format 2" in result.err
    assert result.err.count("porto receive") == result.err.count("earlier copy") == 1
    assert "Not games: 4 other files here." in result.err
    assert "good.yaml" not in result.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and links")
def test_pipes_and_circles_are_left_alone(porto, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "dangling.yaml").symlink_to("nowhere.yaml")
    deep = tmp_path / "deep"
    deep.mkdir()
    (deep / "circle").symlink_to(tmp_path)
    new(deep / "game.yaml", "Ana", "Rui")
    (tmp_path / "link.yaml").symlink_to(deep / "game.yaml")
    assert [one["file"] for one in listed(porto)["games"]] == ["link.yaml"]
    found = listed(porto, "-r")["games"]
    assert sorted(one["file"] for one in found) == ["deep/game.yaml", "link.yaml"]


def test_folders_are_read_one_by_one_and_inside_when_asked(porto, tmp_path: Path) -> None:
    for name in ("one", "one/inner", "two"):
        (tmp_path / name).mkdir()
        new(tmp_path / name / "game.yaml", "Ana", "Rui")
    assert list(files_of([Path("one"), Path("two")], recursive=False)) == [
        "one/game.yaml",
        "two/game.yaml",
    ]
    assert len(list(files_of([Path()], recursive=True))) == 3
    assert len(listed(porto, "one", "one/game.yaml")["games"]) == 1


def test_a_missing_folder(porto) -> None:
    result = porto("games", "nowhere")
    assert (result.code, result.out, result.err) == (4, "", "There is no folder nowhere.\n")


def test_a_folder_without_games(porto) -> None:
    assert porto("games").out == "There are no games in this folder.\n"
    assert porto("games", ".").out == "There are no games in this folder.\n"
    assert listed(porto) == {
        "porto": 1,
        "games": [],
        "players": [],
        "skipped": [],
        "others": 0,
        "complete": True,
    }


def test_whole_sentences(porto, folder, monkeypatch) -> None:
    monkeypatch.setenv(user.PLAYER, "Ana")
    result = porto("games", "--plain").out.splitlines()
    assert result[:2] == [
        "Waiting for you",
        "older.yaml: Porto, round 1. It has been your turn for 9 days. Ana 0 VP, Rui 0 VP.",
    ]
    assert all(line == line.strip() for line in result)


def test_a_game_alone_is_counted_in_turns_as_its_table_is(porto, tmp_path: Path) -> None:
    new(tmp_path / "alone.yaml", "Ana")
    assert "Turn 1 of 14" in porto("show", "alone.yaml", "--plain").out
    assert "Porto, turn 1. " in porto("games").out


@pytest.mark.parametrize("columns", [44, 60, 80, 200])
def test_it_fits_the_screen(porto, folder, monkeypatch, columns: int) -> None:
    new(folder / f"{'long-' * 30}name.yaml", "A" * 40, "B" * 40, title="t " * 90)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, porto("games").out.splitlines())) <= columns


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (-500, "less than a minute"),
        (20, "less than a minute"),
        (60, "1 minute"),
        (7100, "1 hour"),
        (7200, "2 hours"),
        (DAY, "1 day"),
        (800 * DAY, "800 days"),
    ],
)
def test_how_long(porto, tmp_path: Path, seconds: float, told: str) -> None:
    new(tmp_path / "game.yaml", "Ana", "Rui", age=seconds)
    assert f"It has been Ana's turn for {told}." in porto("games").out


@pytest.mark.parametrize("seconds", [-2 * DAY, -40_000 * DAY, 8_000 * DAY, 21_000 * DAY])
@pytest.mark.parametrize("over", [False, True])
def test_a_clock_that_was_wrong_is_not_believed(
    porto, tmp_path: Path, seconds: float, over: bool
) -> None:
    """Neither that of this computer nor that of the one where the file was written."""
    make = finished if over else lambda path, age: new(path, "Ana", "Rui", age=age)
    make(tmp_path / "game.yaml", age=seconds)
    output = porto("games").out
    assert "Porto" in output
    assert not {"for", "days", "changed"} & set(output.split())
    assert ("won by" if over else "'s turn.") in output


@pytest.mark.long
def test_a_hundred_files_are_read_by_several_processes(porto, tmp_path: Path) -> None:
    text = new(tmp_path / "game-0.yaml", "Ana", "Rui").read_bytes()
    for number in range(1, 100):
        (tmp_path / f"game-{number}.yaml").write_bytes(text)
    (tmp_path / "game-50.yaml").write_bytes(text[:250])
    found = listed(porto)
    assert (len(found["games"]), len(found["skipped"])) == (99, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_gives_what_is_ready(porto, tmp_path: Path, monkeypatch) -> None:
    for number in range(5):
        new(tmp_path / f"game-{number}.yaml", "Ana", "Rui")

    def look(file: str) -> Any:
        if file.startswith("game-2"):
            os.kill(os.getpid(), signal.SIGINT)
        return survey(file)

    monkeypatch.setattr("porto_cli.cli.games.survey", look)
    result = porto("games", "--format", "json")
    assert result.code == 130
    found = validated("games", result.out)
    assert [one["file"][:6] for one in found["games"]] == ["game-0", "game-1"]
    assert not found["complete"]
    assert result.err == "Stopped after 2 of 5 files.\n"
    result = porto("games")
    assert result.code == 130
    assert result.out.count("Porto, round 1.") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
def test_names_of_files_do_not_steer_the_terminal(porto, tmp_path: Path) -> None:
    for name in ("\x1b[31mred.yaml", "bad\udcff.yaml", "\u65e5\u672c.yaml"):
        new(tmp_path / name, "Ana", "Rui")
    (tmp_path / "\x1b[32mgreen.yaml").write_text("porto: 1\n")
    for words in ([], ["--plain"], ["--format", "json"]):
        result = porto("games", *words)
        assert result.code == 0
        assert "\x1b" not in result.out + result.err


@pytest.mark.parametrize("year", [-(2**33), 2**33, 2**40])
def test_a_file_of_any_date(porto, tmp_path: Path, year: int) -> None:
    path = new(tmp_path / "game.yaml", "Ana", "Rui")
    shutil.copy(ROOT / "records/porto/two-players.yaml", tmp_path / "over.yaml")
    try:
        for one in (path, tmp_path / "over.yaml"):
            os.utime(one, (year, year))
    except (OSError, OverflowError):
        pytest.skip("the file system does not know such a date")
    assert len(listed(porto)["games"]) == 2
    assert porto("games").code == 0


def test_the_order_and_the_averages_do_not_depend_on_the_order_of_files(porto, folder) -> None:
    files = sorted(folder.iterdir())
    found = listed(porto, *files)
    assert len(found["games"]) == 6
    assert listed(porto, *files[::-1]) == found


def test_plain_and_color_contradict_each_other(porto) -> None:
    assert porto("games", "--plain", "--color", "always").code == 2
    assert porto("games", "--plain", "--format", "json").code == 2


# --- several games side by side ---------------------------------------------------------------


@pytest.fixture
def records(tmp_path: Path) -> None:
    """A record of each game, called like it."""
    for game in GAMES:
        match = porto_cli.new_game(["Inês", "Joana"], game=game, seed="tram", first="Inês")
        match.save(tmp_path / f"{game}.yaml")


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("role porto.yaml settler", "This is a game of Porto; 'role' is not one of its moves"),
        (
            "draw puerto-rico.yaml b1",
            "This is a game of Puerto Rico; 'draw' is not one of its moves",
        ),
        ("pass porto.yaml --tiles corn", "In a game of Porto 'pass' has no option --tiles"),
        ("build puerto-rico.yaml harbor --token L3", "'build' has no option --token"),
        ("moves puerto-rico.yaml --house L3", "'moves' has no option --house"),
        ("new x.yaml Inês Joana --buildings draft", "'new' has no option --buildings"),
        ("new x.yaml Inês Joana --game puerto-rico --timer 28", "'new' has no option --timer"),
        ("new x.yaml Inês --game puerto-rico", "Puerto Rico has 2 to 5 players, not 1"),
        ("new x.yaml Inês Joana --game go", "There is no game 'go'"),
    ],
)
def test_what_belongs_to_another_game_is_refused(porto: Any, command: str, message: str) -> None:
    result = porto(*command.split())
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert not Path("x.yaml").exists()


@pytest.mark.parametrize(
    ("name", "secrecy", "bot"),
    [
        ("Inês", "open", '"Rui 2"'),
        ("rui", "open", '"Bea 2"'),
        ("RUI", "open", '"Bea 2"'),
        ("Inês", "sealed", ""),
        ("Inês", "table", ""),
    ],
)
def test_a_lone_player_is_proposed_a_bot_that_can_play(porto, name, secrecy, bot) -> None:
    words = ("new", "x.yaml", name, "--game", "puerto-rico", "--secrecy", secrecy)
    done = porto(*words)
    assert (done.code, "--bot" in done.err, bot in done.err) == (2, bool(bot), True)
    assert not bot or porto(*words, "--bot", bot.strip('"')).code == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_is_described_and_only_verbs_are(game: str) -> None:
    commands, match = commands_of(game), porto_cli.new_game(["Ana", "Bo"], game=game)
    with pytest.raises(InvalidMoveError) as refused:
        match.play("juggle")
    read = refused.value.sentence.partition("a move begins with ")[2].removesuffix(".")
    assert set(re.split(", | or ", read)) == set(commands.verbs) == set(GAMES[game].verbs)
    assert set(commands.rules) == {"players", "table", "first", "secret"}
    assert set(game_of(game).setting_up.setup_questions()) == {
        option.name for option in commands.setup
    }


def test_who_starts_a_game_is_asked_which(tmp_path: Path) -> None:
    asker = Scripted("Puerto Rico", "2 players", "Ana", "Bo")
    match = lobby.begin(asker, tmp_path / "new.yaml")
    assert (match.game.meta.id, sorted(match.players)) == ("puerto-rico", ["Ana", "Bo"])
    assert asker.questions[0].endswith(" here. It will be a new game. Which one?")


def test_of_a_name_that_is_nearly_that_of_a_file_that_file_is_offered_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    porto_cli.new_game(["Ana", "Bo"]).save("friday.yaml")
    asker = Scripted(None)
    assert lobby.begin(asker, Path("fridya.yaml")).path == Path("friday.yaml")
    (seen,) = asker.seen
    assert "There is no file fridya.yaml; a new game would get that name." in seen
    assert seen.splitlines()[-4:-2] == ["What would you like to play?", "Open friday.yaml"]
    asker = Scripted("Porto: a", "1 player", "Ana")
    assert lobby.begin(asker, Path("fridya.yaml")).path == Path("fridya.yaml")
    asker = Scripted("Porto: a", "1 player", "Ana")
    lobby.begin(asker, Path("other.yaml"))
    assert "Open" not in asker.seen[0], "only what is nearly the same"
    Path("sunday.yaml").write_text(Path("friday.yaml").read_text("utf-8")[:90], "utf-8")
    asker = Scripted("Porto: a", "1 player", "Ana")
    lobby.begin(asker, Path("sundya.yaml"))
    assert "sunday.yaml cannot be read: 'porto verify sunday.yaml' says why." in asker.seen[0]
    assert "Open" not in asker.seen[0]


def test_another_game_can_be_chosen(tmp_path: Path) -> None:
    asker = Scripted("Puerto Rico", BACK, "Porto", "1 player", "Ana")
    match = lobby.begin(asker, tmp_path / "new.yaml")
    assert (match.game.meta.id, match.players) == ("porto", ("Ana",))


def test_a_lesson_is_called_one_and_wins_nothing(porto, tmp_path: Path) -> None:
    lesson = lessons_of("puerto-rico")["lesson"]
    bots = dict(zip(("Rui", "Bea"), lesson["bots"], strict=True))
    match = porto_cli.new_game(
        ["Ana", *bots], game="puerto-rico", first="Ana", seed=lesson["seed"], bots=bots
    )
    match.save(tmp_path / "learn.yaml")
    assert "Lesson of Puerto Rico, round 1." in porto("games").out
    assert [one.get("lesson") for one in listed(porto)["games"]] == [True]
    over = {**listed(porto)["games"][0], "over": True, "won": [True, False, False]}
    assert _tallies([over]) == []
    del over["lesson"]
    assert len(_tallies([over])) == 3


def test_both_lists_of_games_say_whose_turn_it_is_in_the_same_words(porto, monkeypatch) -> None:
    porto("new", "quick.yaml", "Inês", "--bot", "Rui 2", "--first", "Inês", "-q")
    for name, turn in (("Ana", "Inês's turn"), ("Inês", "your turn")):
        monkeypatch.setenv(user.PLAYER, name)
        assert turn in porto("games").out
        asker = Scripted("Quit")
        with pytest.raises(CancelledError):
            lobby.begin(asker, None)
        assert f"round 1, {turn} (quick.yaml)" in asker.seen[0]
