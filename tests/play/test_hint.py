"""``porto hint``, hints in ``porto play``, and what a record says about them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

import porto_cli
from porto_cli.cli import hint
from porto_cli.cli.session import Session, StoppedError
from porto_cli.cli.wording import as_said
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games import game_of
from porto_cli.games.porto import coach
from porto_cli.games.porto.players import Together
from porto_cli.games.puerto_rico.coach import PuertoRicoCoach
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.match.match import loads
from porto_cli.match.record import divide, load
from porto_cli.paper import put
from porto_cli.players import Against, Judgment, Merits, Prospect, Weighty, Worse
from porto_cli.players.hint import NOTHING, Hint, Hinted
from porto_cli.players.telling import about_equal_to, hint_rows, in_brief
from porto_cli.sealed.chain import new_sealed, read_setup
from porto_cli.seam import View
from porto_cli.term import Screen, plain
from porto_cli.term.prompt import Lines
from tests.conftest import ROOT
from tests.documents import validated
from tests.sealed_games import BYSTANDER, FILE, keys, seen_by, set_up
from tests.shares import for_each
from tests.tables import table_at

RECORD = ROOT / "records" / "porto" / "two-players.yaml"
TOLD = "# Ana has taken a hint."
HINT = Hint(
    game="porto",
    player="Ana",
    others=["Rui"],
    alone=False,
    margin=0.0,
    win=0.5,
    equal=[],
    choices=99,
    only_move=False,
    interrupted=False,
    moves=[],
)
"""A hint without its moves."""


def close(move: str, *reasons: str) -> Hinted:
    """A move in a hint that is about as good as the best one."""
    return Hinted(move, f"porto {move}", doubt=1.0, about_equal=True, reasons=reasons)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "SAMPLES", dict.fromkeys(range(1, 5), 24))


def new(porto, file: str, *args: str, kept: bool = True) -> Path:
    """Make a game of Ana and Rui, both of whom have kept their private contracts."""
    assert porto("new", file, "Ana", "Rui", "--seed", "tram", "--first", "Ana", *args).code == 0
    for name in ("Ana", "Rui") if kept else ():
        assert porto("keep", file, 1, 2, 3, "--as", name).code == 0
    return Path(file)


@pytest.fixture
def game(porto) -> Path:
    return new(porto, "game.yaml")


@pytest.fixture
def argue(monkeypatch) -> Callable[..., None]:
    """Make the coach of Porto give these reasons for a move, and say how many VP it scores."""

    def argue(
        reasons: Callable[[str], Sequence[str]], vps: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        def merits(self, view, move, advise=None) -> Merits:
            text = game_of("porto").format_move(move, view.table)
            return Merits([*reasons(text)], vps.get(text, 0))

        monkeypatch.setattr(type(coach.COACH), "merits", merits)

    return argue


# --- what it says -------------------------------------------------------------------------------


def test_it_names_the_best_moves_and_the_commands_that_play_them(porto, game: Path) -> None:
    before = game.read_text("utf-8")
    result = porto("hint", game, "--as", "Ana")
    assert result.code == 0
    assert result.err == ""
    assert result.out.startswith("Best for you, Ana: ")
    text = " ".join(result.out.split())
    assert text.count("At a glance: ") == text.count(" of games like this.") == 1
    commands = [line.split() for line in result.out.splitlines() if line.startswith("   porto ")]
    assert len(commands) == len(re.findall(r"^(?:Best for|Or ).+", result.out, re.MULTILINE)) > 1
    assert game.read_text("utf-8") == before
    for words in commands:
        assert porto(*words[1:], "--dry-run").code == 0


def test_the_same_question_has_the_same_answer(porto, game: Path) -> None:
    first = porto("hint", game, "--as", "Ana").out
    assert porto("hint", game, "--as", "An").out == first
    with game.open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    assert porto("hint", game, "--as", "Ana").out == first


def test_as_many_moves_as_are_wanted(porto, game: Path) -> None:
    for count in (1, 7):
        output = porto("hint", game, "--as", "Ana", "--moves", count, "--format", "json").out
        assert len(json.loads(output)["moves"]) == count


def test_as_a_document(porto, game: Path) -> None:
    result = validated("hint", porto("hint", game, "--as", "Ana", "--format", "json").out)
    assert (result["player"], result["only_move"], result["interrupted"]) == ("Ana", False, False)
    best, *others = result["moves"]
    assert (best["behind"], best["doubt"], best["about_equal"]) == (0, 0, False)
    assert result["equal"][0] == best["move"]
    assert (result["margin"], result["win"]) == (best["margin"], best["win"])
    for one in others:
        assert (one["move"] in result["equal"]) == (one["about_equal"] and one["behind"] < 1)
        assert one["margin"] == pytest.approx(best["margin"] - one["behind"], abs=0.11)
    assert best["reasons"][0].startswith(("It scores ", "Next turn Ana can build "))
    assert shlex.split(best["command"])[:2] == ["porto", best["move"].split()[0]]


@pytest.mark.long_for("puerto-rico")
@pytest.mark.parametrize("game_id", ["porto", "puerto-rico"])
def test_a_table_has_one_chance_to_win_in_hints_and_analyses(porto, game_id: str) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], game=game_id, seed="tram", first="Ana")
    if game_id == "porto":
        for name in ("Ana", "Rui"):
            match.play("keep 1 2 3", player=name)
    for _ in range(6):
        match.play(match.legal_moves()[0])
    match.save("game.yaml")
    (name,) = match.to_move()
    hinted = json.loads(porto("hint", "game.yaml", "--as", name, "--format", "json").out)
    options = ("--as", name, "--samples", 4, "-j", 1, "--format", "json")
    found = json.loads(porto("analyze", "game.yaml", *options).out)
    assert hinted["win"] == found["turns"][-1]["wins"][found["players"].index(name)]
    assert sum(found["turns"][-1]["wins"]) == pytest.approx(1, abs=0.002)


def test_one_move_is_recommended_and_those_about_as_good_are_named(porto, game: Path, monkeypatch):
    monkeypatch.setattr(coach, "MISJUDGED", 2.0)
    monkeypatch.setattr("porto_cli.players.hint.CLOSE", 99.0)
    match = porto_cli.load(game)
    listed = [match.text(move) for move in match.legal_moves()]
    found = json.loads(porto("hint", game, "--as", "Ana", "--format", "json").out)
    group = found["equal"]
    assert len(group) > 3
    assert group == [move for move in listed if move in group]
    assert [one["about_equal"] for one in found["moves"]] == [False, True, True]
    text = porto("hint", game, "--as", "Ana").out
    best = text.partition("\n")[0].removeprefix("Best for you, Ana: ").removesuffix(".")
    assert best == found["moves"][0]["move"]
    equal = re.findall(r"\nOr (.+): about as good\.\n", text)
    shown = [one["move"] for one in found["moves"]]
    told = " ".join(porto("hint", game, "--as", "Ana", "--plain").out.split())
    same = told.partition("About as good, for the same reasons: ")[2].partition(".")[0]
    assert {*equal, *filter(None, same.split("; "))} == {*shown[1:]}
    named = about_equal_to([move for move in group if move not in shown], said="also about as good")
    assert named[0] in told


def test_of_few_moves_it_is_told_how_far_behind_the_others_are(porto, tmp_path) -> None:
    path = tmp_path / "game.yaml"
    match = table_at("puerto-rico/two-players", 1, path)
    name, roles = match.to_move()[0], [match.text(move) for move in match.legal_moves()]
    found = json.loads(porto("hint", path, "--as", name, "--format", "json").out)
    rest = [one["move"] for one in found["rest"]]
    tried = {*rest, *found["equal"], *(one["move"] for one in found["moves"])}
    assert tried == {*roles} - {"role mayor no-colonist"}, "hardly anybody wants that"
    assert min(one["behind"] for one in found["rest"]) >= found["moves"][-1]["behind"] > 0
    one, two, *_ = [f"the {each['move'].split()[1]} ({each['behind']} VP" for each in found["rest"]]
    told = " ".join(porto("hint", path, "--as", name).out.split())
    assert f"Also tried: take {one} worse)" in told
    assert f" {two})" in told


def test_of_many_moves_the_others_are_not_told(porto, tmp_path) -> None:
    path = tmp_path / "game.yaml"
    name = table_at("porto/two-players", 23, path).to_move()[0]
    found = json.loads(porto("hint", path, "--as", name, "--format", "json").out)
    assert found["choices"] > 8
    assert not found["rest"]
    assert "Also tried" not in porto("hint", path, "--as", name).out


@pytest.mark.parametrize(
    ("margin", "win", "said"),
    [
        (-2.0, 0.3, "On course to finish about 2 VP behind Rui."),
        (-2.0, 0.69, "The game is close."),
        (0.5, 0.5, "The game is close."),
        (0.2, 0.96, "On course to win narrowly."),
        (-0.3, 0.04, "On course to lose narrowly."),
        (9.0, 0.98, "On course to finish about 9 VP ahead of Rui."),
        (-9.0, 0.0, "On course to finish about 9 VP behind Rui."),
    ],
)
def test_where_the_game_is_heading_is_said_without_a_percentage_but_in_full(margin, win, said):
    hint = HINT._replace(moves=[close("pass")], equal=["pass"], margin=margin, win=win)
    # In brief a forecast is told if it is clear.
    assert in_brief(hint) == f"Hint: pass.{f' {said}' * (not 0.1 < win < 0.75)}"
    text = " ".join(plain(line) for line in put(hint_rows(hint, with_commands=False), Screen(99)))
    share = {0.98: "98", 0.0: "under 1"}.get(win, f"{win:.0%}".removesuffix("%"))
    suppose, heading = "At a glance", f"{said[0].lower()}{said[1:-1]}"
    assert f"{suppose}: {heading}. You win {share}% of games like this." in text


RISK = Against("Risk: Rui could draw red-3.")
OTHERS = [
    ([["It fits.", "It is red.", "It leaves 3."]], ["It fits.", "It is red."]),
    ([["It fits."]], ["It fits."]),
    (
        [["It is red.", RISK], ["It is red.", "It ends.", RISK]],
        ["It is red.", "It ends.", "The risk is the same."],
    ),
    ([["It is red.", "It ends.", RISK]], ["It is red.", RISK]),
    ([[RISK, Against("Risk: Rui could build.")]], [RISK]),
]


@for_each(("reasons", "last"), OTHERS)
def test_of_another_move_is_told_what_it_brings_and_what_differs_a_risk_of_several_once(
    reasons, last
) -> None:
    """The main reasons for and against it; a risk of several only once."""
    one = close("draw red-1", "It fits.", "It leaves 3.")
    moves = [one, *(close(f"draw red-{nth}", *why) for nth, why in enumerate(reasons))]
    hint = HINT._replace(moves=moves, equal=[each.move for each in moves])
    text = [plain(line).strip() for line in put(hint_rows(hint, with_commands=False), Screen(99))]
    said = f"Or {moves[-1].move}: about as good."
    assert text[text.index(said) : -2] == [said, " ".join(last)]


def test_a_draw_is_compared_with_the_build_that_scores_most(tmp_path, monkeypatch) -> None:
    """Also in brief, and also where it is among the moves shown."""
    match = table_at("porto/three-players", 23, tmp_path / "game.yaml")
    for shown, misjudged in ((1, 0.0), (8, 0.0), (8, 99.0)):
        monkeypatch.setattr(coach, "MISJUDGED", misjudged)
        found = hint.taken(match, match.players.index("Inês"), count=shown).hint
        purpose, *rest = found.moves[0].reasons
        first = "After building 2 purple floors on L5 for 11 VP"
        assert re.fullmatch(rf"{first}, Inês can also build [^.]+ for \d+ VP\.", purpose)
        brief = in_brief(found)
        assert brief.index(purpose.replace("Inês", "you")) < brief.index("Scoring 8 VP now (")
        compared = [one for one in rest if one.startswith("Scoring 8 VP now")]
        far = r"is perhaps \d+\.\d VP worse" if misjudged else r"is \d+\.\d VP worse on average"
        why = r"as it brings about \d+ VP less later"
        assert re.fullmatch(rf"Scoring 8 VP now \(build .+\) {far}, {why}\.", compared[0])


def test_moves_for_the_same_reasons_are_shown_only_if_there_are_no_others(
    game: Path, argue, monkeypatch
) -> None:
    monkeypatch.setattr("porto_cli.players.hint.FAR", 99.0)
    argue(lambda move: [f"It takes {len(move.split()) - 1}."])
    every = hint.taken(porto_cli.load(game), 0, count=8).hint.moves
    moves = hint.taken(porto_cli.load(game), 0, count=2).hint.moves
    (other,) = (one for one in moves[1:])
    assert moves[0] == every[0]
    assert other == next(one for one in every if one.reasons != every[0].reasons)


@pytest.mark.parametrize(("more", "is_said"), [(1, False), (2, True)])
def test_a_build_is_compared_with_one_that_scores_clearly_more(
    more, is_said, porto, game: Path, argue
) -> None:
    """Or it is recommended itself, if trials find it as good; what the hint brings comes first."""
    match = porto_cli.load(game)
    best, near, *rest = hint.taken(match, 0, count=20).hint.moves
    other = next(one for one in rest if one.behind > 1).move
    assert near.behind < 1
    argue(lambda move: ["Good."], {best.move: 5, near.move: 6})
    assert hint.taken(match, 0).best == near.move
    argue(lambda move: ["Good."], {best.move: 5, other: 5 + more})
    reasons = hint.taken(match, 0).hint.moves[0].reasons
    told = [one.startswith(f"Scoring {5 + more} VP now ({other}) is ") for one in reasons]
    assert any(told[:2]) == any(told) == is_said


@pytest.mark.parametrize(
    ("vp", "behind", "lower", "follows"),
    [
        (0, 3.0, 2.9, []),
        (0, 3.0, 1.0, ["Rui then scores about 2.0 VP more."]),
        (4, 3.0, 2.9, ["It brings about 7 VP less later."]),
        (1, 5.0, 3.5, ["It brings about 4 VP less later, and Rui then scores about 1.5 VP more."]),
        (4, 0.2, 0.1, ["Over the game that is worth about as much."]),
        (-4, 0.2, None, ["Over the game that is worth about as much."]),
        (-1, 0.2, None, []),
        (4, 3.0, None, []),
    ],
)
def test_of_another_move_it_is_told_what_follows_where_that_is_what_makes_the_difference(
    vp, behind, lower, follows, game: Path, argue, monkeypatch
) -> None:
    match = porto_cli.load(game)
    best, other = match.legal_moves()[:2]

    def judge(self, view: View, rng: Random, **how: object) -> list[Judgment]:
        prospect = Prospect(0.0, 0.5)
        first = Judgment(best, prospect, 0.0, 0.1, 1.0, 0.0)
        return [first, Judgment(other, prospect, behind, 0.1, 1.0, lower)]

    monkeypatch.setattr(coach.PortoCoach, "judge", judge)
    vps = {match.text(best): 4, match.text(other): 4 + vp}
    argue(lambda move: [f"Good: {move}."], vps)
    monkeypatch.setattr(coach.PortoCoach, "near", 0.0)
    moves = hint.taken(match, 0).hint.moves
    assert [one.move for one in moves] == [*vps]
    assert moves[1].reasons[1:] == follows


def test_where_no_card_lies_face_up_building_is_not_compared_with_drawing(porto) -> None:
    match = porto_cli.new_game(["Ana", "Rui", "Zoe", "Eva"], seed="tram", first="Ana")
    while not (moves := [*map(match.text, match.legal_moves())])[0].startswith("build"):
        match.play(moves[0], player=match.to_move()[0])
    match.save("game.yaml")
    (name,) = match.to_move()
    output = porto("hint", "game.yaml", "--as", name, "--moves", 20, "--plain").out
    assert "It scores " in output
    assert "Drawing" not in output


@pytest.mark.long
def test_in_whole_sentences_and_in_60_columns(porto, game: Path, monkeypatch) -> None:
    plain = porto("hint", game, "--as", "Ana", "--plain").out
    assert all(line[-1] in ".:" or "porto " in line for line in plain.splitlines())
    assert "about as good" in plain.lower()
    assert "To play it: porto " in plain
    monkeypatch.setenv("COLUMNS", "60")
    result = porto("hint", game, "--as", "Ana").out.splitlines()
    assert max(len(line) for line in result if " porto " not in line) <= 60
    color = porto("hint", game, "--as", "Ana", "--color", "always").out
    assert "\x1b[" in color


@for_each("is_brief", [True, False])
def test_moves_about_as_good_are_named_in_the_same_words_in_play_and_as_a_command(is_brief) -> None:
    """In play all of them on one line, in the full hint those that it does not show."""
    many = ["pass", *(f"draw red-{nth}" for nth in range(5))]
    hint = HINT._replace(moves=[*map(close, many[:3])])

    def told(equal: list[str]) -> str:
        found = hint._replace(equal=equal)
        lines = put(hint_rows(found), Screen(400))
        return in_brief(found) if is_brief else "".join(map(plain, lines))

    names = "red-0, red-1, red-2, red-3 or red-4" if is_brief else "red-2, red-3 or red-4"
    also = "About" if is_brief else "Also about"
    assert f"{also} as good: draw {names}." in told(many)
    assert not is_brief or "About as good: draw red-0." in told(many[:2])


NEAR = [
    (["draw red-3", "draw blue-3", "pass"], "draw red-3 or blue-3; pass"),
    (
        ["build red-2 blue-1 L5 token L6", "build red-2 blue-1 R4 token L6"],
        "build red-2 blue-1 L5 token L6; build red-2 blue-1 R4 token L6",
    ),
    (
        ["take a quarry", "take no tile", "take a corn plantation"],
        "take a quarry or a corn plantation; take no tile",
    ),
    (
        ["build nothing", "build the hospice", "build the harbor"],
        "build nothing; build the hospice or the harbor",
    ),
    (["o" * 99, "x" * 40], f"{'o' * 99}; and 1 other move"),
]


@for_each(("close", "said"), NEAR)
def test_of_moves_about_as_good_it_is_said_once_what_differs(close, said) -> None:
    assert about_equal_to(close) == [f"About as good: {said}."]


def test_what_does_not_speak_for_a_move_is_said_last_and_in_brief_not_at_all(
    porto, game: Path, argue
) -> None:
    said = [Against("It leaves red-3 to Rui.")]
    argue(lambda move: said)
    found = hint.taken(porto_cli.load(game), 0, count=8)
    assert found.hint.moves[0].reasons[:2] == [NOTHING, *said]
    assert NOTHING in found.in_brief()
    assert said[0] not in found.in_brief()


TO_YOU = [
    ("Ana will probably get 1 corn.", "You will probably get 1 corn."),
    ("Ana gets 2 VP now. After that Ana can build.", "You get 2 VP now. After that you can build."),
    ("No build. Ana's mill can use more.", "No build. Your mill can use more."),
    (
        "It is for a mill: Ana's mill can use no more.",
        "It is for a mill: your mill can use no more.",
    ),
    (
        "Ana has room for 2. Mariana will get 1 corn.",
        "You have room for 2. Mariana will get 1 corn.",
    ),
]


@for_each(("reason", "said"), TO_YOU)
def test_a_hint_says_you_to_who_asks(reason, said) -> None:
    """The document keeps the name."""
    assert in_brief(HINT._replace(moves=[close("pass", reason)])).startswith(f"Hint: pass. {said}")


@for_each(("name", "reason"), [("It", "It produces corn."), ("A", "A colonist adds 4 VP.")])
def test_a_name_that_is_a_common_word_is_not_taken_for_the_player(name, reason) -> None:
    assert reason in in_brief(HINT._replace(player=name, moves=[close("pass", reason)]))


def test_in_brief_only_what_weighs_much_is_told_against_a_move() -> None:
    reasons = ("It scores 9 VP now.", Against("It makes less."), Weighty("Risk: it may be lost."))
    told = in_brief(HINT._replace(moves=[close("pass", *reasons)]))
    assert "It scores 9 VP now. Risk: it may be lost." in told
    assert "It makes less" not in told


def test_in_brief_it_is_said_once_that_little_depends_on_a_move() -> None:
    moves = [close(one, NOTHING) for one in ("a", "b", "c")]
    told = in_brief(HINT._replace(moves=moves, equal=["a", "b", "c"], choices=3))
    assert told.startswith("Hint: a. It hardly matters here: all choices do about as well.")
    assert NOTHING not in told


@pytest.mark.parametrize("confidence", [99.0, 0.0])
def test_a_hint_follows_a_list_that_is_close_or_says_how_far_its_first_is_behind(
    confidence, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("porto_cli.players.CONFIDENCE", confidence)
    monkeypatch.setattr("porto_cli.players.hint.CLOSE", confidence)
    for record, items in (("solo-won", 8), ("solo-lost", 7)):
        match = table_at(f"porto/{record}", items, tmp_path / "game.yaml")
        first = game_of("porto").words.options(match.state, 0, asking=True)[0]
        moves = hint.taken(match, 0, count=20).hint.moves
        assert first.estimate == 0
        (listed,) = [one for one in moves if one.move == first.move]
        far = f"{listed.behind} VP worse on average"
        told = f"Looking further ahead, what the list puts first ({' '.join(first.says)}) is {far}."
        compared = [one for one in moves[0].reasons if " list puts " in one]
        assert listed.behind > 0
        assert (moves[0] == listed) == bool(confidence)
        assert compared == ([] if confidence else [told])


def test_of_moves_that_are_close_one_that_looks_worse_is_neither_advised_nor_named(
    porto, game: Path, monkeypatch, argue
) -> None:
    """Unless all others are behind, or look so as well. What trials say stays as it is."""
    asked = ("hint", game, "--as", "Ana", "--format", "json", "--moves", 8)
    monkeypatch.setattr(coach, "MISJUDGED", 99.0)
    judged = json.loads(porto(*asked).out)["moves"]
    close = {one["move"] for one in judged if one["behind"] < 1}
    moves = [one["move"] for one in judged]
    assert judged[1]["behind"] < 1 < judged[2]["behind"]
    bad = {moves[0]}

    argue(lambda move: ["It fits.", *[Worse("All others fit better.")] * (move in bad)])
    found = json.loads(porto(*asked).out)
    assert {*found["equal"]} == close - bad
    assert [one["move"] for one in found["moves"]] == [moves[1], moves[0], *moves[2:]]
    of_trials = {one["move"]: (one["behind"], one["margin"]) for one in judged}
    assert {one["move"]: (one["behind"], one["margin"]) for one in found["moves"]} == of_trials
    assert [one["about_equal"] for one in found["moves"]] == [False, *[True] * 7][: len(moves)]
    # It is the last to be shown.
    said = porto(*asked[:4], "--moves", 2).out
    assert f"Or {moves[2]}: perhaps {judged[2]['behind']} VP worse." in said
    still = "Even so, no other move does better on average."
    for bad in ({*moves[:2]}, {*moves}):
        found = json.loads(porto(*asked).out)
        assert [one["move"] for one in found["moves"]] == moves
        assert {*found["equal"]} == ({moves[0]} if len(bad) == 2 else close)
        few = json.loads(porto(*asked[:-1], 2).out)
        assert few["moves"][0]["move"] == moves[0], "what is recommended is shown in any case"
        assert found["moves"][0]["reasons"][1:] == [f"All others fit better. {still}"]
        equal = "" if len(bad) == 2 else f" About as good: {moves[1]}."
        brief = hint.taken(porto_cli.load(game), 0, count=8).in_brief()
        assert f"It fits. All others fit better. {still}{equal}" in brief


def test_an_analysis_names_as_about_as_good_what_a_hint_names(
    porto, game: Path, monkeypatch, argue
) -> None:
    """Also where the move itself is one that a hint would not name."""
    monkeypatch.setattr(coach, "MISJUDGED", 99.0)
    match = porto_cli.load(game)
    made, other, *_ = [match.text(move) for move in match.legal_moves()]

    why = {made: [Worse("It is of no use.")], other: []}
    argue(lambda move: why.get(move, ["It fits."]))
    match.play(made)
    match.save(game)
    options = ("--as", "Ana", "--samples", 40, "-j", 1)
    turn = json.loads(porto("analyze", game, *options, "--format", "json").out)["turns"][-1]
    assert (turn["move"], turn["lost"], turn["better"]) == (made, 0.0, None)
    assert turn["equal"]
    assert not {made, other} & {*turn["equal"]}
    told = " ".join(porto("analyze", game, *options, "--all", "--plain").out.split())
    assert f"Ana: {made}. No move is clearly better." in told


def test_buildings_that_make_nothing_yet_are_worth_their_vp(tmp_path) -> None:
    """Trials cannot tell them from doing nothing, but go by them all the same."""
    for items, best in ((119, "build sugar-mill"), (164, "build small-indigo-plant")):
        match = table_at("puerto-rico/two-players", items, tmp_path / "game.yaml")
        found = hint.taken(match, match.state.seat, count=8).hint
        moves, behind = zip(*((one.move, one.behind) for one in found.moves), strict=True)
        assert moves[0] == best
        assert [*behind] == sorted(behind)
        assert behind.count(0.0) == 1
        assert "build small-indigo-plant" in found.equal
        assert {"pass", *found.equal} <= {*moves}
        assert all(one.about_equal for one in found.moves[1:])
        for one in found.moves:
            assert one.margin == pytest.approx(found.margin - one.behind, abs=0.11)


def test_a_placement_is_told_by_the_colonists_who_are_new_or_move(tmp_path) -> None:
    match = table_at("puerto-rico/two-players", 114, tmp_path / "game.yaml")
    says = as_said(match, match.game.words.options(match.state, match.state.seat, asking=True))
    placed = "indigo sugar tobacco 2 quarry 2 small-sugar-mill indigo-plant 3 tobacco-storage 2"
    best = f"place corn {placed} sugar-mill 3 small-market"
    new = "put your new colonists on the corn plantation and a sugar mill circle"
    assert says(best) == new
    moved = says(best.replace("small-market", "university"))
    assert moved == f"{new}, and move a colonist from the small market to the university"
    filled = "corn university coffee-roaster 2 tobacco-storage 3 sugar-mill 1"
    far = says(f"place indigo sugar tobacco 2 small-sugar-mill indigo-plant 3 {filled}")
    left = "2 quarry tiles, 2 sugar mill circles and the small market"
    assert far == f"put colonists on everything except {left}"
    few = "put colonists on the corn plantation and 2 quarry tiles"
    assert says("place corn 1 quarry 2") == few
    assert says("place corn") == "put a colonist on the corn plantation"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("corn indigo university", "a colonist on the university instead of a quarry tile"),
        ("tobacco 2 indigo", "colonists on 2 tobacco plantations instead of the corn"),
        ("corn quarry 2", "a colonist on a quarry tile instead of the indigo plantation"),
    ],
)
def test_a_placement_like_the_best_one_is_told_by_what_differs(tmp_path, other: str, said: str):
    match = table_at("puerto-rico/two-players", 114, tmp_path / "game.yaml")
    says = as_said(match, match.game.words.options(match.state, match.state.seat, asking=True))
    assert says(f"place {other}", "place corn indigo quarry").startswith(f"with {said}")
    full = "put colonists on the university, the small market, 2 tobacco plantations"
    far = says("place university small-market tobacco 2", "place corn indigo quarry sugar")
    assert far.replace(" and ", ", ") == full


R3 = "purple-1 blue-1 R3 token R4"


@pytest.mark.parametrize(
    ("turn", "move", "best", "said"),
    [
        (4, R3, "", "build 1 blue floor on R3 using purple-1 and blue-1 with its token on R4"),
        (4, R3, "purple-1 blue-1 R3 token L3", "with its token on R4"),
        (4, R3, "blue-1 purple-1 R3 token R4", "build 1 blue floor on R3 using purple-1"),
        (23, "blue-2 green-1 L5", "green-2 green-1 L5", "using blue-2 and green-1"),
    ],
)
def test_a_build_is_told_in_words_or_by_what_differs_from_the_best_one(
    tmp_path, turn: int, move: str, best: str, said: str
) -> None:
    match = table_at("porto/two-players", turn, tmp_path / "game.yaml")
    says = as_said(match, match.game.words.options(match.state, match.state.seat, asking=True))
    assert says(f"build {move}", f"build {best}" if best else "").startswith(said)


def test_in_play_a_hint_says_a_move_as_the_menu_does() -> None:
    match = porto_cli.new_game(["Ana", "Rui", "Bea"], game="puerto-rico", seed="x", first="Ana")

    def says() -> Callable[[str], str]:
        return as_said(match, match.game.words.options(match.state, 0, asking=True))

    assert says()("role builder") == "take the builder"
    match.play("role builder")
    assert says()("pass") == "build nothing"
    assert says()("build small-market") == "build the small market for free"
    close = ["build the small indigo plant", "build the hospice"]
    said = "About as good: build the small indigo plant or the hospice."
    assert about_equal_to(close) == [said]


def test_a_hint_in_brief_begins_with_what_the_move_brings_even_if_another_brings_the_same() -> None:
    """Details in parentheses are only in the full hint."""
    reasons = ["It scores 16 VP now (floors 4).", "The other cards allow a build.", "More."]
    best = close("build red-2 yellow-2 R4", *reasons)
    text = in_brief(HINT._replace(moves=[best, best]))
    told = "It scores 16 VP now. The other cards allow a build."
    assert text == f"Hint: build red-2 yellow-2 R4. {told}"


def test_private_contracts_to_keep(porto) -> None:
    game = new(porto, "game.yaml", kept=False)
    output = porto("hint", game, "--as", "Rui").out
    dealt = _private(game, 1)
    for one in json.loads(porto("hint", game, "--as", "Rui", "--format", "json").out)["moves"]:
        keep, *places = one["move"].split()
        (said,) = (why for why in one["reasons"] if why.startswith("In other games "))
        assert keep == "keep"
        assert {dealt[int(place) - 1] for place in places} == {
            *re.findall(r"VP for ([a-z+-]+)", said)
        }
    assert output.count("give or take") == output.count("too close to call")
    assert "--as Rui" in output


def test_a_move_without_a_choice_is_called_so(porto, game: Path, monkeypatch) -> None:
    match = porto_cli.load(game)
    monkeypatch.setattr(type(match.game), "count_moves", lambda *_: 1)
    assert "The only move for you, Ana: " in porto("hint", game, "--as", "Ana", "--moves", 1).out
    assert ". It is the only move." in hint.taken(match, 0).in_brief()


def test_secrets_of_others_make_no_difference_and_are_not_printed(porto, game: Path) -> None:
    text = game.read_text("utf-8")
    changed = text.replace("Rui: keep 1 2 3", "Rui: keep 3 4 5")
    assert changed != text
    theirs = {name for name in _private(game, 1) if name not in _private(game, 0)}
    output = [porto("hint", "-", "--as", "Ana", stdin=one).out for one in (text, changed)]
    # Random numbers follow from the record, so that the estimates differ, and nothing else.
    assert not theirs & set(" ".join(output).split())


def _private(game: Path, seat: int) -> list[str]:
    table = porto_cli.load(game).observe(seat)
    return [name for player in table["players"] for name in player["private"] or ()]


def test_alone_the_margin_is_above_a_win(porto) -> None:
    porto("new", "solo.yaml", "Ana", "--seed", "tram")
    assert porto("keep", "solo.yaml", 1, 2, 3).code == 0
    output = " ".join(porto("hint", "solo.yaml").out.split())
    assert re.search(r"on course (to miss the goal by|for|to win by) about \d+ VP", output)


def test_alone_the_next_rank_is_the_aim_once_a_win_is_safe(porto, tmp_path: Path) -> None:
    table_at("porto/solo-won", 9, tmp_path / "solo.yaml").save(tmp_path / "solo.yaml")
    output = " ".join(porto("hint", tmp_path / "solo.yaml").out.split())
    said = r"on course for about 6\d VP in all, rank Apprentice \(next: Builder at 70\)"
    assert re.search(said, output)
    assert "chance" not in output


# --- what it refuses ----------------------------------------------------------------------------


def test_who_asks_has_to_be_said_where_there_are_secrets(porto, game: Path, monkeypatch) -> None:
    result = porto("hint", game)
    assert result.code == 2
    assert "porto hint game.yaml --as Ana" in result.err
    monkeypatch.setenv("PORTO_PLAYER", "Ana")
    assert porto("hint", game).code == 0
    monkeypatch.setenv("PORTO_PLAYER", "Rui")
    assert porto("hint", game).code == 1
    open_game = new(porto, "open.yaml", "--first-game", kept=False)
    assert porto("hint", open_game).code == 1
    monkeypatch.setenv("PORTO_PLAYER", "")
    assert "Best for you, Ana" in porto("hint", open_game).out


def test_against_programs_there_is_only_one_who_can_ask(porto) -> None:
    assert porto("new", "game.yaml", "Ana", "--bot", "Rui 1", "--first", "Ana").code == 0
    assert "Best for you, Ana" in porto("hint", "game.yaml").out


def test_asking_out_of_turn_names_who_is_to_move(porto, game: Path) -> None:
    result = porto("hint", game, "--as", "Rui")
    assert (result.code, result.out) == (1, "")
    assert "It is Ana's turn, not Rui's." in result.err


def test_after_the_end_there_is_nothing_to_choose(porto) -> None:
    result = porto("hint", RECORD, "--as", "Joana")
    assert result.code == 1
    assert "The game is over" in result.err


def test_a_game_without_a_coach(porto, game: Path, monkeypatch) -> None:
    monkeypatch.setattr(hint, "coach_of", lambda game: None)
    result = porto("hint", game, "--as", "Ana")
    assert (result.code, result.out) == (2, "")
    assert "There are no hints for Porto yet." in result.err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "3601"])
def test_a_time_to_think_that_cannot_be(porto, game: Path, seconds: str) -> None:
    assert porto("hint", game, "--as", "Ana", "--think", seconds).code == 2


@pytest.mark.long
def test_it_thinks_for_the_time_given(porto, game: Path) -> None:
    assert porto("hint", game, "--as", "Ana", "--think", "0.1").code == 0


@pytest.mark.parametrize(("tried", "shown"), [(0, False), (30, True)])
def test_ctrl_c_tells_what_is_known_so_far(
    porto, game: Path, monkeypatch, tried: int, shown: bool
) -> None:
    tries = iter(range(1000))
    really = Together.play_on

    def play_on(self, table, seed):
        if next(tries) == tried:
            raise KeyboardInterrupt
        return really(self, table, seed)

    monkeypatch.setattr(coach, "SAMPLES", {2: 10_000})
    monkeypatch.setattr(Together, "play_on", play_on)
    result = porto("hint", game, "--as", "Ana")
    assert result.code == 130
    assert ("Best for you, Ana" in result.out) == ("It was stopped" in result.out) == shown


# --- what was agreed on -------------------------------------------------------------------------


def test_a_noted_hint_is_one_of_who_has_taken_the_seat(porto) -> None:
    game = new(porto, "game.yaml", "--hints", "told")
    assert porto("seat", game, "Ana", "--to", "Eva").code == 0
    assert "The record notes that Eva has taken a hint." in porto("hint", game, "--as", "Eva").out
    assert game.read_text("utf-8").endswith("# Eva has taken a hint.\n")


def test_a_noted_hint_stands_where_the_next_turn_will(porto) -> None:
    game = new(porto, "game.yaml", "--hints", "told")
    assert "hints: told\n" in game.read_text("utf-8")
    digest = porto_cli.load(game).digest
    before = game.read_text("utf-8")
    result = porto("hint", game, "--as", "Ana")
    assert "The record notes that Ana has taken a hint." in result.out
    assert game.read_text("utf-8") == f"{before}{TOLD}\n"
    assert porto_cli.load(game).digest == digest
    again = porto("hint", game, "--as", "Ana", "--format", "json")
    assert not json.loads(again.out)["noted"]
    assert game.read_text("utf-8").count(TOLD) == 1
    assert porto(*json.loads(again.out)["moves"][0]["command"].split()[1:]).code == 0
    lines = game.read_text("utf-8").splitlines()
    assert lines[lines.index(TOLD) + 1].startswith("- Ana: ")


def test_it_is_told_in_the_middle_of_a_turn_and_with_the_ends_of_lines_of_the_file(porto) -> None:
    lines = RECORD.read_text("utf-8").split("\n")
    place = next(nth for nth, line in enumerate(lines) if line.startswith("  contract:"))
    text = "\r\n".join([*lines[:place], ""]).replace("setup:", "hints: told\r\nsetup:", 1)
    Path("game.yaml").write_bytes(text.encode())
    match = porto_cli.load("game.yaml")
    assert match.state.phase == "contracts"
    name = match.to_move()[0]
    assert porto("hint", "game.yaml", "--as", name).code == 0
    written = Path("game.yaml").read_bytes().decode()
    assert written == f"{text}# {name} has taken a hint.\r\n"
    result = json.loads(porto("hint", "game.yaml", "--as", name, "--format", "json").out)
    assert porto(*result["moves"][0]["command"].split()[1:]).code == 0


def test_through_a_pipe_the_record_comes_first(porto) -> None:
    text = new(porto, "game.yaml", "--hints", "told").read_text("utf-8")
    result = porto("hint", "-", "--as", "Ana", stdin=text)
    assert result.out == f"{text}{TOLD}\n"
    assert "At a glance: on course to finish" in " ".join(result.err.split())
    again = porto("hint", "-", "--as", "Ana", stdin=result.out)
    assert again.out == result.out
    free = text.replace("hints: told\n", "")
    plain = porto("hint", "-", "--as", "Ana", "--plain", stdin=free).out
    assert "At a glance: on course to finish" in plain


def test_without_a_place_to_tell_it_there_is_no_hint(porto) -> None:
    game = new(porto, "game.yaml", "--hints", "told")
    game.chmod(0o444)
    result = porto("hint", game, "--as", "Ana")
    assert result.code == 4
    assert "On course" not in result.out + result.err


def test_a_noted_hint_that_cannot_be_printed(porto, monkeypatch) -> None:
    game = new(porto, "game.yaml", "--hints", "told")

    def full(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hint, "write_report", full)
    result = porto("hint", game, "--as", "Ana")
    assert result.code == 5
    assert "The record notes that Ana has taken a hint." in result.err


def test_without_any_the_reason_is_given(porto) -> None:
    game = new(porto, "game.yaml", "--hints", "none")
    result = porto("hint", game, "--as", "Ana")
    assert (result.code, result.out) == (1, "")
    assert "hints: none" in result.err


def test_the_key_is_read_strictly_and_part_of_the_digest(porto, game: Path) -> None:
    text = game.read_text("utf-8")
    digests = {porto_cli.load(game).digest}
    for word in ("told", "none"):
        match = loads(text.replace("setup:", f"hints: {word}\nsetup:"))
        assert match.record.hints == word
        digests.add(match.digest)
    assert len(digests) == 3
    for word in ("free", "yes", "[told]", ""):
        with pytest.raises(InvalidFileError, match="hints"):
            loads(text.replace("setup:", f"hints: {word}\nsetup:"))


@pytest.mark.long
def test_in_a_sealed_game_it_stands_before_the_machine_part() -> None:
    match = seen_by(set_up(2, which="hints", hints="told"), "Ana")
    match.play("keep 1 2 3", player="Ana")
    assert hint.note(match, 0)
    match.read_back()
    people, machine = divide(match.record.text)
    assert people.endswith(f"\n{TOLD}\n")
    assert machine.startswith("seals: |")
    again = loads(match.record.text, FILE, keys("Ana"))
    again.play("draw " + again.text(again.legal_moves()[0]).split()[1])
    assert loads(again.record.text, FILE, BYSTANDER).digest == again.digest
    with pytest.raises(InvalidFileError):
        loads(match.record.text.replace("hints: told\n", ""), FILE, BYSTANDER)


@pytest.mark.long
def test_in_a_sealed_game_it_is_agreed_on_from_the_first_station_on() -> None:
    game = game_of("porto")
    config = game.new_config(("Ana", "Rui"))
    begun = new_sealed(game, config, keys("Ana"), first=0, name=FILE, hints="none")
    text = begun.record.text
    assert "hints: none\n" in text
    read = read_setup(load(text, FILE), keys("Rui"))
    assert read.record.hints == "none"
    with pytest.raises(InvalidFileError):
        read_setup(load(text.replace("hints: none\n", ""), FILE), keys("Rui"))


# --- in porto play ------------------------------------------------------------------------------


def played(match, monkeypatch, capsys, *typed: str) -> str:
    """Return what ``porto play`` prints line by line, as somebody types."""
    answers = iter(typed)
    monkeypatch.setattr("builtins.input", lambda hint: next(answers))
    result = hint.about_hints(match.replay)
    session = Session(match, Lines(lambda rules, width: ([], [[(str(result), "")]], [])), seat=0)
    with pytest.raises((StoppedError, StopIteration)):
        session.run()
    return capsys.readouterr().out


def test_after_a_hint_the_next_list_begins_with_what_it_named(
    monkeypatch, capsys, tmp_path
) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], game="puerto-rico", seed="x", first="Ana")
    match.save(tmp_path / "game.yaml")

    def judged(self, view: View, *given: object, **how: object) -> list[Judgment]:
        legal = {match.game.format_move(one): one for one in legal_moves(view.table)}
        best = legal.get("role settler") or legal["take quarry"]
        return [Judgment(best, Prospect(0.0, 0.5), 0.0, 0.0)]

    monkeypatch.setattr(PuertoRicoCoach, "judge", judged)
    shown = played(match, monkeypatch, capsys, "!", "h")
    _, _, after = shown.partition("You can take a quarry.")
    first = after.partition("which tile will you take?")[2].strip().splitlines()[0]
    assert "quarry" in first


def test_a_hint_is_among_what_there_is_to_do(porto, monkeypatch, capsys) -> None:
    game = new(porto, "game.yaml", "--hints", "told")
    shown = played(porto_cli.load(game), monkeypatch, capsys, "??", "99")
    letter = next(line.split()[0] for line in shown.splitlines() if "Hint: which" in line)
    assert "The record notes who took one." in shown
    for not_sure in ("", "n", "b"):
        result = played(porto_cli.load(game), monkeypatch, capsys, letter, not_sure)
        assert "Take a hint? The record will show that you took one." in result
        assert TOLD not in game.read_text("utf-8")
    result = played(porto_cli.load(game), monkeypatch, capsys, letter, "y")
    assert "Best for you, Ana" in result
    assert "of games like this." in " ".join(result.split())
    assert game.read_text("utf-8").endswith(f"{TOLD}\n")


def test_after_a_hint_enter_plays_its_move(porto, game: Path, monkeypatch, capsys) -> None:
    """All of it at once; before, nothing is played."""
    before = game.read_text("utf-8")
    best = json.loads(porto("hint", game, "--as", "Ana", "--format", "json").out)["moves"][0]
    shown = played(porto_cli.load(game), monkeypatch, capsys, "!")
    assert f"Best for you, Ana: {best['move']}." in shown
    assert f"Take the hint: {best['move']}" in shown
    assert game.read_text("utf-8") == before
    played(porto_cli.load(game), monkeypatch, capsys, "!", "h")
    (step,) = porto_cli.load(game).replay.steps[len(loads(before).replay.steps) :]
    assert step.entries[0][1] == best["move"]


def test_a_hint_that_is_taken_fulfills_the_contracts_that_it_counts(tmp_path, monkeypatch, capsys):
    match = table_at("porto/solo-won", 20, tmp_path / "game.yaml")
    shown = played(match, monkeypatch, capsys, "!", "")
    assert "contract 1-green-floor" in shown.partition("Take the hint: build blue-1 green-1 R2")[0]
    step = porto_cli.load(tmp_path / "game.yaml").replay.steps[-1]
    assert [move for _, move in step.entries][:2] == ["build blue-1 green-1 R2", "1-green-floor"]


def test_where_there_are_none_none_is_offered(porto, monkeypatch, capsys) -> None:
    game = new(porto, "game.yaml", "--hints", "none")
    shown = played(porto_cli.load(game), monkeypatch, capsys, "??", "99")
    assert "Hint:" not in shown
    assert "There are no hints in this game" in shown
