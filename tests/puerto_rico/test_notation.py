"""What people may type: names cut short, bundles in any order, shorthands; and what not."""

from __future__ import annotations

import pytest

from porto_cli.core import AmbiguousMoveError, InvalidMoveError
from porto_cli.games.puerto_rico.engine.play import violations
from porto_cli.games.puerto_rico.notation import (
    GOOD_NAMES,
    PLACE_NAMES,
    VERBS,
    expand_move,
    format_bundle,
    format_move,
    parse_bundle,
    parse_move,
)
from tests.puerto_rico.tables import expansion, table
from tests.shares import for_each

CANONICAL = """
choose harbor
role settler
role mayor no-colonist
role prospector-2
take corn
take quarry
take face-down
take corn forest
take corn no-colonist
take quarry no-colonist
take corn coffee
place none
place corn 2 quarry sugar-mill 3 statue
build harbor
build harbor no-colonist
build harbor return corn
build harbor return vp
build harbor return colonist san-juan
build harbor return corn vp colonist guest-house no-colonist
sell coffee
sell coffee trading-post
load corn 5
load corn 99
load corn wharf
load corn 3 coffee small-wharf
load none small-wharf
store none
store corn 3 coffee
guest forest-corn
guest small-market
pass
""".strip().splitlines()


def test_canonical_text():
    assert [format_move(parse_move(text)) for text in CANONICAL] == CANONICAL


@for_each(
    ("typed", "text"),
    [
        ("TAKE Corn", "take corn"),
        ("take coff", "take coffee"),
        ("take f-d", "take face-down"),
        ("take co", None),
        ("take coffee corn", "take corn coffee"),
        ("take corn f", "take corn forest"),
        ("take corn n-c", "take corn no-colonist"),
        ("role prosp", "role prospector"),
        ("role p-2", "role prospector-2"),
        ("role c", None),
        ("role may no-col", "role mayor no-colonist"),
        ("build s-i-p", "build small-indigo-plant"),
        ("build small-w", None),
        ("build small-wh", "build small-wharf"),
        ("build harb ret col s-j", "build harbor return colonist san-juan"),
        ("build harbor return vp corn", "build harbor return corn vp"),
        ("load corn w", "load corn wharf"),
        ("load corn small-w", "load corn small-wharf"),
        ("load coffee 2 corn 1 s-w", "load corn coffee 2 small-wharf"),
        ("sell tob t-p", "sell tobacco trading-post"),
        ("store coffee corn 1", "store corn coffee"),
        ("store corn corn", "store corn 2"),
        ("place quarry corn 2", "place corn 2 quarry"),
        ("place f-corn 1 sug 2", "place sugar 2 forest-corn"),
        ("guest off", "guest office"),
        ("PASS", "pass"),
        ("  take   corn ", "take corn"),
    ],
)
def test_what_may_be_typed(typed, text):
    if text is None:
        with pytest.raises(AmbiguousMoveError, match="Did you mean"):
            parse_move(typed)
    else:
        assert format_move(parse_move(typed)) == text


UNREADABLE = """
draw corn
take
take silver
take corn corn corn
take corn forest forest
take quarry corn
take corn indigo forest
role
role governor
role settler no-colonist
role mayor colonist
choose
choose corn
choose harbor wharf
build
build corn
build harbor return
build harbor return no-colonist
build harbor return colonist
build harbor return colonist silver
build harbor return corn indigo
build harbor return vp vp
build harbor no-colonist return corn
build harbor corn
sell
sell coffee wharf
sell coffee trading-post twice
load
load corn
load corn corn 5
load corn 2 wharf
load corn harbor
load corn 123456
load small-wharf
load 5
store
store 3
store corn 0
store corn 2 3
store corn 201
store corn -1
store corn 1.5
store quarry
store none corn
place
place leave corn
place add corn
place first corn
place san-juan
guest
guest san-juan
guest corn quarry
pass now
undo
""".strip("\n").splitlines()


def test_what_is_no_move():
    for text in ("", "   ", *UNREADABLE):
        with pytest.raises(InvalidMoveError) as caught:
            pytest.fail(f"{text!r} is {parse_move(text)}")
        sentence = str(caught.value.sentence)
        assert sentence[0].isupper() or sentence[0] == "'", text
        assert sentence.endswith("."), text
        assert "{" not in sentence, text


@for_each(
    ("text", "said"),
    [
        ("role mayor foo", "write no-colonist, or leave it out."),
        ("role settler foo", "Nothing can follow role settler; no-colonist goes with role mayor"),
        ("take corn foo", "write corn, indigo, sugar, tobacco, coffee, forest or no-colonist, or "),
        ("take quarry foo", "write no-colonist, or leave it out."),
        ("build office foo", "write return or no-colonist, or leave it out."),
        ("sell corn foo", "write trading-post, or leave it out."),
    ],
)
def test_for_a_word_that_can_be_left_out_the_message_says_so(text, said):
    with pytest.raises(InvalidMoveError, match=said):
        parse_move(text)


def test_a_word_that_is_no_verb_names_the_verbs():
    with pytest.raises(InvalidMoveError, match="role, take, place"):
        parse_move("draw")
    assert VERBS[-1] == "undo"


def test_bundles():
    assert format_bundle(bytes(5), GOOD_NAMES) == "none"
    assert parse_bundle(["none"], GOOD_NAMES) == bytes(5)
    counts = parse_bundle(["harbor", "forest-coffee", "quarry", "2", "corn"], PLACE_NAMES)
    assert format_bundle(counts, PLACE_NAMES) == "corn quarry 2 forest-coffee harbor"


