"""At one keyboard: what stands above the questions, what is new, and whole games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porto_cli
from porto_cli.cli.session import Session
from porto_cli.games.puerto_rico.engine.state import PHASES
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.ui.chance_prompts import AskedChance
from porto_cli.games.puerto_rico.ui.news import news_for
from porto_cli.match.match import Match
from porto_cli.term.screen import Screen
from porto_cli.term.spans import cells, plain
from tests.porto.asking import Scripted
from tests.puerto_rico.asking import Answers
from tests.puerto_rico.matches import decisions, new, stopped
from tests.shares import one_in


def told(match: Match, reader: int) -> list[str]:
    return [str(one) for news in news_for(match.replay, reader) for one in news.full]


def after(*moves: str) -> Match:
    match = new(3)
    for move in moves:
        match.play(move)
    return match


def test_news_are_what_happened_since_the_own_decision() -> None:
    match = after("role settler", "take quarry", "take corn", "take sugar")
    assert told(match, 1) == [
        "Afonso takes a plantation of sugar.",
        "New face-up plantations: 2 corn, 1 indigo and 1 coffee.",
    ]
    assert told(match, 0)[0] == "Joana takes a plantation of corn."
    assert told(match, 2) == ["New face-up plantations: 2 corn, 1 indigo and 1 coffee."]


def test_what_went_by_itself_is_told_to_who_set_it_off() -> None:
    """PR-AUTO-1: nobody has a choice where the colonists go."""
    match = after("role mayor")
    assert "Joana places colonists: indigo." in told(match, 0)
    match.undo()
    assert told(match, 1) == ["Inês takes back the last move."]


def test_others_are_not_told_whose_vp_grow() -> None:
    for match in decisions(new(3, "ponce")):
        if match.state.phase == "captain" and match.replay.steps[-1].before.phase == "captain":
            mover = match.replay.steps[-1].seat
            others = [told(match, seat) for seat in range(3) if seat != mover]
            assert not any("VP" in one for news in others for one in news[-1:])


@pytest.mark.parametrize("size", one_in(2, [(60, 20), (100, 30), (80, 25), (160, 50)]))
def test_the_table_above_a_question_fits(size: tuple[int, int]) -> None:
    """In every phase the player to move, with what is in hand, is seen."""
    width, height = size
    rows, most = height - 2 - 7, height - 2 - 5
    phases = set()
    for number, match in enumerate(decisions(new(4, buildings="random"))):
        if number % 5:
            continue
        seat = match.state.seat
        above = PUERTO_RICO.ui.above(match.replay, seat, seat)
        shown = [plain(line) for line in above.lines(Screen(width), rows, most)]
        assert len(shown) <= most
        assert all(cells(line) <= width for line in shown)
        if not match.over and size != (60, 20):
            assert any(match.players[seat] in line and "doubloon" in line for line in shown)
        assert [str(sentence) for sentence in above.sentences()]
        phases.add(match.state.phase)
    assert phases <= set(PHASES)
    assert len(phases) >= 6


def test_the_smallest_screen_shows_what_the_decision_is_about() -> None:
    match = stopped("captain")
    seat = match.state.seat
    shown = [
        plain(line)
        for line in PUERTO_RICO.ui.above(match.replay, seat, seat).lines(Screen(60), 4, 6)
    ]
    assert any("Ships" in line for line in shown)
    assert any(match.players[seat] in line for line in shown)


class Anything:
    """Answers whatever is offered, but does not stop, look around or take back for ever."""

    def __init__(self, seed: str) -> None:
        self.luck = random.Random(seed)
        self.undone = 0

    def __call__(self, asker: Scripted, question: str, labels: list[str]) -> object:
        asker.seen.clear()
        if "where do your colonists go" in question or "small wharf take" in question:
            return None
        some = [one for one in labels if not one.startswith(("(", "Look", "Type", "Stop"))]
        if self.undone > 5:
            some = [one for one in some if not one.startswith("Take back")] or some
        answer = self.luck.choice(some)
        self.undone += answer.startswith("Take back")
        return answer


@pytest.mark.parametrize(
    ("players", "buildings"),
    [
        pytest.param(2, "draft", marks=pytest.mark.slow),
        pytest.param(3, "base", marks=pytest.mark.slow),
        pytest.param(5, "random", marks=pytest.mark.slow),
    ],
)
def test_a_game_is_played_to_its_end(
    players: int, buildings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = new(players, buildings=buildings)
    match.save("g.yaml")
    session = Session(porto_cli.load("g.yaml"), Answers(then=Anything("play")))
    session.run()
    assert porto_cli.load("g.yaml").over


def test_a_real_table_asks_what_comes_up() -> None:
    match = porto_cli.new_game(
        ["A", "B"], game="puerto-rico", setup=new(2).replay.record.deal, first="A"
    )
    for move in ("role settler", "take quarry"):
        match.play(move)
    asker = Answers("coffee", "corn", "indigo")
    match.play("take sugar", came_up=AskedChance(asker))
    assert "tiles: corn indigo coffee" in match.record.text
    assert asker.questions[-1].startswith("Which plantation came up? Number 3")
