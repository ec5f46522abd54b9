"""The rulings of every game: every id that a message cites can be looked up, with the numbers of
the engine; and the things that can be looked up, and the card.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli.cli import rules
from porto_cli.games import BOX, game_of
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine import HOUSES, PRIVATE_KINDS, PUBLIC, PUBLIC_NAMES
from porto_cli.games.porto.engine.scoring import LEVELS, SOLO_WIN
from porto_cli.games.porto.engine.state import ROOFS_TO_END, TIMERS
from porto_cli.games.porto.engine.state import Config as Porto
from porto_cli.games.puerto_rico.engine import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    SALE_PRICES,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.effects import CLOISTER_VP, RESIDENCE_VP
from porto_cli.games.puerto_rico.engine.goods import FACTORY_EARNS
from porto_cli.games.puerto_rico.engine.play import PLACES_OF_COST
from porto_cli.games.puerto_rico.engine.state import BOXES
from porto_cli.games.puerto_rico.engine.state import Config as PuertoRico
from porto_cli.games.puerto_rico.phrases import effects, things
from porto_cli.installed import Ruling, Rulings, game_of_ruling, ruling, rulings_of, shipped_folder
from porto_cli.match.items import R_UNDO
from porto_cli.scenario import load_scenario, run
from porto_cli.seam import Thing
from tests.shares import for_each

PACKAGE = Path(porto_cli.__file__).parent
BOOKS = {game: rulings_of(game) for game in BOX}
PORTO, PUERTO_RICO = BOOKS["porto"], BOOKS["puerto-rico"]
ID = re.compile(r"\b(?:P-[A-Z]+-[A-Z0-9]+|PR-[A-Z]+(?:-[A-Z]+)*(?:-[0-9])?|R-[A-Z]+)\b(?!-)")
FAMILIES = {
    "porto": "SETUP DRAW PASS BUILD TOKEN ROOF SCORE PUBLIC END RANK PRIV SOLO",
    "puerto-rico": "SETUP DRAFT RANDOM TURN AUTO OPTIONAL OCCUPIED ROUND ROLE SETTLER MAYOR "
    "BUILDER CRAFTSMAN TRADER CAPTAIN STORE PROSPECTOR B VP SECRET END SCORE RANK TWO GUIDE",
}
"""The order of the rules."""
BY_NAME = ("PRIV", "B")
"""Families whose rulings have names, and not numbers."""
every_game = pytest.mark.parametrize("game", BOX)


# -- the data of every game


def test_every_id_in_the_program_has_a_ruling():
    cited = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in ID.findall(path.read_text("utf-8"))
    }
    plain = Rulings(PACKAGE / "rulings_plain.toml")
    known = {one.id for book in (*BOOKS.values(), plain) for one in book.all()}
    assert len({name for _, name in cited}) > 90
    assert not [where for where in sorted(cited) if where[1] not in known]


def test_every_id_in_a_ruling_has_a_ruling():
    for book in BOOKS.values():
        for one in book.all():
            for name in ID.findall(one.text + one.note):
                assert ruling(name), one.id


@every_game
def test_the_rulings_follow_the_order_of_the_rules(game):
    ids = [one.id for one in BOOKS[game].all() if one.id != R_UNDO]
    assert list(dict.fromkeys(rule.split("-")[1] for rule in ids)) == FAMILIES[game].split()
    for family in FAMILIES[game].split():
        if family not in BY_NAME:
            numbers = [rule.rpartition("-")[2] for rule in ids if rule.split("-")[1] == family]
            assert numbers == [str(nth) for nth in range(1, len(numbers) + 1)], family


@every_game
def test_undo_is_the_only_ruling_that_is_not_about_the_game(game):
    assert [one.id for one in BOOKS[game].all() if game_of_ruling(one.id) != game] == [R_UNDO]


@every_game
def test_a_ruling_can_be_read(game):
    for one in BOOKS[game].all():
        assert re.fullmatch(r"\S.{4,41}", one.title), one.id
        assert not one.title.endswith("."), one.id
        for text in filter(None, (one.text, one.note)):
            assert text.endswith("."), one.id
            assert text.isascii(), one.id
            assert text.isprintable(), one.id
            assert "  " not in text, one.id
        assert 1 <= len(re.findall(r"[.](?: |$)", one.text)) <= 8, one.id
        assert "silent" not in one.text, one.id
        assert not re.search(r"neighbour|colour|fulfil(?!l)", f"{one.title} {one.text} {one.note}")


@every_game
def test_a_ruling_is_found_in_any_case(game):
    for one in BOOKS[game].all():
        assert ruling(one.id.lower()) is ruling(one.id)


@every_game
@pytest.mark.long
def test_what_a_synonym_stands_for_is_in_a_ruling(game):
    """A synonym that leads nowhere is a mistake of spelling."""
    for phrase, others in BOOKS[game].synonyms().items():
        for other in others:
            about, mentions = BOOKS[game].search(other)
            assert about + mentions, f"{phrase}: {other}"


@every_game
def test_json_gives_the_same_rulings(game, porto):
    everything = json.loads(porto("rules", "--game", game, "--format", "json").out)
    assert [Ruling(**one) for one in everything["rulings"]] == list(BOOKS[game].all())
    last = BOOKS[game].all()[-2].id
    one = json.loads(porto("rules", "--format", "json", last).out)
    assert [found["id"] for found in one["rulings"]] == [last]


@every_game
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_the_card_fits_the_screen(game, columns, porto, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    card = porto("rules", "--game", game)
    assert (card.code, card.err) == (0, "")
    assert max(map(len, card.out.splitlines())) <= min(columns, 80)
    flowing = " ".join(card.out.split())
    assert re.search(r"porto rules (--game \S+ )?all", flowing)
    assert "\x1b" not in card.out
    for section in BOOKS[game].card():
        assert section.title.upper() in flowing.upper()


@every_game
@pytest.mark.parametrize("columns", [60, 80])
def test_all_lists_the_titles_of_all_rulings(game, columns, porto, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    listed = porto("rules", "all", "--game", game).out
    assert max(map(len, listed.splitlines())) <= columns
    flowing = " ".join(listed.split())
    assert all(f"{one.id} {one.title}" in flowing for one in BOOKS[game].all())


# -- ids and words


def test_an_id_says_which_game_it_is_from():
    assert game_of_ruling("p-build") == "porto"
    assert [game_of_ruling(word) for word in ("R-UNDO", "P", "token", "")] == [None] * 4


def test_an_unknown_game_is_wrong_usage(porto):
    answer = porto("rules", "--game", "chess")
    assert (answer.code, answer.out) == (2, "")
    assert "There is no game 'chess'; the games are porto" in answer.err
    assert porto("rules", "--game", "Porto").out == porto("rules").out


@for_each("unknown", ["", "P-", "P-BUILD", "P-BUILD-6", "BUILD-2"])
def test_an_unknown_id_is_a_key_error(unknown):
    with pytest.raises(KeyError):
        ruling(unknown)


def test_a_typo_is_answered_with_what_is_near_in_any_game(porto):
    for typed, meant in [
        ("p-bild-2", "P-BUILD-2"),
        ("BUILDD-2", "P-BUILD-2"),
        ("P-CAPTAIN-1", "PR-CAPTAIN-1"),
        ("PR-PASS-1", "P-PASS-1"),
        ("hospise", "hospice"),
    ]:
        answer = porto("rules", typed)
        assert answer.code == 2
        assert f"did you mean {meant}" in answer.err
    assert "did you mean" not in porto("rules", "potato").err


def test_only_what_cannot_happen_is_said_not_to_happen():
    """A game in records/ has the forced pass."""
    assert "happens with the default edition too" in ruling("P-PASS-1").note
    for one in PORTO.all():
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
    about, mentions = PORTO.search(words)
    if rule is not None:
        assert ruling(rule) in [*about, *mentions]
        assert porto("rules", *words.split()).code == 0
    assert len(about) + len(mentions) < len(PORTO.all()) / 2


def test_a_building_is_a_house_and_to_build_is_not():
    about, _ = PORTO.search("buildings")
    assert ruling("P-PRIV-HOUSES") in about
    about, _ = PORTO.search("build")
    assert all("build" in f"{one.id} {one.title}".lower() for one in about)


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


# -- the numbers are those of the engine: Porto


EDITION = shipped(DEFAULT)


def table(players: int) -> Porto:
    return Porto(EDITION, tuple("ABCD"[:players]), timer=TIMERS[0] if players == 1 else 0)


def card(beginning: str) -> dict[str, str]:
    """Return the lines of a section of the reference card."""
    (lines,) = (one.lines for one in PORTO.card() if one.title.startswith(beginning))
    return dict(lines)


@for_each("kind", PRIVATE_KINDS)
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


# -- the numbers are those of the engine: Puerto Rico


def test_the_setup_has_the_numbers_of_the_engine():
    text = ruling("PR-SETUP-2").text
    parts = re.split(r"(?:Two|Three|Four|Five) players: ", text)[1:]
    for players, part in zip((2, 3, 4, 5), parts, strict=True):
        box = BOXES[players]
        assert part.startswith(f"{box.doubloons} doubloons")
        assert re.search(rf"\b{box.colonists}\b.* and {box.ship}\b", part)
        assert f"{box.vp} VP" in part
        *most, last = box.cargo
        assert f"of {', '.join(map(str, most))} and {last}" in part


def test_the_draft_has_the_numbers_of_the_engine():
    assert sum(PLACES_OF_COST.values()) == VIOLET_KINDS
    text = ruling("PR-DRAFT-2").text
    one = [cost for cost, places in PLACES_OF_COST.items() if places == 1]
    two = [cost for cost, places in PLACES_OF_COST.items() if places == 2]
    assert f"one each for {', '.join(map(str, one[:-1]))} and {one[-1]}" in text
    assert f"two each for {', '.join(map(str, two[:-1]))} and {two[-1]}" in text
    assert PLACES_OF_COST[10] == 5
    assert "five for 10" in text


def test_the_end_has_the_numbers_of_the_engine():
    text = ruling("PR-SCORE-3").text
    *most, last = map(str, RESIDENCE_VP)
    assert f"{', '.join(most)} or {last} for at most 9, 10, 11 or {ISLAND_SPACES} tiles" in text
    *most, last = map(str, CLOISTER_VP[1:])
    assert f"{', '.join(most)} or {last} for 1, 2, 3 or 4 sets" in text
    assert f"all {CITY_SPACES} spaces" in ruling("PR-END-2").text
    *most, last = map(str, FACTORY_EARNS[1:])
    assert (
        f"{', '.join(most)} or {last} doubloons for 1, 2, 3, 4 or 5 kinds"
        in ruling("PR-B-FACTORY").text
    )


def test_the_card_names_the_goods_with_their_prices():
    card = dict(next(one.lines for one in PUERTO_RICO.card() if one.title == "Components"))["Goods"]
    assert card.startswith(", ".join(GOODS))
    *most, last = map(str, SALE_PRICES)
    assert f"{', '.join(most)} and {last} doubloons" in card


def test_the_buildings_are_those_of_the_box():
    assert len(BUILDINGS) == 37
    assert sum(kind.expansion for kind in BUILDINGS) == 14
    assert sum(kind.violet and not kind.expansion for kind in BUILDINGS) == VIOLET_KINDS


# -- buildings, tiles, goods and roles


THINGS = things()
LONGEST_EFFECT = 46
"""So that it fits into one line of a menu at 60 columns."""


def test_every_building_good_and_role_can_be_looked_up():
    names = {one.name for one in BUILDINGS} | {*GOODS, "quarry"}
    roles = {"settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector"}
    assert set(THINGS) == names | roles
    for name, thing in THINGS.items():
        assert thing.rules, name
        assert set(thing.rules) <= set(PUERTO_RICO.by_id), name


def test_every_building_has_an_effect_of_one_line():
    assert list(effects()) == [one.name for one in BUILDINGS]
    for name, effect in effects().items():
        assert re.fullmatch(r"[A-Z0-9].*\.", effect), name
        assert len(effect) <= LONGEST_EFFECT, name


def test_the_numbers_of_a_building_are_those_of_the_engine():
    for kind in BUILDINGS:
        facts = " ".join(map(str, THINGS[kind.name].facts))
        numbers = [int(number) for number in re.findall(r"\d+", facts)][:6]
        fewer = 1 if kind.violet else 2
        wanted = [kind.cost, kind.vp, kind.column, kind.circles, kind.copies, fewer]
        assert numbers == wanted, kind.name
        assert ("expansion" in facts) == kind.expansion, kind.name
        assert ("two spaces" in facts) == (kind.spaces == 2), kind.name


def test_the_prospectors_are_those_of_the_boxes():
    prospectors = {players: len(box.roles) - 6 for players, box in BOXES.items()}
    assert prospectors == {2: 1, 3: 0, 4: 1, 5: 2}
    assert "none with three players, two with five, else one" in str(THINGS["prospector"].facts[0])


def test_two_players_have_fewer_barrels_and_plantations():
    two, more = PuertoRico(("A", "B")), PuertoRico(("A", "B", "C"))
    for good, name in enumerate(GOODS):
        numbers = re.findall(r"\d+", str(THINGS[name].facts[0]))
        assert [int(number) for number in numbers[1:]] == [
            *(more.barrels[good], two.barrels[good]),
            *(more.plantations[good], two.plantations[good]),
        ]


def test_the_worked_round_of_the_card_is_what_happens():
    """Each sentence with a player's name is one that the program says after the move."""
    names = ("Inês", "Joana", "Afonso")
    (lines,) = (one.lines for one in PUERTO_RICO.card() if one.title.startswith("A worked round"))
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first="Inês")
    for move, text in lines:
        events = match.play(move)
        said = " ".join(map(str, game_of("puerto-rico").events_text(events, match.config)))
        about_players = [one for one in re.split(r"(?<=\.) ", text) if any(n in one for n in names)]
        assert about_players
        assert all(one in said for one in about_players), (move, said)
    assert match.state.round == 2
    assert [match.state.role_doubloons.count(number) for number in (0, 1)] == [5, 3]


