"""Orders: what a player has decided ahead is done when the decision waits, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import porto_cli
from porto_cli.core import InvalidMoveError, RefusedError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, loads
from porto_cli.match.orders import in_force, not_fitting, read_order
from porto_cli.players.named import play_bots
from tests.conftest import Result
from tests.documents import validated
from tests.shares import for_each

FILE = "sunday.yaml"
Play = Callable[..., Result]
PLAYERS = ("Ana", "Rui", "Eva")


def begun(*, first: str = "Ana") -> Match:
    """Puerto Rico; face up are corn, indigo, tobacco and coffee, Ana takes the first role."""
    return porto_cli.new_game(PLAYERS, game="puerto-rico", seed="yauco", first=first)


def ordered(match: Match, player: str, *orders: str) -> Match:
    """Give orders, and let them decide what they can."""
    for text in orders:
        match.order(text, player)
        play_bots(match)
    return match


def played(match: Match, *moves: str) -> list[str]:
    """Make moves of whoever is to move, and return who has made which moves then."""
    for move in moves:
        match.play(move)
        play_bots(match)
    return [f"{key}: {text}" for step in match.replay.steps for key, text in step.entries[:1]]


@pytest.fixture
def sunday(porto: Play) -> Path:
    """The same game as a record."""
    words = ("--game", "puerto-rico", "--seed", "yauco", "--first", "Ana")
    assert porto("new", FILE, *PLAYERS, *words).code == 0
    return Path(FILE)


# -- What an order does


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("settler indgo", "settler indigo"),
        ("setler indigo", "settler indigo"),
        ("builder small-market else hospise", "builder small-market else hospice"),
        ("captain foo", None),
    ],
)
def test_a_mistyped_order_leads_to_the_whole_one(porto: Play, sunday: Path, words, right) -> None:
    told = porto("order", sunday, *words.split(), "--as", "Ana")
    as_typed = f"porto order {sunday} {right} --as Ana"
    told.assert_leads_to(as_typed if right else f"porto order {sunday} captain", says="")


def test_an_order_is_executed_by_the_move_before_it() -> None:
    match = ordered(begun(), "Rui", "settler coffee")
    assert played(match, "role settler", "take quarry")[-2:] == [
        "Ana: take quarry",
        "Rui: take coffee",
    ]
    assert match.to_move() == ["Eva"]
    assert "- Rui: take coffee  # ordered" in match.record.text


def test_the_first_choice_that_is_legal_is_made() -> None:
    match = ordered(begun(), "Rui", "settler quarry, else sugar, else tobacco, else corn")
    assert played(match, "role settler", "take corn")[-1] == "Rui: take tobacco"


def test_most_vp_is_the_first_with_most_vp_that_porto_moves_lists(
    porto: Play, sunday: Path
) -> None:
    match = ordered(begun(), "Rui", "settler most-vp")
    assert played(match, "role settler", "take quarry")[-1] == "Rui: take corn"
    porto("order", FILE, "builder", "most-vp", "--as", "Rui")
    porto("role", FILE, "builder")
    listed = [move["move"] for move in porto_cli.load(sunday).observe("Ana")["moves"]]
    assert "build construction-hut" in listed, "but others are listed first"
    done = json.loads(porto("pass", FILE, "--format", "json").out)
    assert done["ordered"][0]["moves"] == ["build small-indigo-plant"]


def test_what_does_not_fit_is_left_to_the_player() -> None:
    match = ordered(begun(), "Rui", "settler take corn")
    played(match, "role settler", "take corn")
    assert match.to_move() == ["Rui"]
    stopped, reason = not_fitting(match.replay, 1)
    assert "'settler' stopped" in str(stopped)
    assert "take corn" in str(reason)
    assert not_fitting(match.replay, 0) == []
    match.play("take coffee")
    assert match.to_move() == ["Eva"]


def test_orders_of_several_players_follow_each_other() -> None:
    match = ordered(begun(), "Rui", "settler corn")
    ordered(match, "Eva", "settler indigo", "role mayor")
    assert played(match, "role settler", "take quarry")[-2:] == [
        "Rui: take corn",
        "Eva: take indigo",
    ]
    assert match.to_move() == ["Rui"], "of a role that Eva takes, Rui's comes first"


@pytest.mark.parametrize(
    ("condition", "taken"),
    [
        ("Ana plays take quarry", "coffee"),
        ("Ana plays quarry", "coffee"),
        ("an PLAYS Take QUARRY", "coffee"),
        ("Ana plays take corn", "corn"),
        ("Ana plays role settler", "coffee"),
        ("Eva plays role settler", "corn"),
    ],
)
def test_a_choice_can_wait_for_the_move_of_a_player(condition: str, taken: str) -> None:
    match = ordered(begun(), "Rui", f"settler coffee IF {condition}, Else corn")
    assert played(match, "role settler", "take quarry")[-1] == f"Rui: take {taken}"


def test_a_move_made_before_the_order_does_not_count() -> None:
    match = begun()
    played(match, "role settler")
    ordered(match, "Rui", "settler coffee if Ana plays role settler, else corn")
    assert played(match, "take quarry")[-1] == "Rui: take corn"


def test_the_kind_follows_from_the_verb(porto: Play, sunday: Path) -> None:
    """Of several kinds with a verb it is the first one of the game."""
    for typed, written in {
        "take quarry else take coffee": "settler take quarry, else take coffee",
        "always sell coffee, else pass": "always trader sell coffee, else pass",
        "take quarry else pass if Ana plays role captain": "settler take quarry, else pass if Ana "
        "plays role captain",
        "role captain": "role role captain",
        "place first corn": "mayor place first corn",
    }.items():
        assert porto("order", FILE, typed, "--as", "Rui").code == 0
        assert sunday.read_text().splitlines()[-1] == f"- Rui: order {written}"


@pytest.mark.parametrize(
    ("order", "written"),
    [
        ("craftsman sensible", "craftsman sensible"),
        ("store sensible", "store most"),
        ("store most", "store most"),
    ],
)
def test_what_is_sensible_for_storing_has_the_name_that_older_versions_read(
    order: str, written: str
) -> None:
    match = begun()
    assert match.order(order, "Rui").text == written
    assert not loads(match.record.text).replay.declarations[-1].order.unknown


# -- What an order does in Porto


def porto_before_a_contract() -> Match:
    """Bob is to build next, on L5 so that he meets the contract 1-blue-floor."""
    match = porto_cli.new_game(["Ana", "Bob"], seed="q0", first="Ana", private_contracts=False)
    for move in ("draw yellow-2 green-1", "draw yellow-1 blue-1"):
        match.play(move)
    match.play("build yellow-2 green-1 L3 token L3")
    return match


BUILD = "build yellow-1 blue-1 L5 token L4"


def test_contracts_of_a_build_spend_an_order_for_once() -> None:
    match = ordered(porto_before_a_contract(), "Bob", "contract sensible")
    assert in_force(match.replay, 1)
    played(match, BUILD)
    assert match.replay.steps[-1].entries[1] == ("contract", "1-blue-floor")
    assert not in_force(match.replay, 1)


def test_a_condition_sees_the_contracts_of_a_build() -> None:
    match = ordered(
        porto_before_a_contract(), "Ana", "act most-vp if Bob plays contract 1-blue-floor"
    )
    played(match, BUILD)
    assert match.to_move() == ["Bob"]
    assert played(match, "contract 1-blue-floor")[-1].startswith("Ana: draw")


def test_a_color_is_a_word_of_all_its_cards() -> None:
    match = ordered(porto_before_a_contract(), "Ana", "act most-vp if Bob plays blue")
    played(match, BUILD)
    assert played(match, "contract none")[-1].startswith("Ana: draw")
    with pytest.raises(InvalidMoveError, match="'rot' is not a word"):
        match.order("act most-vp if Ana plays draw rot", "Bob")


# -- How long an order stands


def to_the_third_round(match: Match) -> None:
    """Play until the third round begins; the settler is taken as soon as possible."""
    while match.state.round < 3:
        legal = [match.text(one) for one in match.legal_moves()]
        match.play(next((one for one in legal if one == "role settler"), legal[0]))
        play_bots(match)


@pytest.mark.parametrize(("scope", "stands"), [("once ", 0), ("always ", 1)])
def test_an_order_stands_as_long_as_it_says(scope: str, stands: int) -> None:
    match = ordered(begun(), "Rui", f"{scope}settler corn, else most-vp")
    played(match, "role settler", "take quarry")
    assert match.to_move() == ["Eva"]
    match.play("take coffee")
    to_the_third_round(match)
    assert len(in_force(match.replay, 1)) == stands


def test_an_order_for_once_is_spent_by_a_move_of_the_own() -> None:
    match = begun()
    played(match, "role settler", "take quarry")
    ordered(match, "Eva", "settler quarry")
    played(match, "take corn", "take indigo")
    to_the_third_round(match)
    assert in_force(match.replay, 2) == {}


def test_a_new_order_replaces_that_of_its_kind_and_none_takes_back() -> None:
    match = ordered(begun(), "Rui", "settler coffee", "builder pass", "settler corn")
    assert {kind: one.text for kind, one in in_force(match.replay, 1).items()} == {
        "builder": "builder pass",
        "settler": "settler take corn",
    }
    ordered(match, "Rui", "settler none")
    assert list(in_force(match.replay, 1)) == ["builder"]
    ordered(match, "Rui", "none")
    assert in_force(match.replay, 1) == {}
    played(match, "role settler", "take quarry")
    assert match.to_move() == ["Rui"]


def test_orders_of_others_are_their_own() -> None:
    match = ordered(begun(), "Rui", "settler coffee")
    ordered(match, "Eva", "none")
    assert list(in_force(match.replay, 1)) == ["settler"]


def test_an_undo_takes_back_the_orders_given_before_it() -> None:
    match = ordered(begun(), "Rui", "always settler coffee, else corn")
    played(match, "role settler", "take quarry")
    match.undo("Rui")
    play_bots(match)
    assert match.to_move() == ["Rui"], "what was taken back is not done again"
    assert in_force(match.replay, 1) == {}


def test_that_is_told_to_nobody_but_their_owner(porto: Play, sunday: Path) -> None:
    before = sunday.read_bytes()
    for words, is_told in (((), False), (("--as", "Ana"), True)):
        sunday.write_bytes(before)
        porto("role", FILE, "settler", "--as", "Ana", "-q")
        porto("order", FILE, "builder pass", "--as", "Ana", "-q")
        assert ("Your orders would be gone" in porto("undo", FILE, *words, "-n").out) == is_told
        told = porto("undo", FILE, *words).out
        assert ("Your orders are gone with it" in told) == is_told
        assert (f"to give one again: porto order {FILE} --as Ana\n" in told) == is_told


def test_an_order_stops_no_undo_of_another_player() -> None:
    match = begun()
    played(match, "role settler")
    match.order("settler coffee", "Rui")
    match.undo("Ana")
    assert match.to_move() == ["Ana"]
    assert list(in_force(match.replay, 1)) == ["settler"]


# -- What follows in an order


def done_by_orders(match: Match) -> list[str]:
    """Play until the third round begins, and return what orders have done."""
    to_the_third_round(match)
    lines = match.record.text.splitlines()
    return [line.removeprefix("- ").split("  #")[0] for line in lines if "# ordered" in line]


def test_what_follows_then_is_for_the_time_after(porto: Play, sunday: Path) -> None:
    given = porto("order", FILE, "take quarry else coffee then corn else most-vp", "--as", "Rui")
    line = "settler take quarry, else take coffee, then settler take corn, else most-vp"
    assert (given.code, sunday.read_text().splitlines()[-1]) == (0, f"- Rui: order {line}")
    assert "After that, when you take a tile" in given.out
    porto("role", FILE, "settler", "--as", "Ana")
    done = porto("take", FILE, "quarry", "--as", "Ana", "--format", "json")
    assert [one["moves"] for one in json.loads(done.out)["ordered"]] == [["take coffee"]]
    left = "settler take corn, else most-vp"
    assert left in porto("order", FILE, "--as", "Rui").out
    assert "coffee" not in porto("order", FILE, "--as", "Rui").out
    match = porto_cli.load(FILE)
    first, second = done_by_orders(match)
    assert first == "Rui: take coffee"
    assert second.startswith("Rui: take")
    assert in_force(match.replay, 1) == {}


def test_what_follows_waits_for_what_comes_before_it() -> None:
    match = ordered(begun(), "Rui", "role builder then settler quarry else corn")
    played(match, "role settler", "take quarry")
    assert match.to_move() == ["Rui"], "this settler phase comes before the builder"
    played(match, "take coffee", "take indigo")
    assert "Rui: role builder" in played(match)
    assert list(in_force(match.replay, 1)) == ["settler"]


def test_what_follows_may_come_in_the_same_phase() -> None:
    match = ordered(begun(), "Ana", "role settler then take quarry then pass")
    play_bots(match)
    assert played(match) == ["Ana: role settler", "Ana: take quarry"]
    assert [one.text for one in in_force(match.replay, 0).values()] == ["settler pass"]


def test_what_a_player_does_otherwise_ends_what_follows() -> None:
    match = ordered(begun(), "Rui", "settler corn then quarry")
    played(match, "role settler", "take corn")
    assert match.to_move() == ["Rui"]
    played(match, "take coffee")
    assert in_force(match.replay, 1) == {}


def test_what_a_player_does_as_ordered_goes_on_with_what_follows() -> None:
    match = begun()
    played(match, "role settler", "take quarry")
    match.order("settler coffee then corn", "Rui")
    match.play("take coffee")
    assert [one.text for one in in_force(match.replay, 1).values()] == ["settler take corn"]


def test_a_condition_of_what_follows_sees_all_since_the_order_was_given() -> None:
    text = "settler coffee then most-vp if Ana plays quarry else pass"
    match = ordered(begun(), "Rui", text)
    played(match, "role settler", "take quarry")
    _, second = done_by_orders(match)
    assert second.startswith("Rui: take")


def test_an_order_replaces_those_for_any_of_its_decisions(porto: Play, sunday: Path) -> None:
    for order in ("always settler corn", "builder pass", "captain most-vp"):
        porto("order", FILE, order, "--as", "Rui")
    order = "role builder then builder most-vp then take corn"
    said = porto("order", FILE, order, "--as", "Rui").out
    assert "replaces your order: builder pass" in said
    assert "replaces your order: always settler take corn" in said
    assert "captain" not in said
    kept = ["captain most-vp"]
    standing = in_force(porto_cli.load(FILE).replay, 1).values()
    assert [one.text for one in standing][:1] == kept
    porto("order", FILE, "settler none", "--as", "Rui")
    assert [one.text for one in in_force(porto_cli.load(FILE).replay, 1).values()] == kept


def test_an_undo_takes_back_what_follows() -> None:
    match = ordered(begun(), "Rui", "settler coffee then corn")
    played(match, "role settler", "take quarry")
    match.undo("Rui")
    assert in_force(match.replay, 1) == {}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("settler quarry then corn", ["settler", "settler"]),
        ("craftsman take corn then take sugar", ["craftsman", "craftsman"]),
        ("take corn then craftsman take sugar", ["settler", "craftsman"]),
        ("craftsman corn then pass", ["craftsman", "craftsman"]),
        ("settler corn then load corn", ["settler", "captain"]),
        ("settler corn then captain load corn then most-vp", ["settler", "captain", "captain"]),
        ("SETTLER: corn, THEN role: settler", ["settler", "role"]),
    ],
)
def test_what_follows_is_for_the_same_decision_if_it_can_be(text: str, kinds: list[str]) -> None:
    match = begun()
    order = match.order(text, "Rui")
    assert [one.split()[0] for one in order.text.split(", then ")] == kinds
    assert loads(match.record.text).replay.declarations == match.replay.declarations


def test_the_digest_covers_what_follows_as_it_is_written() -> None:
    """Versions that do not know the word take the whole line as it is."""
    written = "Settler corn then quarry"
    match = loads(f"{begun().record.text}\n- Rui: order {written}\n")
    assert match.replay.declarations[-1].entries == (("Rui", f"order {written}"),)
    canonical = begun()
    assert canonical.order(written, "Rui").text == "settler take corn, then settler take quarry"
    assert canonical.digest != match.digest
    assert loads(canonical.record.text).digest == canonical.digest
    played(match, "role settler", "take quarry")
    assert played(match)[-1] == "Rui: take corn"


def test_what_follows_is_in_the_document(porto: Play, sunday: Path) -> None:
    order = ("order", FILE, "role mayor then mayor sensible then take corn if Ana plays role mayor")
    document = validated("order", porto(*order, "--as", "Rui", "--format", "json").out)
    [one] = document["orders"]
    assert (one["kind"], one["scope"], one["choices"]) == ("role", "once", ["role mayor"])
    assert one["then"] == [
        {"kind": "mayor", "choices": ["sensible"]},
        {"kind": "settler", "choices": ["take corn if Ana plays role mayor"]},
    ]


# -- What is no order


@for_each(
    ("text", "said"),
    [
        ("", "No order in Puerto Rico begins so; an order begins with a move, like role settler"),
        ("pass", "begins with 'pass'; an order begins with a move, like role settler, or with"),
        ("sensible", "or with what you will have to decide: role, settler,"),
        ("setler corn", "Did you mean settler?"),
        ("settler", "A choice is missing"),
        ("settler corn, else", "A choice is missing"),
        ("settler corn then", "A choice is missing"),
        ("settler corn then builder", "A choice is missing"),
        ("settler corn then settler none", "'none' cannot be taken"),
        ("settler corn then buld wharf", "'buld' cannot be taken"),
        ("settler corn then quarry if Ana plays indgo", "'indgo' is not a word"),
        ("always settler corn then quarry", "leave out 'always'"),
        ("settler corn, else quary", "Did you mean quarry?"),
        ("settler build hacienda", "begins with take or pass"),
        ("settler corn if", "After 'if' say what another player has to play"),
        ("settler corn if corn is there", "like: if Eva plays role settler"),
        (
            "settler corn if Bob plays take corn",
            "There is no player 'Bob'; the players are Ana, Rui, Eva",
        ),
        ("settler corn if Rui plays", "After 'if'"),
        ("settler corn if Ana plays indgo", "'indgo' is not a word"),
        ("settler any but indigo", "'any' cannot be taken"),
        ("mayor most-vp", "'most-vp' is not"),
        ("settler sensible", "'sensible' cannot be taken"),
        (
            "turn sensible",
            "No order in Puerto Rico begins with 'turn'; an order begins with a move",
        ),
        ("settler " + "corn " * 1000, "at most 2000 characters"),
    ],
)
def test_what_cannot_be_an_order_is_refused_with_what_would_be(text: str, said: str) -> None:
    match = begun()
    with pytest.raises(InvalidMoveError) as refused:
        match.order(text, "Rui")
    assert said in " ".join(map(str, refused.value.sentences))
    assert match.replay.declarations == ()


def test_secret_choices_cannot_be_ordered_nor_waited_for() -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana")
    for text in ("act keep 1 2 3", "act draw red-2 if Ana plays keep", "keep 1 2 3"):
        with pytest.raises(InvalidMoveError):
            match.order(text, "Rui")


def test_nothing_can_be_ordered_when_the_game_is_over_or_has_no_orders() -> None:
    match = begun()
    rng = Random(1)
    while not match.over:
        legal = match.legal_moves()
        match.play(legal[int(rng.random() * len(legal))])
    with pytest.raises(RefusedError):
        match.order("settler corn", "Rui")


def test_nothing_can_be_ordered_in_a_sealed_game(porto: Play) -> None:
    words = ("--secrecy", "sealed", "--first-game", "--first", "Ana", "--as", "Ana")
    porto("new", FILE, "Ana", "Rui", *words)
    for name in ("Rui", "Ana"):
        assert porto("join", FILE, "--as", name).code == 0
    before = Path(FILE).read_bytes()
    for order in ((), ("act", "pass"), ("none",)):
        refused = porto("order", FILE, *order, "--as", "Rui")
        assert (refused.code, refused.out) == (1, "")
        assert "Nothing can be ordered ahead in a game whose turns are signed." in refused.err
    assert Path(FILE).read_bytes() == before


# -- In a record


def test_what_is_read_is_written_in_one_form() -> None:
    match = begun()
    texts = {
        "Settler: QUARRY, else coff Else small-": None,
        "Settler: QUARRY, else coff Else corn": "settler take quarry, else take coffee, else take "
        "corn",
        "once builder: build Small Market, else pass": "builder build small-market, else pass",
        "always captain: most-vp if ana plays role captain": "always captain most-vp if Ana plays "
        "role captain",
        "role mayor if Rui plays build Small Market": "role role mayor if Rui plays build "
        "small-market",
        "NONE": "none",
        "settler none": "settler none",
    }
    for typed, canonical in texts.items():
        if canonical is None:
            with pytest.raises(InvalidMoveError):
                read_order(typed, match.game, match.config)
            continue
        order = read_order(typed, match.game, match.config)
        assert order.text == canonical
        assert read_order(canonical, match.game, match.config) == order


@for_each(
    "name",
    [
        "Bob plays if",
        "Rui and Eva",
        "if",
        "plays",
        "else, take",
        "A  B",
        "1: #2",
        'R"ui',
        "Ana plays",
        "5",
    ],
)
def test_a_player_in_a_condition_may_have_any_name(name: str) -> None:
    match = porto_cli.new_game(["Ana", name], game="puerto-rico", seed="yauco", first="Ana")
    match.order(f"settler quarry if {name} plays role mayor, else corn if {name} plays role", "Ana")
    match.read_back()
    assert loads(match.record.text).replay.declarations == match.replay.declarations
    played(match, "role craftsman")
    assert played(match, "role settler", "pass")[-1].startswith("Ana: take")


def test_an_order_is_as_long_as_it_is_written() -> None:
    """The beginning of a name is written in full."""
    match = porto_cli.new_game(["Ana", "R" * 40], game="puerto-rico", seed="yauco")
    with pytest.raises(InvalidMoveError, match="at most 2000 characters"):
        match.order("settler corn" + ", else corn if R plays role" * 39, "Ana")


def test_a_record_without_its_orders_is_one_of_the_same_game() -> None:
    match = ordered(begun(), "Rui", "always settler corn, else most-vp", "always mayor sensible")
    ordered(match, "Eva", "always builder pass")
    to_the_third_round(match)
    assert "# ordered" in match.record.text
    again = loads(match.record.text)
    assert (again.state, again.digest) == (match.state, match.digest)
    lines = match.record.text.splitlines(keepends=True)
    bare = loads("".join(line for line in lines if ": order " not in line))
    assert bare.state == match.state
    assert bare.digest != match.digest


OLD = [
    "settler any but indigo",
    "round settler take corn",
    "settler take corn if doubloons at most 2, else pass",
    "settler take corn if Ana plays role settler and corn is there",
]


@pytest.mark.long_for(
    "round settler take corn",
    "settler take corn if Ana plays role settler and corn is there",
    "settler take corn if doubloons at most 2, else pass",
)
@pytest.mark.parametrize("old", OLD)
def test_an_order_in_older_words_ends_that_of_its_kind_and_does_nothing(
    porto: Play, sunday: Path, old: str
) -> None:
    for order in ("settler corn", "builder pass"):
        porto("order", FILE, order, "--as", "Rui")
    with sunday.open("a") as file:
        file.write(f"\n- Rui: order {old}\n")
    assert porto("verify", FILE).code == 0
    assert porto_cli.load(sunday).record.text.endswith(f"- Rui: order {old}\n")
    listed = porto("order", FILE, "--as", "Rui")
    assert listed.code == 0
    assert (
        f"\n{old}\n   This order is in the words of another version of porto, so it" in listed.out
    )
    assert "builder pass" in listed.out
    assert "take corn\n   When" not in listed.out
    document = validated("order", porto("order", FILE, "--as", "Rui", "--format", "json").out)
    assert [(one["order"], one["kind"], one["choices"]) for one in document["orders"]] == [
        ("builder pass", "builder", ["pass"]),
        (old, "settler", []),
    ]
    porto("role", FILE, "settler")
    porto("take", FILE, "quarry")
    assert porto_cli.load(sunday).to_move() == ["Rui"]
    assert "another version" in porto("order", FILE, "--as", "Rui").out
    assert porto("order", FILE, "settler corn", "--as", "Rui").code == 0
    assert porto_cli.load(sunday).to_move() == ["Eva"]


@pytest.mark.parametrize(("old", "left"), [("always turn any", 3), ("setler corn", 1)])
def test_an_order_of_no_known_kind_ends_all(old: str, left: int) -> None:
    """One for every turn had a kind of its own, so that it ended only others of that."""
    text = ordered(begun(), "Rui", "settler corn", "always captain most-vp").record.text
    standing = in_force(loads(f"{text}\n- Rui: order {old}\n").replay, 1)
    assert len(standing) == left
    assert next(reversed(standing.values())).text == old
    assert not in_force(loads(f"{text}\n- Rui: order {old}\n- Rui: order none\n").replay, 1)


def test_the_digest_covers_the_words_of_an_older_order() -> None:
    text = f"{begun().record.text}\n- Rui: order settler any but indigo\n"
    one, other = loads(text), loads(text.replace("but indigo", "but corn"))
    assert len({one.digest, other.digest, begun().digest}) == 3


def test_an_order_longer_than_any_is_refused_at_its_place() -> None:
    text = f"{begun().record.text}\n- Rui: order {'any ' * 600}\n"
    with pytest.raises(InvalidFileError, match="at most 2000 characters") as refused:
        loads(text)
    assert refused.value.place.line == text.count("\n")


def test_an_order_cannot_follow_the_result() -> None:
    match = begun()
    rng = Random(1)
    while not match.over:
        legal = match.legal_moves()
        match.play(legal[int(rng.random() * len(legal))])
    with pytest.raises(InvalidFileError, match="nothing can be ordered"):
        loads(f"{match.record.text}- Eva: order settler corn\n")
    match.undo()
    loads(f"{match.record.text}- Eva: order settler corn\n")


# -- The command


def test_an_order_is_explained_and_written(porto: Play, sunday: Path) -> None:
    result = porto("order", FILE, "settler", "quarry,", "else", "coffee", "--as", "Rui")
    assert result.code == 0
    assert "take quarry" in result.out
    assert sunday.read_text().endswith("- Rui: order settler take quarry, else take coffee\n")
    porto("role", FILE, "settler", "--as", "Ana")
    result = porto("take", FILE, "quarry", "--as", "Ana", "--format", "json")
    report = validated("report", result.out)
    assert [one["moves"] for one in report["ordered"]] == [["take coffee"]]


def test_an_order_in_the_own_turn_is_done_at_once_and_says_so(porto: Play, sunday: Path) -> None:
    at_once = "It is your turn now, so what fits is played at once, like a move."
    assert at_once in porto("order", FILE, "role", "settler", "--as", "Ana", "--dry-run").out
    assert at_once not in porto("order", FILE, "settler", "corn", "--as", "Ana", "--dry-run").out
    assert at_once not in porto("order", FILE, "role", "none", "--as", "Ana", "--dry-run").out


def test_who_orders_in_the_turn_of_another_is_told_to_send_the_game(
    porto: Play, sunday: Path
) -> None:
    send = "The others need this copy: porto mail sunday.yaml\n"
    assert send in porto("order", FILE, "settler", "corn", "--as", "Rui").out
    assert send not in porto("order", FILE, "settler", "corn", "--as", "Ana").out


def test_orders_are_listed_for_their_owner_only(porto: Play, sunday: Path) -> None:
    porto("order", FILE, "always builder pass", "--as", "Rui")
    own = porto("order", FILE, "--as", "Rui", "--format", "json")
    assert [one["order"] for one in validated("order", own.out)["orders"]] == [
        "always builder pass"
    ]
    other = porto("order", FILE, "--as", "Ana", "--format", "json")
    assert validated("order", other.out)["orders"] == []


def test_only_decisions_that_the_game_can_have_are_listed(porto: Play, sunday: Path) -> None:
    for name in ("Ana", "Rui"):
        listed = porto("order", FILE, "--as", name).out
        assert (
            "ordered: role, settler, mayor, builder, craftsman, trader, captain, store." in listed
        )


def test_a_dry_run_writes_nothing(porto: Play, sunday: Path) -> None:
    before = sunday.read_bytes()
    result = porto("order", FILE, "settler", "coffee", "--as", "Rui", "--dry-run")
    assert (result.code, sunday.read_bytes()) == (0, before)
    document = porto("order", FILE, "settler", "coffee", "--as", "Rui", "-n", "--format", "json")
    assert json.loads(document.out)["orders"][0]["order"] == "settler take coffee"


def test_who_does_not_confirm_an_order_sends_nothing(
    porto: Play, sunday: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.yaml").write_text(
        "mail: {from: rui@example.org, server: 127.0.0.1, port: 1, security: none}\n"
    )
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    monkeypatch.setattr("porto_cli.cli.ask.can_ask", lambda: True)
    asker = SimpleNamespace(confirm=lambda question: False)
    monkeypatch.setattr("porto_cli.cli.ask.asker", lambda game: asker)
    before = sunday.read_bytes()
    done = porto("order", FILE, "settler", "corn", "--as", "Rui", "--send")
    assert (done.code, done.err, sunday.read_bytes()) == (0, "", before)
    assert done.out.endswith("Nothing was written.\n")


def test_what_cannot_be_given_is_not_explained(porto: Play) -> None:
    words = ("--game", "puerto-rico", "--seed", "yauco", "--bot", "Rui 1")
    assert porto("new", FILE, "Ana", "Eva", *words).code == 0
    refused = porto("order", FILE, "settler", "corn", "--as", "Rui")
    assert (refused.code, refused.out) == (1, "")
    assert "Rui is a bot" in refused.err


def test_it_has_to_be_known_whose_orders_they_are(porto: Play, sunday: Path) -> None:
    before = sunday.read_bytes()
    result = porto("order", FILE, "settler", "coffee")
    assert (result.code, sunday.read_bytes()) == (2, before)
    assert "--as" in result.err


def test_what_stopped_is_said_to_the_player(
    porto: Play, sunday: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    porto("order", FILE, "settler", "corn", "--as", "Rui")
    porto("role", FILE, "settler", "--as", "Ana")
    porto("take", FILE, "corn", "--as", "Ana")
    document = validated("order", porto("order", FILE, "--as", "Rui", "--format", "json").out)
    assert document["to_move"] == ["Rui"]
    assert "take corn" in " ".join(document["stopped"])
    stopped = "Your order for 'settler' stopped, so the game waits for you:"
    for command in ("order", "show"):
        assert stopped in porto(command, FILE, "--as", "Rui").out
        assert stopped not in porto(command, FILE, "--as", "Ana").out
    assert stopped not in porto("show", FILE).out
    for name, is_told in (("", False), ("Ana", False), ("Rui", True)):
        monkeypatch.setenv("PORTO_PLAYER", name)
        assert (stopped in porto("games", "--plain").out) == is_told
        games = validated("games", porto("games", "--format", "json").out)["games"]
        assert [one.get("stopped") for one in games] == [document["stopped"] if is_told else None]


def test_a_second_order_of_a_kind_is_told_to_replace_the_first(porto: Play, sunday: Path) -> None:
    replaces = "This replaces your order: settler take quarry"
    assert "replaces" not in porto("order", FILE, "settler quarry", "--as", "Rui").out
    assert "replaces" not in porto("order", FILE, "builder pass", "--as", "Rui").out
    assert replaces in porto("order", FILE, "settler corn", "--as", "Rui", "--dry-run").out
    assert replaces in porto("order", FILE, "always settler corn", "--as", "Rui").out
    assert "replaces" not in porto("order", FILE, "settler none", "--as", "Rui").out


SEED_WITH_A_GUEST = 3


def test_most_vp_takes_a_move_of_the_decision_that_waits() -> None:
    """What can be done besides, like moving a guest before selling, is of another kind."""
    match = porto_cli.new_game(PLAYERS, game="puerto-rico", seed="s0", buildings="random")
    rng, orders = Random(SEED_WITH_A_GUEST), match.game.orders
    while not (besides := guests_besides(match)):
        legal = match.game.legal_moves(match.state, match.state.seat, 100)
        match.play(legal[int(rng.random() * len(legal))])
    assert {text.split()[0] for text in besides} == {"guest"}
    seat, kind = match.state.seat, orders.kind(match.state)
    match.order(f"{kind} most-vp", seat)
    first, *_ = play_bots(match)
    assert first.moves[0].split()[0] in orders.kinds[kind].verbs


def guests_besides(match: Match) -> list[str]:
    """Return the moves of a guest that can be made during another decision."""
    if match.over or match.game.orders.kind(match.state) == "guest":
        return []
    legal = match.game.legal_moves(match.state, match.state.seat, 100)
    texts = [match.text(move) for move in legal]
    return [text for text in texts if text.startswith("guest")]
