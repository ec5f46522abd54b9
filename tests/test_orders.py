"""Orders: what a player has decided ahead is done when the decision waits, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import porto_cli
from porto_cli.core.message import InvalidMoveError, RefusedError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, loads
from porto_cli.match.ordered import in_force, stopped
from porto_cli.match.orders import explained, read_order
from porto_cli.players.bots import play_bots
from tests.conftest import Result
from tests.documents import validated

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


def test_any_takes_the_first_move_that_porto_moves_lists() -> None:
    match = ordered(begun(), "Rui", "builder any build but small-indigo-plant")
    assert played(match, "role builder", "pass")[-1] == "Rui: build small-sugar-mill"


def test_the_list_is_that_of_porto_moves(porto: Play, sunday: Path) -> None:
    assert porto("role", FILE, "builder").code == 0
    listed = json.loads(porto("moves", FILE, "--format", "json").out)["moves"]
    match = porto_cli.load(sunday)
    assert match.game.orders is not None
    orders = match.game.orders.listed(match.state, match.seat())
    assert [one.move for one in orders] == [one["move"] for one in listed]


def test_an_order_for_every_turn_places_no_colonists() -> None:
    match = begun()
    played(match, "role settler", "take quarry", "take corn", "take tobacco")
    ordered(match, "Eva", "turn any")
    assert played(match, "role mayor")[-1] == "Rui: role mayor"
    assert match.state.phase == "mayor"
    assert match.to_move() == ["Eva"]


def test_what_does_not_fit_is_left_to_the_player() -> None:
    match = ordered(begun(), "Rui", "settler take corn")
    played(match, "role settler", "take corn")
    assert match.to_move() == ["Rui"]
    [one] = stopped(match.replay)
    assert one.by.order.kind == "settler"
    assert "take corn" in str(one.reasons[0])
    match.play("take coffee")
    assert match.to_move() == ["Eva"]


def test_orders_of_several_players_follow_each_other() -> None:
    match = ordered(begun(), "Rui", "settler corn")
    ordered(match, "Eva", "settler any but corn", "role mayor")
    assert played(match, "role settler", "take quarry")[-2:] == [
        "Rui: take corn",
        "Eva: take indigo",
    ]
    assert match.to_move() == ["Rui"], "of a role that Eva takes, Rui's comes first"


def test_any_and_most_vp_take_the_first_that_is_listed() -> None:
    listed = begun()
    played(listed, "role settler", "take quarry")
    seen = [one.move for one in listed.observe("Rui").moves if one.move != "pass"]
    first = ordered(begun(), "Rui", "settler any")
    assert played(first, "role settler", "take quarry")[-1] == f"Rui: {seen[0]}"
    another = ordered(begun(), "Rui", f"settler any but {seen[0].split()[-1]}")
    assert played(another, "role settler", "take quarry")[-1] == f"Rui: {seen[1]}"
    best = ordered(begun(), "Rui", "settler most-vp tobacco")
    assert played(best, "role settler", "take quarry")[-1] == "Rui: take tobacco"


@pytest.mark.parametrize(
    ("condition", "taken"),
    [
        ("doubloons at least 2", "coffee"),
        ("doubloons at least 3", "corn"),
        ("doubloons at most 2", "coffee"),
        ("doubloons >= 3", "corn"),
        ("doubloons ≤ 2 and corn is there", "coffee"),
        ("corn is gone", "corn"),
        ("Ana plays take quarry", "coffee"),
        ("Ana plays take corn", "corn"),
        ("Ana plays role settler and Ana plays take quarry", "coffee"),
        ("Eva plays role settler", "corn"),
    ],
)
def test_a_choice_is_made_only_if_its_conditions_hold(condition: str, taken: str) -> None:
    match = ordered(begun(), "Rui", f"settler coffee if {condition}, else corn")
    assert played(match, "role settler", "take quarry")[-1] == f"Rui: take {taken}"


def test_a_move_made_before_the_order_does_not_count() -> None:
    match = begun()
    played(match, "role settler")
    ordered(match, "Rui", "settler coffee if Ana plays role settler, else corn")
    assert played(match, "take quarry")[-1] == "Rui: take corn"


@pytest.mark.parametrize(
    ("order", "taken"), [("settler coffee", "coffee"), ("settler quarry", "corn")]
)
def test_an_order_for_its_kind_goes_before_one_for_every_turn(order: str, taken: str) -> None:
    match = ordered(begun(), "Rui", "always turn any", order)
    assert played(match, "role settler", "take quarry")[-1] == f"Rui: take {taken}"


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
    match = ordered(porto_before_a_contract(), "Ana", "act any if Bob plays contract 1-blue-floor")
    played(match, BUILD)
    assert match.to_move() == ["Bob"]
    assert played(match, "contract 1-blue-floor")[-1].startswith("Ana: draw")


def test_houses_are_words_in_any_case() -> None:
    match = ordered(porto_before_a_contract(), "Ana", "act any if Bob plays l5")
    ordered(match, "Bob", "act any blue-1 L5")
    assert played(match, "contract none")[-1].startswith("Ana: draw")


def test_a_color_is_a_word_of_all_its_cards() -> None:
    match = ordered(porto_before_a_contract(), "Ana", "act any draw yellow if Bob plays blue")
    assert match.order("act any but red", "Bob", dry_run=True).text(match.players) == (
        "act any but red"
    )
    assert played(match, BUILD, "contract none")[-1] == "Ana: draw yellow-2"
    with pytest.raises(InvalidMoveError, match="'rot' is not a word"):
        match.order("act any draw rot", "Bob")


# -- How long an order stands


def to_the_third_round(match: Match) -> None:
    """Play until the third round begins; the settler is taken as soon as possible."""
    while match.state.round < 3:
        legal = [match.text(one) for one in match.legal_moves()]
        match.play(next((one for one in legal if one == "role settler"), legal[0]))
        play_bots(match)


@pytest.mark.parametrize(("scope", "stands"), [("once ", 0), ("round ", 0), ("always ", 1)])
def test_an_order_stands_as_long_as_it_says(scope: str, stands: int) -> None:
    match = ordered(begun(), "Rui", f"{scope}settler corn, else any")
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
    assert {kind: one.order.text(PLAYERS) for kind, one in in_force(match.replay, 1).items()} == {
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


def test_an_order_stops_no_undo_of_another_player() -> None:
    match = begun()
    played(match, "role settler")
    match.order("settler coffee", "Rui")
    match.undo("Ana")
    assert match.to_move() == ["Ana"]
    assert list(in_force(match.replay, 1)) == ["settler"]


# -- What is no order


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Say which decision"),
        ("setler corn", "Did you mean settler?"),
        ("settler", "A choice is missing"),
        ("settler corn, else", "A choice is missing"),
        ("settler build hacienda", "settler"),
        ("settler quarry, coffee", "settler take quarry, else take coffee?"),
        ("settler corn if", "a condition is missing"),
        ("settler corn if dublons at least 2", "Did you mean doubloons?"),
        ("settler corn if gold at least 2", "'porto order FILE settler' lists"),
        ("settler corn if doubloons at least many", "is not a condition"),
        ("settler corn if Bob plays take corn", "'Bob'"),
        ("settler corn if Rui plays", "After 'plays'"),
        ("settler any but indgo", "'indgo' is not a word"),
        ("mayor any", "too many moves"),
        ("turn take corn", "which decision"),
        ("settler most", "store"),
        ("settler corn" + ", else corn" * 40, "at most 40 choices"),
        ("settler " + "corn " * 1000, "at most 2000 characters"),
    ],
)
def test_what_cannot_be_an_order_is_refused_with_what_would_be(text: str, said: str) -> None:
    match = begun()
    with pytest.raises(InvalidMoveError) as refused:
        match.order(text, "Rui")
    assert said in " ".join(map(str, refused.value.sentences))
    assert match.replay.declarations == ()


NO_KIND = "Say which decision the order is for."


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("puerto-rico", "take coffee", f"{NO_KIND} Did you mean: settler take coffee or craftsman"),
        (
            "puerto-rico",
            "build small market",
            "Did you mean: builder build small-market?",
        ),
        ("puerto-rico", "sensible", "mayor sensible, craftsman sensible or turn sensible?"),
        ("puerto-rico", "always pass", "Did you mean: always settler pass, always builder pass,"),
        ("puerto-rico", "turn take quarry", f"{NO_KIND} Did you mean: settler take quarry?"),
        (
            "puerto-rico",
            "always everything sensible",
            "'turn'. Did you mean: always turn sens",
        ),
        ("puerto-rico", "ship corn", "'load'. Did you mean: captain load corn?"),
        (
            "puerto-rico",
            "setler corn",
            "these are role, settler, mayor, builder, craftsman, ",
        ),
        ("puerto-rico", "settler quarry or coffee", "take quarry, else take coffee?"),
        (
            "puerto-rico",
            "take the quarry, otherwise sugar",
            "take quarry, else take sugar?",
        ),
        ("puerto-rico", "settler coffee then quarry", "take coffee, else take quarry?"),
        ("puerto-rico", "settler not indigo", "Did you mean: settler any but indigo?"),
        ("puerto-rico", "settler anything except indigo", "settler any but indigo?"),
        ("puerto-rico", "builder pass until captain", "once, which can be left out, round or"),
        ("puerto-rico", "this round settler coffee", "Did you mean: round settler take coffee?"),
        ("puerto-rico", "captain most vp forever", "Did you mean: always captain most-vp?"),
        ("puerto-rico", "for the rest of the game captain any", "always captain any?"),
        ("puerto-rico", "next settler: coffee", "Did you mean: settler take coffee?"),
        ("puerto-rico", "settler corn when corn is there", "'if'"),
        ("puerto-rico", "settler corn while sugar is gone", "take corn if sugar is gone?"),
        ("puerto-rico", "settler corn unless sugar is there", "take corn if sugar is gone?"),
        ("puerto-rico", "if corn is there: take quarry", "settler take quarry if corn is there?"),
        ("puerto-rico", "builder hacienda if it costs 1 or less", "if cost at most 1?"),
        ("puerto-rico", "settler corn if craftsman is taken", "if craftsman is gone?"),
        ("puerto-rico", "settler corn if Ana takes craftsman", "if Ana plays craftsman?"),
        ("puerto-rico", "settler corn if x", "like: quarry is gone or Eva plays role settler."),
        ("puerto-rico", "captain any if x", "like: room-6 at least 2 or Eva plays role settler."),
        ("puerto-rico", "store everything", "an order for 'store' can say most, any or most-vp;"),
        ("puerto-rico", "cancel", "Did you mean: none?"),
        ("puerto-rico", "take back", "Did you mean: none?"),
        ("puerto-rico", "delete settler", "Did you mean: settler none?"),
        ("puerto-rico", "settler off", "Did you mean: settler none?"),
        ("puerto-rico", "list", "'porto order FILE' lists your orders"),
        ("puerto-rico", "?", "'porto order FILE' lists your orders"),
        ("porto", "draw red-1", f"{NO_KIND} Did you mean: act draw red-1?"),
        ("porto", "act draw any red", "Did you mean: act any draw red?"),
        ("porto", "act build anything", "Did you mean: act any build?"),
        ("porto", "act draw blue-3, else build", "Did you mean: act draw blue-3, else any build?"),
        (
            "porto",
            "if red-2 is there: draw red-2",
            "mean: act draw red-2 if red-2 is there?",
        ),
        ("porto", "act pass if Rui draws red-1", "Did you mean: act pass if Rui plays draw red-1?"),
        ("porto", "contract all", "can say only, sensible, any or most-vp;"),
        ("porto", "act any if x", "like: red-2 is there or Eva plays draw"),
    ],
)
def test_what_people_say_otherwise_leads_to_what_an_order_says(
    game: str, text: str, said: str
) -> None:
    match = porto_cli.new_game(PLAYERS, game=game, seed="yauco", first="Ana")
    with pytest.raises(InvalidMoveError) as refused:
        match.order(text, "Rui")
    assert said in " ".join(map(str, refused.value.sentences))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("settler take the quarry", "settler take quarry"),
        ("settler: a coffee if the Quarry is gone", "settler take coffee if quarry is gone"),
        ("builder the Small Market", "builder build small-market"),
        ("builder any but the small market", "builder any but small-market"),
        ("captain most vp", "captain most-vp"),
        (
            "role mayor if Rui plays build a Small Market",
            "role role mayor if Rui plays build small-market",
        ),
    ],
)
def test_articles_are_left_out_and_names_may_stand_apart(typed: str, text: str) -> None:
    match = begun()
    assert match.order(typed, "Rui").text(PLAYERS) == text


def test_a_record_has_no_articles() -> None:
    with pytest.raises(InvalidFileError):
        loads(f"{begun().record.text}- Rui: order settler take the quarry\n")


@pytest.mark.parametrize(
    ("game", "order", "meaning"),
    [
        ("puerto-rico", "craftsman sensible", "1. Take all goods on offer, if you may take that"),
        ("puerto-rico", "mayor sensible", "1. Fill every circle that is of use"),
        (
            "porto",
            "turn sensible",
            "1. When you choose which public contracts your",
        ),
        (
            "puerto-rico",
            "role mayor if captain is gone",
            "if captain is gone (counted: 1 while",
        ),
    ],
)
def test_a_meaning_is_that_for_the_kind_of_decision(game: str, order: str, meaning: str) -> None:
    match = porto_cli.new_game(PLAYERS, game=game, seed="yauco", first="Ana")
    given = match.order(order, "Rui", dry_run=True)
    assert meaning in " ".join(map(str, explained(given, match.game, PLAYERS)))


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


# -- In a record


def test_what_is_read_is_written_in_one_form() -> None:
    match = begun()
    texts = {
        "Settler: QUARRY, else coff else any But indigo": "settler take quarry, else take coffee, "
        "else any but indigo",
        "once builder: build hac if it costs <= 2, else pass": "builder build hacienda if cost at "
        "most 2, else pass",
        "always captain: most-vp if ana plays role captain": "always captain most-vp if Ana plays "
        "role captain",
        "round settler corn if corn at least 1": "round settler take corn if corn is there",
        "NONE": "none",
    }
    for typed, canonical in texts.items():
        order = read_order(typed, match.game, match.config)
        assert order.text(PLAYERS) == canonical
        assert read_order(canonical, match.game, match.config) == order


@pytest.mark.parametrize(
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
    match.order(f"settler quarry if {name} plays role mayor, else any if {name} plays role", "Ana")
    match.read_back()
    assert loads(match.record.text).replay.declarations == match.replay.declarations
    played(match, "role craftsman")
    assert played(match, "role settler", "pass")[-1].startswith("Ana: take")


def test_an_order_is_as_long_as_it_is_written() -> None:
    """The beginning of a name is written in full."""
    match = porto_cli.new_game(["Ana", "R" * 40], game="puerto-rico", seed="yauco")
    with pytest.raises(InvalidMoveError, match="at most 2000 characters"):
        match.order("settler any" + ", else any if R plays role" * 39, "Ana")


def test_a_record_without_its_orders_is_one_of_the_same_game() -> None:
    match = ordered(begun(), "Rui", "always settler corn, else any", "always turn sensible")
    ordered(match, "Eva", "always builder pass")
    to_the_third_round(match)
    assert "# ordered" in match.record.text
    again = loads(match.record.text)
    assert (again.state, again.digest) == (match.state, match.digest)
    lines = match.record.text.splitlines(keepends=True)
    bare = loads("".join(line for line in lines if ": order " not in line))
    assert bare.state == match.state
    assert bare.digest != match.digest


@pytest.mark.parametrize(
    "line", ["order setler corn", "order", "order settler corn if x at least 1"]
)
def test_a_record_with_a_wrong_order_is_refused_at_its_place(line: str) -> None:
    text = f"{ordered(begun(), 'Rui', 'settler corn').record.text}- Eva: {line}\n"
    with pytest.raises(InvalidFileError) as refused:
        loads(text)
    assert refused.value.place.line == text.count("\n")


def test_an_order_cannot_follow_the_result() -> None:
    match = begun()
    rng = Random(1)
    while not match.over:
        legal = match.legal_moves()
        match.play(legal[int(rng.random() * len(legal))])
    with pytest.raises(InvalidFileError, match="before the result"):
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
    at_once = "It is your turn: what is possible now is done at once."
    assert at_once in porto("order", FILE, "role", "settler", "--as", "Ana", "--dry-run").out
    assert at_once not in porto("order", FILE, "settler", "corn", "--as", "Ana", "--dry-run").out
    assert at_once not in porto("order", FILE, "role", "none", "--as", "Ana", "--dry-run").out


def test_who_orders_in_the_turn_of_another_is_told_to_send_the_game(
    porto: Play, sunday: Path
) -> None:
    send = "The others need this copy, so that their programs know it: porto mail sunday.yaml\n"
    assert send in porto("order", FILE, "settler", "corn", "--as", "Rui").out
    assert send not in porto("order", FILE, "settler", "corn", "--as", "Ana").out


def test_decisions_that_the_game_cannot_have_are_not_listed(porto: Play, sunday: Path) -> None:
    listed = porto("order", FILE, "--as", "Ana").out
    assert "ordered: role, settler, mayor, builder, craftsman, trader, captain, store, turn." in (
        listed
    )


def test_orders_are_listed_for_their_owner_only(porto: Play, sunday: Path) -> None:
    porto("order", FILE, "always builder pass", "--as", "Rui")
    own = porto("order", FILE, "--as", "Rui", "--format", "json")
    assert [one["order"] for one in validated("order", own.out)["orders"]] == [
        "always builder pass"
    ]
    other = porto("order", FILE, "--as", "Ana", "--format", "json")
    assert validated("order", other.out)["orders"] == []


def test_only_decisions_that_the_game_can_have_are_listed(porto: Play, sunday: Path) -> None:
    said = porto("order", FILE, "--as", "Rui").out
    assert "can be ordered: role, settler, mayor, builder, craftsman" in said
    assert "library" not in said


def test_a_dry_run_writes_nothing(porto: Play, sunday: Path) -> None:
    before = sunday.read_bytes()
    result = porto("order", FILE, "settler", "coffee", "--as", "Rui", "--dry-run")
    assert (result.code, sunday.read_bytes()) == (0, before)
    document = porto("order", FILE, "settler", "coffee", "--as", "Rui", "-n", "--format", "json")
    assert json.loads(document.out)["orders"][0]["order"] == "settler take coffee"


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


def test_what_stopped_is_said_to_the_player(porto: Play, sunday: Path) -> None:
    porto("order", FILE, "settler", "corn", "--as", "Rui")
    porto("role", FILE, "settler", "--as", "Ana")
    porto("take", FILE, "corn", "--as", "Ana")
    document = validated("order", porto("order", FILE, "--as", "Rui", "--format", "json").out)
    assert document["to_move"] == ["Rui"]
    assert "take corn" in " ".join(document["stopped"])


SEED_WITH_A_GUEST = 3


def test_any_move_is_one_of_the_decision_that_waits() -> None:
    """What can be done besides, like moving a guest before selling, is of another kind."""
    match = porto_cli.new_game(PLAYERS, game="puerto-rico", seed="s0", buildings="random")
    rng, orders = Random(SEED_WITH_A_GUEST), match.game.orders
    while not (besides := guests_besides(match)):
        legal = match.game.legal_moves(match.state, match.state.seat, 100)
        match.play(legal[int(rng.random() * len(legal))])
    assert {text.split()[0] for text in besides} == {"guest"}
    seat, kind = match.state.seat, orders.kind(match.state)
    match.order("turn any", seat)
    first, *_ = play_bots(match)
    assert first.moves[0].split()[0] in orders.kinds[kind].verbs


def guests_besides(match: Match) -> list[str]:
    """Return the moves of a guest that can be made during another decision."""
    if match.over or match.game.orders.kind(match.state) == "guest":
        return []
    legal = match.game.legal_moves(match.state, match.state.seat, 100)
    texts = [match.text(move) for move in legal]
    return [text for text in texts if text.startswith("guest")]
