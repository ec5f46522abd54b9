"""How sound decisions are is measured on positions that are rebuilt, by games that are repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import judgment
from porto_cli.games import game_of


def few(path: Path, game: str) -> judgment.Data:
    """Return a decision of each kind and part, of games of two that score at once what they can."""
    head = {"game": game, "player": "level-1", "by": "level-1", "seed": "few"}
    data = judgment.Data(path, head)
    judgment.sample(data, 1, [2], 2, "few")
    return data


@pytest.mark.long_for("puerto-rico")
@pytest.mark.parametrize("game", ["puerto-rico", "porto"])
def test_decisions_are_rebuilt_and_played_on_with_common_luck(tmp_path: Path, game: str) -> None:
    data = few(tmp_path / "few.jsonl.gz", game)
    data.save()
    data = judgment.read(data.path)
    late = next(one for one in data.decisions if one["part"] == 2)
    state = data.position(late)
    assert state.seat == late["seat"]
    assert len(game_of(game).legal_moves(state, state.seat, 200)) > 1

    judgment.ask(data, late, ["level-1"])
    assert late["choices"]["level-1"] in late["margins"]
    legal = game_of(game).legal_moves(state, state.seat, 200)
    for move in legal[:2]:
        late["margins"].setdefault(game_of(game).format_move(move, state), [])
    again = {**late, "margins": {text: [] for text in late["margins"]}, "wins": {}}
    judgment.play(data, late, judgment.BATCH)
    judgment.play(data, again, 2 * judgment.BATCH)
    for text, own in late["margins"].items():
        assert len(own) == 1
        assert again["margins"][text][:1] == own
        assert 0 <= late["wins"][text] <= judgment.BATCH
    data.decisions = [again]
    assert f"| {late['kind']} | level-1 | 1 |" in "\n".join(judgment.table(data, ["level-1"]))


def test_a_decision_has_the_same_luck_in_a_joined_file(tmp_path: Path) -> None:
    data = few(tmp_path / "few.jsonl", "puerto-rico")
    one = data.decisions[0]
    joined = judgment.Data(tmp_path / "joined.jsonl", data.head, *data.games, *data.games)
    moved = {**one, "of": one["of"] + len(data.games)}
    assert joined.rng(moved, "play").random() == data.rng(one, "play").random()
    assert data.rng(one, "play").random() != data.rng(one, "coach").random()


@pytest.mark.long
def test_more_decisions_are_added_to_those_that_there_are(tmp_path: Path) -> None:
    data = few(tmp_path / "few.jsonl", "puerto-rico")
    before, games = list(data.decisions), list(data.games)
    judgment.sample(data, 1, [3], 1, "more")
    assert data.games[: len(games)] == games
    assert set(map(str, before)) < set(map(str, data.decisions))
    for one in data.decisions:
        assert data.position(one).seat == one["seat"]


def test_the_best_move_is_chosen_by_other_games_than_those_that_value_it() -> None:
    margins = {"right": [2.0] * 4, "wrong": [1.0] * 4, "lucky": [0.0, 0.0, 9.0, 0.0]}
    fair, by_maximum = judgment.losses(margins, "right")
    assert by_maximum == pytest.approx(0.25)
    assert fair == pytest.approx((-2 - 2 + 0 - 2) / 4)
    assert judgment.losses({**margins, "lucky": [0.0]}, "wrong") == (1.0, 1.0)


def test_what_the_coach_says_is_compared_with_whole_games() -> None:
    decision = {
        "choices": {"coach": "a"},
        "coach": {"a": [0.0, 0.0, 0.5], "b": [3.0, 0.3, 0.4]},
        "margins": {"a": [5.0, 5.0], "b": [3.0, 5.0]},
    }
    [(said, truly, noise)] = judgment.coach_pairs(decision)
    assert (said, truly) == (3.0, 1.0)
    assert noise == pytest.approx(0.3**2 + 1.0**2)
