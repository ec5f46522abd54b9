"""What a picture says, and where it says it: read as a player reads it, at the command line."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from porto_cli.match.match import load
from porto_cli.match.replay import after_turn
from porto_cli.pages import above as above_question
from porto_cli.term import Screen, plain
from tests.conftest import ROOT
from tests.drawn import drawn, pictures
from tests.shares import one_in

RECORDS = sorted((ROOT / "records").glob("*/*.yaml"))
TURNS = (0, 2, 5, 9, 14, 20, 27, 35, 50)
EDGE = 1
"""How far a line may reach over the edge of a picture."""
BACKDROP = "far"
"""The coast behind the town goes on beyond the edge."""


def shown(porto: Any, *words: object) -> str:
    done = porto("show", *words)
    assert (done.code, done.err) == (0, "")
    return str(done.out)


def demand_inside(text: str, where: object) -> int:
    """Require that all of a picture, or of those of a page, is in it; return how much that is."""
    seen = 0
    page = pictures(text)
    for picture in page:
        if not picture.get("viewBox"):
            assert {one.tag for one in picture} <= {"defs", "style"}
            continue
        left, top, width, height = map(float, picture.get("viewBox", "").split())
        for one in drawn(picture, page):
            if one.shape.get("class") == BACKDROP:
                continue
            thing = (where, one.words, one.shape.attrib, one.shape.text, one.box)
            assert one.box.left >= left - EDGE, thing
            assert one.box.top >= top - EDGE, thing
            assert one.box.right <= left + width + EDGE, thing
            assert one.box.bottom <= top + height + EDGE, thing
            seen += 1
    return seen


@pytest.mark.long_for("real-table1-svg", "real-table1-html", "first-game-html", "solo-won-svg")
@pytest.mark.parametrize("look", ["svg", "html"])
@pytest.mark.parametrize("record", one_in(5, RECORDS), ids=lambda path: path.stem)
def test_all_that_is_drawn_lies_inside_of_the_picture(porto: Any, record: Any, look: str) -> None:
    seen = demand_inside(shown(porto, record, "--format", look), "the end")
    for turn in TURNS:
        done = porto("show", record, "--turn", turn, "--format", look)
        if done.code == 2:
            # The game was shorter.
            break
        seen += demand_inside(done.out, turn)
    assert seen > 500


@pytest.mark.parametrize("look", ["svg", "html"])
def test_the_cards_that_the_timer_has_turned_up_are_in_the_picture(porto: Any, look: str) -> None:
    for seed in ("tram", "ribeira", "foz"):
        Path("g.yaml").unlink(missing_ok=True)
        porto("new", "g.yaml", "Ana", "--seed", seed)
        porto("keep", "g.yaml", "1", "2", "3")
        card = porto("moves", "g.yaml").out.split()[3]
        assert porto("draw", "g.yaml", card).code == 0
        turned = json.loads(porto("show", "g.yaml", "--format", "json").out)["turned"]
        assert len(turned) == 2
        text = shown(porto, "g.yaml", "--format", look)
        demand_inside(text, seed)
        page = pictures(text)
        words = [one.words[-1] for each in page for one in drawn(each, page) if one.words]
        assert {f"build {card}" for card in turned} <= {*words}


# -- The private contracts that Porto lets a player choose from.


def contracts_to_keep(text: str) -> dict[str, str]:
    """What a picture writes on each private contract, by the number of the move that keeps it."""
    found: dict[str, list[str]] = {}
    page = pictures(text)
    for picture in page:
        for one in drawn(picture, page):
            if one.shape.tag == "text" and one.words and one.words[-1].startswith("keep "):
                found.setdefault(one.words[-1], []).append((one.shape.text or "").strip())
    return {move.split()[1]: " ".join(words) for move, words in found.items()}


@pytest.mark.long_for("tram-reply", "ribeira-svg", "ribeira-reply")
@pytest.mark.parametrize("look", ["svg", "reply"])
@pytest.mark.parametrize("seed", ["tram", "ribeira"])
def test_the_numbers_of_the_contracts_are_those_that_keep_takes(
    porto: Any, seed: str, look: str
) -> None:
    """P-SETUP-5: each contract is written with the number, and it is that contract."""
    porto("new", "g.yaml", "Ana", "Bea", "--seed", seed, "--first", "Ana")
    text = porto("show", "g.yaml", "--as", "Ana", "--format", look).out
    written = contracts_to_keep(text)
    assert [*written] == ["1", "2", "3", "4", "5"]
    for number, words in written.items():
        assert words.split()[0] == number
    what = {number: words.removeprefix(number).strip() for number, words in written.items()}
    assert len(set(what.values())) == 5
    begun = Path("g.yaml").read_text(encoding="utf-8")
    for kept in combinations(written, 3):
        Path("g.yaml").write_text(begun, encoding="utf-8")
        assert porto("keep", "g.yaml", *kept, "--as", "Ana").code == 0
        (picture,) = pictures(shown(porto, "g.yaml", "--as", "Ana", "--format", "svg"))
        said = " ".join((one.text or "").strip() for one in picture.iter("text"))
        for number, words in what.items():
            assert (words in said) is (number in kept), (kept, number, words)


# -- What moves of Puerto Rico name.


@pytest.mark.long_for("record0")
@pytest.mark.parametrize("record", sorted((ROOT / "records" / "puerto-rico").glob("*.yaml"))[2:4])
def test_roles_and_tiles_are_named_by_the_words_that_take_them(porto: Any, record: Any) -> None:
    """Each role that can be taken is a card with its name, each tile lies in the row."""
    checked = 0
    for turn in TURNS[:6]:
        cut = after_turn(load(record).replay, turn)
        legal = {
            cut.game.format_move(move, cut.state)
            for move in cut.game.legal_moves(cut.state)
            if cut.game.format_move(move, cut.state).split()[0] in ("role", "take")
        }
        (picture,) = pictures(shown(porto, record, "--turn", turn, "--format", "svg"))
        things = list(drawn(picture))
        for move in legal:
            if len(move.split()) > 2:
                continue
            named = [one for one in things if one.words and one.words[-1] == move]
            assert named, (turn, move)
            if move.startswith("role "):
                words = {(one.shape.text or "").strip() for one in named}
                assert move.split()[1] in words, (turn, move)
            checked += 1
    assert checked > 10


# -- The table above a question, in fewer and fewer rows.


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_the_other_players_are_shown_where_there_is_room(game: str) -> None:
    """Even where the whole table does not fit; and the fewer rows, the less is shown, but that from
    24 on some are kept for what happened.
    """
    record = {"porto": "three-players", "puerto-rico": "four-players-draft"}[game]
    cut = after_turn(load(ROOT / "records" / game / f"{record}.yaml").replay, 40)
    seat = cut.game.to_move(cut.state)[0]
    others = [name for nth, name in enumerate(cut.config.players) if nth != seat]
    above = above_question(cut, seat, seat)
    heights = []
    for most in range(60, 0, -1):
        found = [plain(line) for line in above.lines(Screen(80), most)]
        heights.append(len(found))
        assert len(found) <= most
    assert all(some == sorted(some, reverse=True) for some in (heights[:-23], heights[-23:]))
    whole = "\n".join(plain(line) for line in above.lines(Screen(80), 60))
    assert all(name in whole for name in others), whole