@pytest.mark.parametrize("words", [["hospice"], ["HOSPICE"], ["Hospice", "--game", "puerto-rico"]])
def test_a_building_is_shown_with_its_price_effect_and_rulings(words, porto):
    shown = " ".join(porto("rules", *words).out.split())
    assert shown.startswith("hospice A small violet building. It costs 4 doubloons and is worth 2 ")
    assert "Your tiles arrive with a colonist. PR-B-HOSPICE Hospice A tile that" in shown
    assert "Mentioned in PR-B-HACIENDA" in shown


@pytest.mark.parametrize("words", [["Small", "Market"], ["small market"], ["Small-Market"]])
def test_names_can_be_typed_as_the_rulebook_prints_them(words, porto):
    assert porto("rules", *words).out.startswith("small-market  ")


def test_a_role_lists_its_rulings(porto):
    shown = porto("rules", "captain").out
    assert "Everyone loads" in shown
    assert "  PR-CAPTAIN-4 " in shown
    assert "  PR-STORE-1 " in shown
    assert "  PR-B-LIGHTHOUSE " in shown.split("Mentioned in")[1]


@pytest.mark.parametrize(
    ("typed", "meant"), [("setler", "settler"), ("hospise", "hospice"), ("cofee", "coffee")]
)
def test_a_mistyped_name_is_corrected(typed, meant, porto):
    answer = porto("rules", typed)
    assert (answer.code, answer.out) == (2, "")
    assert f"Nothing is called {typed!r} here; did you mean {meant}" in answer.err
    assert f"\n  porto rules {meant}\n" in answer.err