# -- shorthands


def expanded(state, text: str) -> str:
    return format_move(expand_move(text, state))


def test_load_when_one_ship_only_is_possible():
    state = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn sugar 5"})
    assert expanded(state, "load corn") == "load corn 5"
    with pytest.raises(AmbiguousMoveError, match="load sugar 5 or load sugar 6"):
        expanded(table(3, "captain", a={"goods": "sugar 5"}), "load sugar")


def test_load_names_a_ship_that_the_rules_can_refuse():
    state = table(3, "captain", cargo={5: "corn 5"}, a={"goods": "corn"})
    assert expanded(state, "load corn") == "load corn 5"
    assert expanded(state, "load coffee") == "load coffee 6"


def test_a_wharf_is_named():
    state = table(3, "captain", cargo={4: "corn 4"}, a={"goods": "corn", "full": "wharf"})
    assert expanded(state, "load corn") == "load corn 4"


def test_store_fills_in_what_is_left_out():
    has = {"goods": "corn 3 coffee 2", "full": "small-warehouse"}
    state = table(3, "store", a=has)
    assert expanded(state, "store coffee corn 3") == "store corn 3 coffee"
    assert expanded(state, "store corn 3") == "store corn 3 coffee"
    with pytest.raises(AmbiguousMoveError, match="store corn 3 coffee or store corn coffee 2"):
        expanded(state, "store coffee")
    # Nothing agrees: the rules say why.
    assert expanded(state, "store sugar") == "store sugar"
    # A legal move is taken as it stands.
    assert expanded(table(3, "store", a={"goods": "corn 2 coffee"}), "store corn") == "store corn"


def test_place_leave_fills_every_circle_but_these():
    has = {"island": "corn 2 quarry", "city": "small-market indigo-plant", "san_juan": 4}
    state = table(3, "mayor", a=has)
    assert expanded(state, "place leave small-market") == "place corn 2 quarry indigo-plant 3"
    assert expanded(state, "place leave corn indigo-plant 2") == (
        "place corn quarry indigo-plant small-market"
    )
    assert expanded(state, "place leave none") == "place corn 2 quarry indigo-plant 3 small-market"
    with pytest.raises(InvalidMoveError, match="corn has 2 circles"):
        expanded(state, "place leave corn 3")
    with pytest.raises(InvalidMoveError, match="a tile or a building is missing"):
        expanded(state, "place leave")


def test_a_place_is_missing_behind_a_word_of_a_placement():
    state = table(3, "mayor", a={"island": "corn", "colonists": "corn", "san_juan": 1})
    for text, word in [
        ("place add", "add"),
        ("place add from corn", "add"),
        ("place add corn from", "from"),
        ("place leave", "leave"),
        ("place first", "first"),
    ]:
        with pytest.raises(InvalidMoveError, match=f"After '{word}' a tile or a building"):
            expanded(state, text)


def test_place_add_puts_the_new_ones_there():
    has = {
        "island": "corn 2 quarry",
        "city": "small-market tobacco-storage",
        "colonists": "corn quarry small-market",
        "san_juan": 2,
    }
    state = table(3, "mayor", a=has)
    assert expanded(state, "place add tobacco-storage 2") == (
        "place corn quarry tobacco-storage 2 small-market"
    )
    assert expanded(state, "place ADD tobacco-storage 3 FROM small-market") == (
        "place corn quarry tobacco-storage 3"
    )
    with pytest.raises(InvalidMoveError, match="corn has 1 colonists"):
        expanded(state, "place add tobacco-storage 3 from corn 2")


FIRST = {
    "island": "corn 2 quarry indigo 2",
    "city": "small-market indigo-plant",
    "colonists": "corn 2 small-market",
    "san_juan": 1,
}
"""Four colonists for nine circles."""


@for_each(
    ("words", "places"),
    [
        ("quarry small-market", "corn 2 quarry small-market"),
        ("indigo-plant", "corn indigo-plant 3"),
        ("indigo corn", "corn 2 indigo 2"),
        # With a number, at most so many in its turn.
        ("indigo 1 indigo-plant 1 quarry", "corn indigo quarry indigo-plant"),
        ("indigo 1 quarry indigo", "corn indigo 2 quarry"),
        ("indigo 9 quarry", "corn indigo 2 quarry"),
        # What is not there is passed over.
        ("harbor forest-corn coffee small-market", "corn 2 indigo small-market"),
        ("none", "corn 2 indigo 2"),
        ("SMALL-M qu", "corn 2 quarry small-market"),
    ],
)
def test_place_first_fills_these_and_then_all_others(words, places):
    assert expanded(table(3, "mayor", a=FIRST), f"place first {words}") == f"place {places}"


def test_place_first_leaves_in_san_juan_who_finds_no_circle():
    state = table(3, "mayor", a={"island": "corn quarry", "san_juan": 5})
    assert expanded(state, "place first quarry") == "place corn quarry"
    # The guide allows to place fewer; this places all the same.
    by_the_guide = table(3, "mayor", rulebook="guide", a={"island": "corn quarry", "san_juan": 1})
    assert expanded(by_the_guide, "place first quarry") == "place quarry"


def test_place_first_is_refused_where_nobody_places():
    state = table(3, "builder", a=FIRST)
    move = expand_move("place first quarry", state)
    assert [one.rule for one in violations(state, move)] == ["PR-TURN-1"]


def test_other_moves_are_read_as_they_stand():
    state = expansion(3, "role", "library")
    for text in CANONICAL:
        assert expanded(state, text) == text
    with pytest.raises(InvalidMoveError):
        expand_move("", state)
