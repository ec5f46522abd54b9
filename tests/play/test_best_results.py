"""Reasons to come back: today's deal, and results that are kept and can be checked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import porto_cli
from porto_cli.cli import results
from porto_cli.cli.lobby import begin, start_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.match.match import Match
from porto_cli.players.named import choice
from porto_cli.term.prompt import CancelledError
from tests.conftest import Result
from tests.porto.asking import Scripted

Play = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOGNAME", "maria")
    return tmp_path / "home"


def ended(match: Match) -> None:
    """Look at a finished game at the keyboard, twice."""
    for _ in range(2):
        with pytest.raises(StoppedError):
            Session(match, Scripted("Stop")).run()


def test_the_deal_of_the_day_is_the_same_for_everybody(tmp_path: Path) -> None:
    begin_it = start_of("--daily", None, None, None)
    match = begin_it(Scripted())
    today = date.today().isoformat()
    assert (match.record.seed, str(match.path)) == (f"daily-{today}", f"daily-{today}.yaml")
    other = porto_cli.new_game(["Ana"], seed=match.record.seed)
    assert match.state.cards == other.state.cards
    match.play("keep 1 2 3")
    match.save()
    again = begin_it(Scripted())
    assert again.state.phase == "act"
    asker = Scripted("Stop")
    with pytest.raises(StoppedError):
        Session(again, asker).run()
    assert "Today's deal." in asker.seen[0]
    while not again.over:
        again.play(again.legal_moves()[0])
    again.save()
    asker = Scripted()
    begin_it(asker)
    vp = again.state.scores[0]
    assert f"You have played today's deal: {vp} VP. The next one comes" in asker.seen[0]


def test_the_deal_of_the_day_of_a_game_for_several_is_against_bots(tmp_path: Path) -> None:
    match = start_of("--daily", None, "puerto-rico", None)(Scripted())
    file = f"daily-{date.today().isoformat()}-puerto-rico.yaml"
    assert (str(match.path), match.people) == (file, [0])
    bots = {"Bo": "level-2", "Cy": "level-2"}
    assert [*match.bots.values()] == [*bots.values()]
    seed = match.record.seed
    other = porto_cli.new_game(["Di", *bots], game="puerto-rico", seed=seed, first="Di", bots=bots)
    for one in (match, other):
        while not one.over:
            one.play(one.legal_moves()[0], player=one.players[0])
            porto_cli.play_bots(one)
    assert match.state.players == other.state.players
    match.save()
    ended(match)
    heading, row, *_ = results.rows(results.known())
    vp = results.known()[0]["vp"]
    assert "Puerto Rico, today's deal" in str(heading)
    assert f"{vp} VP, Maria, " in str(row)


def test_a_solo_result_is_kept_once_with_its_rank_and_can_be_verified(
    porto: Play, tmp_path: Path
) -> None:
    porto("new", "solo.yaml", "Ana", "--seed", "tram", "--first-game")
    match = porto_cli.load("solo.yaml")
    while not match.over:
        match.play(match.legal_moves()[0])
    match.save()
    ended(match)
    (kept,) = results.known()
    assert (kept["player"], kept["vp"], kept["level"]) == ("Ana", match.state.scores[0], "lost")
    assert kept["digest"] == match.digest
    verified = json.loads(porto("verify", "solo.yaml", "--format", "json").out)
    assert kept["digest"] in json.dumps(verified)
    asker = Scripted("Results", "Quit")
    with pytest.raises(CancelledError):
        begin(asker, None)
    shown = next(text for text in asker.seen if "Porto, alone" in text)
    assert f"1. {kept['vp']} VP, Lost, Ana" in shown
    assert match.fingerprint in shown


def test_a_result_whose_end_is_taken_back_is_none_of_the_best() -> None:
    match = alone("tram", "solo.yaml")
    ended(match)
    assert not results.known()[0].get("undone")
    match.undo()
    match.save()
    asker = Scripted("Results", "Quit")
    with pytest.raises(CancelledError):
        begin(asker, None)
    assert not any("Porto, alone" in text for text in asker.seen)
    assert any("Not listed, as the end was taken back: 1 game" in text for text in asker.seen)


def alone(seed: str, path: str, *, last: bool = False) -> Match:
    """Return a solo game that was played to its end, with one of two ways to play."""
    match = porto_cli.new_game(["Ana"], seed=seed, private_contracts=False)
    while not match.over:
        match.play(match.legal_moves()[-last])
    match.save(path)
    return match


@pytest.mark.parametrize("is_better", [False, True])
def test_the_end_says_how_a_result_compares_with_the_best_when_a_game_was_just_finished(
    is_better: bool,
) -> None:
    games = (alone("tram", "one.yaml"), alone("tram", "other.yaml", last=True))
    first, second = sorted(games, key=lambda match: match.state.scores[0], reverse=not is_better)
    today = date.today()
    before = f"{first.state.scores[0]} VP from {today:%b} {today.day}, {today.year}"
    best = f"This is your best result alone; before, it was {before}."
    for match, says in [
        (first, "Your first result alone."),
        (second, best if is_better else f"Your best result alone is still {before}."),
    ]:
        assert says in at_the_end(match)
        assert "result alone" not in at_the_end(match), "it is only opened again"


def test_the_end_of_todays_deal_is_compared_with_deals_of_the_day_only() -> None:
    other, daily = alone("tram", "one.yaml"), alone(results.todays_seed(), "daily.yaml")
    at_the_end(other)
    says = "Your first result in the daily deal."
    assert says in at_the_end(daily)


def test_before_the_end_is_taken_back_it_is_said_that_the_result_will_not_count() -> None:
    asker = Scripted("Undo", "Stop")
    with pytest.raises(StoppedError):
        Session(alone("tram", "one.yaml"), asker).run()
    assert asker.asked_twice[0].endswith(" This game then doesn't count as a best result.")


def at_the_end(match: Match) -> str:
    """Return what is seen when a finished game is opened."""
    asker = Scripted("Stop")
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    return " ".join(asker.seen[0].split())


def test_a_game_has_one_result_and_none_of_the_best_after_its_end_was_taken_back() -> None:
    match = alone("tram", "one.yaml")
    ended(match)
    (first,) = results.known()
    for _ in range(2):
        last = match.steps[-1].moves
        match.undo("Ana")
        match.play(*last, player="Ana")
        match.save()
        assert "the end of the game was taken back" in at_the_end(match)
    (kept,) = results.known()
    assert (kept["vp"], kept["digest"]) == (first["vp"], match.digest)
    other = alone("other", "other.yaml")
    ended(other)
    shown = " ".join(str(node) for node in results.rows(results.known()))
    assert other.fingerprint in shown
    assert match.fingerprint not in shown


def test_a_copy_that_goes_on_takes_no_result_from_the_game_that_ended() -> None:
    alone("tram", "one.yaml")
    match = porto_cli.load("one.yaml")
    ended(match)
    shutil.copy("one.yaml", "r2.yaml")
    copy = porto_cli.load("r2.yaml")
    last = copy.steps[-1].moves
    copy.undo("Ana")
    results.take_back([copy.replay])
    kept = results.known()
    copy.play(*last, player="Ana")
    assert (
        results.keep(copy.replay) == "This game has ended before, in one.yaml: that result counts."
    )
    assert results.known() == kept
    assert match.fingerprint in " ".join(str(node) for node in results.rows(kept))


def test_results_of_another_setup_are_not_compared() -> None:
    keep_it = alone("tram", "one.yaml")
    results.keep(keep_it.replay)
    other = porto_cli.new_game(["Ana"], seed="tram", private_contracts=True)
    while not other.over:
        other.play(other.legal_moves()[0])
    other.save("other.yaml")
    asker = Scripted("Stop")
    with pytest.raises(StoppedError):
        Session(other, asker).run()
    assert "Your first result alone with this setup." in " ".join(asker.seen[0].split())


def test_the_result_of_a_lesson_is_no_best_result() -> None:
    match = alone("learn-40", "learn-porto.yaml")
    asker = Scripted("Stop")
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    assert "A lesson does not count among your results." in " ".join(asker.seen[0].split())
    asker = Scripted("Results", "Quit")
    with pytest.raises(CancelledError):
        begin(asker, None)
    assert not any("Porto, alone" in text for text in asker.seen)


def test_games_against_bots_count_by_their_level() -> None:
    for nth in range(2):
        match = porto_cli.new_game(
            ["Ana", "Rui"],
            seed=f"tram-{nth}",
            first="Ana",
            bots={"Rui": "level-1"},
            private_contracts=False,
        )
        while not match.over:
            porto_cli.play_bots(match)
            if not match.over:
                match.play(match.legal_moves()[-1], player="Ana")
        match.save(f"duel-{nth}.yaml")
        ended(match)
    won, vp = ([one[key] for one in results.known()] for key in ("won", "vp"))
    assert len(won) == 2
    row, *_ = results.rows(results.known())
    counted = f"Porto against 1 bot (level 1): won {sum(won)}, lost {2 - sum(won)}"
    assert f"{counted}; best result {max(vp)} VP, fingerprint " in str(row)


def test_a_win_that_was_taken_back_counts_once_it_is_won_again() -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", bots={"Rui": "random"})
    match.play("keep 1 2 3", player="Ana")
    while not match.over:
        porto_cli.play_bots(match)
        if not match.over:
            match.play(choice(match.replay, match.state, 0, len(match.steps), "greedy"))
    match.save("two.yaml")
    for takes_back, counted in ((False, 1), (True, 0), (False, 1)):
        if takes_back:
            last = match.steps[-1].moves
            match.undo("Ana")
            match.save()
        else:
            if not match.over:
                match.play(*last, player="Ana")
                porto_cli.play_bots(match)
                match.save()
            ended(match)
        asker = Scripted("Results", "Quit")
        with pytest.raises(CancelledError):
            begin(asker, None)
        assert any(
            f"Porto against 1 bot (random): won {counted}, lost 0" in text for text in asker.seen
        )


def test_a_loss_that_was_taken_back_is_no_win(home: Path) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", bots={"Rui": "random"})
    match.play("keep 1 2 3", player="Ana")

    def play_on() -> None:
        while not match.over:
            porto_cli.play_bots(match)
            if not match.over:
                match.play(choice(match.replay, match.state, 0, len(match.steps), "greedy"))
        match.save("two.yaml")
        ended(match)

    play_on()
    (first,) = results.known()
    assert first["won"]
    (home / results.FILE).write_text(json.dumps({**first, "won": False}) + "\n", "utf-8")
    match.undo("Ana")
    play_on()
    (kept,) = results.known()
    assert match.state.scores[0] > match.state.scores[1]
    assert not kept["won"]


def test_a_damaged_file_of_results_stops_nothing(home: Path) -> None:
    home.mkdir()
    lines = ['{"game": "porto"', "[]", '{"game": "chess", "vp": 3}', '{"game": 7}', "\\0", ""]
    (home / results.FILE).write_text("\n".join(lines), "utf-8")
    assert list(results.known()) == []
    (home / results.FILE).write_bytes(b"\xff\xfe")
    assert results.known() == []


def test_a_damaged_line_costs_no_other(home: Path) -> None:
    home.mkdir()
    (home / results.FILE).write_text('{"game": ["porto"]}\nnonsense\n', "utf-8")
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    while not match.over:
        match.play(match.legal_moves()[0])
    results.keep(match.replay)
    results.keep(match.replay)
    assert len(results.known()) == 1
    assert (home / results.FILE).read_text("utf-8").startswith('{"game": ["porto"]}\nnonsense\n')


@pytest.mark.parametrize("setup", ["[]", "3", "null", "{}", '"1"'])
def test_a_result_with_a_damaged_setup_costs_no_other(home: Path, setup: str) -> None:
    keep_it, other = alone("tram", "one.yaml"), alone("other", "other.yaml")
    results.keep(keep_it.replay)
    (line,) = (home / results.FILE).read_text("utf-8").splitlines()
    start, end = line.index('"setup": ') + len('"setup": '), line.index(', "seed"')
    (home / results.FILE).write_text(f"{line[:start]}{setup}{line[end:]}\n", "utf-8")
    assert results.keep(other.replay).startswith("Your first result alone.")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--learn", "--solo"], "--learn and --solo ask for different games"),
        (["friday.yaml", "--daily"], "--daily names its file itself"),
        (["--level", "9"], "Porto has no bot of level 9; it has: level 1, level 2"),
        (["--solo", "--game", "puerto-rico"], "Puerto Rico has no --solo; games that have"),
        (["there.yaml", "--solo"], "--solo starts a new game, and there is a file there.yaml"),
    ],
)
def test_what_does_not_go_together_is_refused(
    porto: Play, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    Path("there.yaml").write_text("porto: 1\n", "utf-8")
    refused = porto("play", *words)
    assert (refused.code, says in refused.err) == (2, True), refused.err


@pytest.mark.parametrize(
    ("flag", "game", "level", "players", "bots"),
    [
        ("--solo", None, None, ("Maria",), {}),
        ("--level", None, 3, ("Maria", "Rui"), {"Rui": "level-3"}),
        ("--level", "puerto-rico", 2, ("Maria", "Rui"), {"Rui": "level-2"}),
    ],
)
def test_games_begin_without_questions(
    flag: str, game: str | None, level: int | None, players: tuple[str, ...], bots: dict[str, str]
) -> None:
    asker = Scripted()
    match = start_of(flag, Path("new.yaml"), game, level)(asker)
    assert (match.players, match.bots, asker.questions) == (players, bots, [])
    assert match.path == Path("new.yaml")
