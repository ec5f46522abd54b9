"""The rulings: every id that a message cites can be looked up, with the numbers of the engine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.ruling import Ruling, Rulings
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.components import HOUSES, PRIVATE_KINDS, PUBLIC
from porto_cli.games.porto.engine.scoring import LEVELS, SOLO_WIN
from porto_cli.games.porto.engine.state import ROOFS_TO_END, TIMERS, Config
from porto_cli.games.porto.notation import PUBLIC_NAMES
from porto_cli.installed import game_of_ruling, ruling, rulings_of, shipped_folder
from porto_cli.match.undo import R_UNDO
from porto_cli.scenario import load_scenario, run

PACKAGE = Path(porto_cli.__file__).parent
EDITION = shipped(DEFAULT)
BOOK = rulings_of("porto")
RULINGS = BOOK.all()
ID = re.compile(r"\b(?:P-[A-Z]+-[A-Z0-9]+|R-[A-Z]+)\b")
FAMILIES = ["SETUP", "DRAW", "PASS", "BUILD", "TOKEN", "ROOF"]
FAMILIES += ["SCORE", "PUBLIC", "END", "RANK", "PRIV", "SOLO"]


def table(players: int) -> Config:
    return Config(EDITION, tuple("ABCD"[:players]), timer=TIMERS[0] if players == 1 else 0)


# -- the data


def test_every_id_in_the_program_has_a_ruling():
    cited = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in ID.findall(path.read_text("utf-8"))
    }
    assert len({name for _, name in cited}) > 30
    plain = Rulings(PACKAGE / "rulings_plain.toml").all()
    known = {one.id for one in (*RULINGS, *plain)}
    assert not [where for where in sorted(cited) if where[1] not in known]


def test_every_id_in_a_ruling_has_a_ruling():
    for one in RULINGS:
        for name in ID.findall(one.text + one.note):
            assert ruling(name)


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
    assert ruling("p-build-2") is ruling("P-BUILD-2")
    assert ruling("r-undo").id == R_UNDO


def test_an_id_says_which_game_it_is_from():
    assert game_of_ruling("p-build") == "porto"
    assert [game_of_ruling(word) for word in ("R-UNDO", "P", "token", "")] == [None] * 4


def test_an_unknown_game_is_wrong_usage(porto):
    answer = porto("rules", "--game", "chess")
    assert (answer.code, answer.out) == (2, "")
    assert "There is no game 'chess'. The games are: porto" in answer.err
    assert porto("rules", "--game", "Porto").out == porto("rules").out


@pytest.mark.parametrize("unknown", ["", "P-", "P-BUILD", "P-BUILD-6", "BUILD-2"])
def test_an_unknown_id_is_a_key_error(unknown):
    with pytest.raises(KeyError):
        ruling(unknown)


def test_a_typo_is_answered_with_ids_that_are_near():
    assert BOOK.near("p-bild-2")[0] == "P-BUILD-2"
    assert BOOK.near("TOKEN-1")[0] == "P-TOKEN-1"
    assert BOOK.near("potato") == []


def test_only_what_cannot_happen_is_said_not_to_happen():
    """A game in records/ has the forced pass."""
    assert "happens with the default edition too" in ruling("P-PASS-1").note
    for one in RULINGS:
        assert "does not happen" not in one.note


@pytest.mark.parametrize(
    ("rule", "books"),
    [
        ("P-TOKEN-2", "Each of the three rulebooks"),
        ("P-RANK-2", "The Korean one contradicts itself"),
        ("P-PUBLIC-1", "The German rulebook has one word for both (Etage)"),
    ],
)
def test_a_note_says_what_each_rulebook_has(rule, books):
    assert books in ruling(rule).note


# -- the numbers are those of the engine


def card(beginning: str) -> dict[str, str]:
    """Return the lines of a section of the reference card."""
    (lines,) = (one.lines for one in BOOK.card() if one.title.startswith(beginning))
    return dict(lines)


@pytest.mark.parametrize("kind", PRIVATE_KINDS)
def test_private_contracts_name_their_vp(kind):
    scale = [str(vp) for vp in EDITION.private[kind]]
    text = ruling(f"P-PRIV-{kind}").text
    if len(scale) == 1:
        assert text.startswith(f"{scale[0]} VP if")
    elif len(scale) == 2:
        assert f"One is worth {scale[0]} VP, two are worth {scale[1]} VP" in text
    else:
        assert f"worth {scale[0]}, {scale[1]} or {scale[2]} VP" in text
    assert card("Private")[kind].endswith(f": {'/'.join(scale)} VP.")
    assert "completed" in card("Private")[kind].lower()


def test_the_houses_left_out_are_those_of_the_engine():
    text = ruling("P-SETUP-1").text

    def absent(players: int) -> list[str]:
        return [name for house, name in enumerate(HOUSES) if house not in table(players).houses]

    assert absent(4) == []
    assert f"Three players leave out {' and '.join(absent(3))};" in text
    *most, last = absent(2)
    assert absent(1) == absent(2)
    assert f"two players, and the solo game, leave out {', '.join(most)} and {last}." in text


def test_the_ends_are_those_of_the_engine():
    text = ruling("P-PRIV-ENDS").text
    for players, words in ((4, "four players"), (3, "three"), (2, "two and in the solo game")):
        ends = [HOUSES[end] for side in table(players).sides for end in (side[0], side[-1])]
        assert f"{', '.join(ends)} with {words}" in text


def test_the_end_is_triggered_as_in_the_engine():
    text = ruling("P-END-1").text
    for players, word in ((2, "two players"), (3, "three"), (4, "four")):
        assert f"{ROOFS_TO_END[players]}th" in text
        assert re.search(rf"{ROOFS_TO_END[players]}th (roof )?with {word}", text)


def test_the_solo_game_has_the_numbers_of_the_engine():
    setup, end = ruling("P-SOLO-1").text, ruling("P-SOLO-6").text
    for timer in TIMERS:
        assert str(timer) in setup
        assert str(timer // 2) in setup
    assert f"{SOLO_WIN} VP or more you have won" in end
    for vp, name in LEVELS:
        assert re.search(rf"{name.replace('-', ' ')} from {vp}", end, re.IGNORECASE)


def test_the_box_has_the_numbers_of_the_edition():
    tokens = ruling("P-SETUP-2").text
    for value, word in ((1, "five of 1"), (2, "four of 2"), (3, "three of 3"), (4, "two of 4")):
        assert word in tokens
        assert ["", "", "two", "three", "four", "five"][EDITION.tokens.count(value)] in word
    tiles = ruling("P-BUILD-3").text
    assert f"{EDITION.ground_floors} ground floors" in tiles
    assert f"{EDITION.upper_floors} upper floors" in tiles


def test_the_card_names_every_kind_of_public_contract_with_its_vp():
    lines = card("Public")
    kinds = set()
    for name, text in lines.items():
        if name != "Exactly":
            contract = PUBLIC[PUBLIC_NAMES.index(name)]
            kinds.add((contract.kind, contract.floors, len(set(contract.colors))))
            assert text.endswith(f": {EDITION.public[contract.family]} VP.")
    assert kinds == {
        (contract.kind, contract.floors, len(set(contract.colors))) for contract in PUBLIC
    }


def test_the_heights_and_cards_on_the_card_are_those_of_the_edition():
    heights = [str(height) for height in EDITION.heights]
    inferred = card("Not printed")
    left, right = " ".join(heights[:7]), " ".join(heights[7:])
    assert inferred["Heights"] == f"L1-L7: {left}. R1-R7: {right}."
    assert f"L {left} and R {right}" in ruling("P-SETUP-1").note
    words = ["", "", "two", "three", "four"]
    assert EDITION.cards_per_value == (4, 4, 2)
    ones, twos, threes = (words[count] for count in EDITION.cards_per_value)
    for text in (inferred["Cards"], ruling("P-SETUP-3").note):
        assert f"f each color {ones} 1s, {twos} 2s and {threes} 3s" in text


def test_the_card_has_the_solo_game_with_its_levels():
    solo = card("The solo game")
    for timer in TIMERS:
        assert str(timer) in solo["Setup"]
        assert str(timer // 2) in solo["Setup"]
    assert "the value of the first card, then the sum of both" in solo["Timer"]
    assert f"{SOLO_WIN} VP or more" in solo["Win"]
    for vp, name in LEVELS:
        assert re.search(rf"{vp}\b.* {name.replace('-', ' ')}", solo["Win"], re.IGNORECASE)


def test_the_card_says_what_the_game_is_about():
    assert "most VP" in card("The aim")["Win"]
    assert "lockwise" in card("The aim")["Turns"]


def test_the_turn_worked_out_on_the_card_is_a_case_of_the_casebook():
    file = shipped_folder() / "porto" / "06-scoring" / "05-the-turn-on-the-reference-card.yaml"
    case = load_scenario(file).cases[0]
    assert run(case).differences == ()
    build, contract = (move.text for move in case.moves)
    turn = card("One turn")
    assert turn["Build"].endswith(f": {build}.")
    for name in contract.split()[1:]:
        assert name in turn["Table"]
    assert turn["Scores"].endswith("12 VP.")
    assert "total: 12" in file.read_text("utf-8")


# -- the command


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_the_card_fits_the_screen(columns, porto, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    card = porto("rules")
    assert (card.code, card.err) == (0, "")
    assert max(map(len, card.out.splitlines())) <= min(columns, 80)
    assert "porto rules all" in " ".join(card.out.split())
    assert "\x1b" not in card.out


@pytest.mark.parametrize("columns", [60, 80])
def test_all_lists_the_titles_of_all_rulings(columns, porto, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    listed = porto("rules", "all").out
    assert max(map(len, listed.splitlines())) <= columns
    flowing = " ".join(listed.split())
    assert all(f"{one.id} {one.title}" in flowing for one in RULINGS)


def test_an_id_gives_its_ruling(porto):
    one = ruling("P-TOKEN-2")
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


@pytest.mark.parametrize("words", [["roof", "space"], ["space roof"], ["SPACES", "roofs"]])
def test_all_words_are_looked_for_in_any_order(words, porto):
    about, mentions = porto("rules", *words).out.split("Mentioned in\n")
    assert headings(about) == ["P-TOKEN-2"]
    assert "  P-TOKEN-1 " in mentions
    assert "P-SCORE-1 " not in mentions


def headings(shown: str) -> list[str]:
    return re.findall(r"^[PR]-\S+", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("adjacent", "P-BUILD-5"),
        ("adjacent floors score", "P-SCORE-2"),
        ("Immediately adjacent houses?", None),
        ("roof tile", "P-ROOF-1"),
        ("Winner", "P-RANK-1"),
        ("building complete", "P-ROOF-1"),
        ("score marker", "P-SCORE-1"),
        ("extremities", "P-PRIV-ENDS"),
        ("draw deck runs out", "P-DRAW-3"),
        ("discard pile", "P-DRAW-3"),
        ("tiebreaker", "P-RANK-1"),
        ("final round", "P-END-1"),
        ("Clérigos tower", "P-SETUP-4"),
        ("leftmost houses", "P-SETUP-1"),
        ("newbies", "P-SETUP-6"),
        ("colour of the neighbour", "P-BUILD-5"),
        ("fulfilled", "P-PUBLIC-2"),
        ("may I pass", "P-PASS-1"),
        ("who wins?", "P-RANK-1"),
        ("P-BUILD colors", "P-BUILD-5"),
    ],
)
def test_the_words_of_players_and_rulebooks_find_rulings(words, rule, porto):
    about, mentions = BOOK.search(words)
    if rule is not None:
        assert ruling(rule) in [*about, *mentions]
        assert porto("rules", *words.split()).code == 0
    assert len(about) + len(mentions) < len(RULINGS) / 2


def test_a_building_is_a_house_and_to_build_is_not():
    about, _ = BOOK.search("buildings")
    assert ruling("P-PRIV-HOUSES") in about
    about, _ = BOOK.search("build")
    assert all("build" in f"{one.id} {one.title}".lower() for one in about)


@pytest.mark.long
def test_what_a_synonym_stands_for_is_in_a_ruling():
    """A synonym that leads nowhere is a mistake of spelling."""
    for phrase, others in BOOK.synonyms().items():
        for other in others:
            about, mentions = BOOK.search(other)
            assert about + mentions, f"{phrase}: {other}"


@pytest.mark.parametrize("word", ["P-BILD-2", "P-BUILD-9"])
def test_an_unknown_id_is_wrong_usage_with_suggestions(word, porto):
    answer = porto("rules", word)
    assert (answer.code, answer.out) == (2, "")
    assert f"Nothing is called {word!r} here; did you mean P-BUILD-" in answer.err
    assert "\n  porto rules P-BUILD-" in answer.err


def test_an_unknown_word_is_wrong_usage(porto):
    answer = porto("rules", "potato")
    assert (answer.code, answer.out) == (2, "")
    assert "'potato'" in answer.err
    assert "porto rules" in answer.err


@pytest.mark.parametrize("nothing", ["", "?", " - "])
def test_nothing_to_look_for_is_wrong_usage(nothing, porto):
    answer = porto("rules", nothing)
    assert (answer.code, answer.out) == (2, "")


def test_json_gives_the_same_rulings(porto):
    everything = json.loads(porto("rules", "--format", "json").out)
    assert [Ruling(**one) for one in everything["rulings"]] == list(RULINGS)
    one = json.loads(porto("rules", "--format", "json", "P-RANK-2").out)
    assert [found["id"] for found in one["rulings"]] == ["P-RANK-2"]
