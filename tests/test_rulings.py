"""The rulings: every id that a message cites can be looked up, with the numbers of the engine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli import rulings
from porto_cli.editions import DEFAULT, shipped
from porto_cli.replay import R_UNDO
from porto_cli.rules.components import HOUSES, PRIVATE_KINDS
from porto_cli.rules.ranking import LEVELS
from porto_cli.rules.state import ROOFS_TO_END, TIMERS, Game
from porto_cli.rules.turn import SOLO_WIN

PACKAGE = Path(porto_cli.__file__).parent
EDITION = shipped(DEFAULT)
RULINGS = rulings.all_rulings()
ID = re.compile(r"\b(?:P-[A-Z]+-[A-Z0-9]+|R-[A-Z]+)\b")
FAMILIES = ["SETUP", "DRAW", "PASS", "BUILD", "TOKEN", "ROOF"]
FAMILIES += ["SCORE", "PUBLIC", "END", "RANK", "PRIV", "SOLO"]


def table(players: int) -> Game:
    return Game(EDITION, tuple("ABCD"[:players]), timer=TIMERS[0] if players == 1 else 0)


# -- the data


def test_every_id_in_the_program_has_a_ruling():
    cited = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in ID.findall(path.read_text("utf-8"))
    }
    assert len({name for _, name in cited}) > 30
    known = {one.id for one in RULINGS}
    assert not [where for where in sorted(cited) if where[1] not in known]


def test_every_id_in_a_ruling_has_a_ruling():
    for one in RULINGS:
        for name in ID.findall(one.text + one.note):
            assert rulings.ruling(name)


def test_the_rulings_follow_the_order_of_the_rules():
    families = [one.id.split("-")[1] for one in RULINGS]
    assert list(dict.fromkeys(families)) == [*FAMILIES, "UNDO"]
    for family in FAMILIES:
        numbers = [
            one.id.rpartition("-")[2] for one in RULINGS if one.id.startswith(f"P-{family}-")
        ]
        if family != "PRIV":
            assert numbers == [str(nth) for nth in range(1, len(numbers) + 1)]


def test_undo_is_the_only_ruling_that_is_not_about_the_game():
    assert [one.id for one in RULINGS if not one.id.startswith("P-")] == [R_UNDO]


@pytest.mark.parametrize("one", RULINGS, ids=lambda one: one.id)
def test_a_ruling_can_be_read(one):
    assert re.fullmatch(r"\S.{5,41}", one.title)
    assert not one.title.endswith(".")
    for text in filter(None, (one.text, one.note)):
        assert text.endswith(".")
        assert text.isascii()
        assert text.isprintable()
        assert "  " not in text
    assert 1 <= len(re.findall(r"[.:](?: |$)", one.text)) <= 8
    assert "silent" not in one.text
    assert not re.search(r"neighbour|colour|fulfil(?!l)", one.title + one.text + one.note)


def test_a_ruling_is_found_in_any_case():
    assert rulings.ruling("p-build-2") is rulings.ruling("P-BUILD-2")
    assert rulings.ruling("r-undo").id == R_UNDO


@pytest.mark.parametrize("unknown", ["", "P-", "P-BUILD", "P-BUILD-6", "BUILD-2"])
def test_an_unknown_id_is_a_key_error(unknown):
    with pytest.raises(KeyError):
        rulings.ruling(unknown)


def test_a_typo_is_answered_with_ids_that_are_near():
    assert rulings.near("p-bild-2")[0] == "P-BUILD-2"
    assert rulings.near("TOKEN-1")[0] == "P-TOKEN-1"
    assert rulings.near("potato") == []


# -- the numbers are those of the engine


@pytest.mark.parametrize("kind", PRIVATE_KINDS)
def test_private_contracts_name_their_vp(kind):
    scale = [str(vp) for vp in EDITION.private[kind]]
    text = rulings.ruling(f"P-PRIV-{kind}").text
    if len(scale) == 1:
        assert text.startswith(f"{scale[0]} VP if")
    elif len(scale) == 2:
        assert f"One is worth {scale[0]} VP, two are worth {scale[1]} VP" in text
    else:
        assert f"worth {scale[0]}, {scale[1]} or {scale[2]} VP" in text
    card = dict(next(one.lines for one in rulings.reference_card() if kind in dict(one.lines)))
    assert card[kind].endswith(f"{'/'.join(scale)} VP.")


def test_the_houses_left_out_are_those_of_the_engine():
    text = rulings.ruling("P-SETUP-1").text

    def absent(players: int) -> list[str]:
        return [name for house, name in enumerate(HOUSES) if house not in table(players).houses]

    assert absent(4) == []
    assert f"Three players leave out {' and '.join(absent(3))};" in text
    *most, last = absent(2)
    assert absent(1) == absent(2)
    assert f"two players, and the solo game, leave out {', '.join(most)} and {last}." in text


def test_the_ends_are_those_of_the_engine():
    text = rulings.ruling("P-PRIV-ENDS").text
    for players, words in ((4, "four players"), (3, "three"), (2, "two and in the solo game")):
        ends = [HOUSES[end] for side in table(players).sides for end in (side[0], side[-1])]
        assert f"{', '.join(ends)} with {words}" in text


def test_the_end_is_triggered_as_in_the_engine():
    text = rulings.ruling("P-END-1").text
    for players, word in ((2, "two players"), (3, "three"), (4, "four")):
        assert f"{ROOFS_TO_END[players]}th" in text
        assert re.search(rf"{ROOFS_TO_END[players]}th (roof )?with {word}", text)


def test_the_solo_game_has_the_numbers_of_the_engine():
    setup, end = rulings.ruling("P-SOLO-1").text, rulings.ruling("P-SOLO-6").text
    for timer in TIMERS:
        assert str(timer) in setup
        assert str(timer // 2) in setup
    assert f"{SOLO_WIN} VP or more have won" in end
    for vp, name in LEVELS:
        assert re.search(rf"{name.replace('-', ' ')} from {vp}", end, re.IGNORECASE)


def test_the_box_has_the_numbers_of_the_edition():
    tokens = rulings.ruling("P-SETUP-2").text
    for value, word in ((1, "five of 1"), (2, "four of 2"), (3, "three of 3"), (4, "two of 4")):
        assert word in tokens
        assert ["", "", "two", "three", "four", "five"][EDITION.tokens.count(value)] in word
    tiles = rulings.ruling("P-BUILD-3").text
    assert f"{EDITION.ground_floors} ground floors" in tiles
    assert f"{EDITION.upper_floors} upper floors" in tiles


# -- the command


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_the_card_fits_the_screen(columns, porto, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    card = porto("rules")
    assert (card.code, card.err) == (0, "")
    assert max(map(len, card.out.splitlines())) <= min(columns, 80)
    assert all(f"  {one.id} " in card.out and one.title in card.out for one in RULINGS)
    assert "\x1b" not in card.out


def test_an_id_gives_its_ruling(porto):
    one = rulings.ruling("P-TOKEN-2")
    answer = porto("rules", "p-token-2")
    assert answer.code == 0
    assert answer.out.startswith(f"{one.id}  {one.title}\n")
    assert " ".join(answer.out.split()).endswith(f"{one.text} Note: {one.note}")


def test_several_ids_give_all_of_them(porto):
    answer = porto("rules", "P-BUILD-2", "P-BUILD-5")
    assert "P-BUILD-2  " in answer.out
    assert "P-BUILD-5  " in answer.out
    assert "Mentioned" not in answer.out


def test_part_of_an_id_gives_the_family(porto):
    headings = re.findall(r"^P-\S+", porto("rules", "p-build").out, re.MULTILINE)
    assert headings == [f"P-BUILD-{nth}" for nth in range(1, 6)]


def test_a_word_is_looked_for_in_titles_first(porto):
    answer = porto("rules", "tokens")
    assert answer.code == 0
    about, mentions = answer.out.split("Mentioned in\n")
    assert "P-TOKEN-1  A ground floor's" in about
    assert "  P-ROOF-1 " in mentions


def test_words_are_looked_for_together(porto):
    about, mentions = porto("rules", "roof", "space").out.split("Mentioned in\n")
    assert about.startswith("P-TOKEN-2  No roof space is empty")
    assert "  P-TOKEN-1 " in mentions


@pytest.mark.parametrize("word", ["P-BILD-2", "P-BUILD-9"])
def test_an_unknown_id_is_wrong_usage_with_suggestions(word, porto):
    answer = porto("rules", word)
    assert (answer.code, answer.out) == (2, "")
    assert f"There is no ruling {word!r}; did you mean P-BUILD-" in answer.err


def test_an_unknown_word_is_wrong_usage(porto):
    answer = porto("rules", "potato")
    assert (answer.code, answer.out) == (2, "")
    assert "'potato'" in answer.err
    assert "porto rules" in answer.err


def test_json_gives_the_same_rulings(porto):
    everything = json.loads(porto("rules", "--format", "json").out)
    assert [rulings.Ruling(**one) for one in everything["rulings"]] == list(RULINGS)
    one = json.loads(porto("rules", "--format", "json", "P-RANK-2").out)
    assert [found["id"] for found in one["rulings"]] == ["P-RANK-2"]