def test_another_game_does_not_have_it(porto):
    answer = porto("rules", "--game", "porto", "hospice")
    assert answer.code == 2
    assert "porto rules --game puerto-rico hospice" in answer.err


def test_what_two_games_have_is_shown_of_both(porto, monkeypatch):
    of_games = {"porto": {"roof": Thing(("A roof.",), ("P-ROOF-1",))}}
    of_games["puerto-rico"] = {"roof": Thing(("Another roof.",), ("PR-VP-1",))}
    monkeypatch.setattr(rules, "things_of", lambda game_id: of_games.get(game_id, {}))
    both = porto("rules", "roof").out
    assert re.search(
        r"^Porto\n\nroof  A roof\.\n.*^Puerto Rico\n\nroof  Another", both, re.M | re.S
    )
    assert "Another" not in porto("rules", "roof", "--game", "porto").out


def test_json_has_the_rulings_of_a_thing(porto):
    found = json.loads(porto("rules", "office", "--format", "json").out)["rulings"]
    assert found[0]["id"] == "PR-B-OFFICE"


def test_the_card_has_all_buildings(porto):
    flowing = " ".join(porto("rules", "--game", "puerto-rico").out.split())
    for kind in BUILDINGS:
        told = f"{kind.name} {kind.cost} {kind.vp} {kind.circles} {effects()[kind.name]}"
        assert told in flowing


@pytest.mark.parametrize(
    ("contract", "pays", "ruling"),
    [
        ("houses-green", "Completed green houses: 1 VP for 1, 2 VP for 2, 5 VP", "P-PRIV-HOUSES"),
        ("pairs-blue+red", "Completed pairs of neighbors, blue and red: 2 VP", "P-PRIV-PAIRS"),
        ("Side", "All houses of one side completed: 5 VP.", "P-PRIV-SIDE"),
        ("2-blue-floors", "Build exactly 2 blue floors.", "P-PUBLIC-1"),
    ],
)
def test_a_contract_is_shown_with_what_it_pays_and_its_rulings(porto, contract, pays, ruling):
    shown = " ".join(porto("rules", contract).out.split())
    assert shown.startswith(f"{contract.lower()} {pays}")
    assert ruling in shown
