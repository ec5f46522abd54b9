"""Orders as people meet them: at the keyboard, and with the Tab key."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import porto_cli
from porto_cli.cli.rules import advice_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.match.match import Match
from porto_cli.match.orders import explained as explained_order
from porto_cli.match.orders import in_force, possible_kinds, read_order, what_can_be_said
from porto_cli.pages import news
from porto_cli.players.named import play_bots
from porto_cli.term.prompt import Lines
from tests.conftest import Result
from tests.porto.asking import BACK, Scripted
from tests.porto.test_completion import explained
from tests.sealed_games import keys, new_journals, played, set_up

Play = Callable[..., Result]
PLAYERS = ("Ana", "Rui", "Eva")
PUERTO_RICO, PORTO = "sunday.yaml", "friday.yaml"
AHEAD, WORDS = "Plan ahead", "in words"


@pytest.fixture
def sunday(porto: Play) -> Match:
    """Puerto Rico; face up are corn, indigo, tobacco and coffee, Ana takes the first role."""
    match = porto_cli.new_game(PLAYERS, game="puerto-rico", seed="yauco", first="Ana")
    match.save(PUERTO_RICO)
    return porto_cli.load(PUERTO_RICO)


@pytest.fixture
def friday(porto: Play) -> Match:
    """Porto, after all have kept their contracts: Ana draws first."""
    match = porto_cli.new_game(PLAYERS, seed="tram", first="Ana")
    for player in PLAYERS:
        match.play("keep 1 2 3", player=player)
    match.save(PORTO)
    return porto_cli.load(PORTO)


def orders(file: str) -> list[str]:
    """Return the orders that a record has, in their order."""
    lines = Path(file).read_text("utf-8").splitlines()
    return [line.removeprefix("- ") for line in lines if ": order " in line]


# -- At the keyboard


def sat(match: Match, *answers: object, seat: int | None = None) -> Scripted:
    """Play with these answers, then stop; return what was asked."""
    asker = Scripted(*answers, "Stop")
    with contextlib.suppress(StoppedError):
        Session(match, asker, seat).run()
    return asker


def test_an_order_is_explained_confirmed_and_written(sunday: Match) -> None:
    asker = sat(
        sunday, AHEAD, "settler:", WORDS, "coffee if Eva plays role mayor, else corn", None, BACK
    )
    assert orders(PUERTO_RICO) == [
        "Ana: order settler take coffee if Eva plays role mayor, else take corn"
    ]
    place = next(
        nth for nth, one in enumerate(asker.questions) if "and if that is not possible?" in one
    )
    order = read_order(orders(PUERTO_RICO)[0].split(maxsplit=2)[2], sunday.game, sunday.config)
    *meaning, _ = explained_order(order, sunday.game, PLAYERS)
    shown = " ".join(asker.seen[place].split())
    assert all(str(line) in shown for line in meaning)
    assert "order this for the next time only" in asker.seen[place]
    again = " ".join(asker.seen[place + 1].split())
    assert f"settler take coffee if Eva plays role mayor, else take corn: {meaning[0]}" in again
    assert "Take back: settler take coffee" in again


def test_the_question_shows_what_an_order_can_say(sunday: Match) -> None:
    asker = sat(sunday, AHEAD, "mayor:", BACK, BACK)
    asked = next(one for one in asker.seen if "mayor: what do you do then?" in one)
    assert "When you place your colonists:" in asked
    assert "sensible: " in asked
    assert "most-vp" not in asked, "there are too many placements to list"


@pytest.mark.parametrize(("scope", "word"), [("next time", ""), ("take it back", "always ")])
def test_how_long_it_stands_is_chosen(sunday: Match, scope: str, word: str) -> None:
    sat(sunday, AHEAD, "settler:", "take corn", scope, BACK)
    assert orders(PUERTO_RICO) == [f"Ana: order {word}settler take corn"]


def test_who_types_an_order_as_a_move_is_told_where_to_give_it(sunday: Match) -> None:
    asker = sat(sunday, "Type a move", "order settler corn", "sell", "")
    told = " ".join(asker.seen)
    assert "To order ahead, go back and type '+'." in told
    assert "'order' is not a move" not in told


def test_a_typed_move_may_begin_with_the_players_name(sunday: Match) -> None:
    asker = sat(sunday, "Type a move", "Rui: settler", "")
    told = " ".join(asker.seen)
    assert "'s turn; here you play Ana, not Rui." in told
    assert "is not a move" not in told


@pytest.mark.parametrize(
    "typed",
    [
        "role settler --as Ana",
        "porto role sunday settler",
        "Porto role sunday.yaml settler --as=Ana",
        "Role, the Settler",
        'porto move ./sunday.yaml "role settler"',
        "move sunday.yaml 'Ana: role settler'",
    ],
)
def test_a_whole_command_is_typed_like_its_move(sunday: Match, typed: str) -> None:
    sat(sunday, "Type a move", typed)
    assert "- Ana: role settler" in Path(PUERTO_RICO).read_text("utf-8")
    asker = sat(porto_cli.load(PUERTO_RICO), "Type a move", "take sunday", "take corn --as Eva", "")
    told = " ".join(asker.seen)
    assert "'sunday' cannot be taken" in told, "only a whole command has a file without suffix"
    assert "here you play Ana, not Eva." in told


def test_a_typed_move_that_lacks_its_verb_is_put_into_the_line(sunday: Match) -> None:
    asker = sat(sunday, "Type a move", "the Settler", None)
    assert "Did you mean this?" in asker.questions
    assert "- Ana: role settler" in Path(PUERTO_RICO).read_text("utf-8")
    match = porto_cli.new_game(PLAYERS[:2], seed="tram", first="Ana", private_contracts=False)
    first, second = next(
        move.split()[1:] for move in map(match.text, match.legal_moves()) if move.count(" ") == 2
    )
    match.save(PORTO)
    sat(porto_cli.load(PORTO), "Type a move", f"{second}, {first}", None)
    assert f"- Ana: draw {first} {second}" in Path(PORTO).read_text("utf-8")


def test_alone_among_bots_nobody_waits_so_nothing_is_planned_ahead(porto: Play) -> None:
    match = porto_cli.new_game(PLAYERS[:2], seed="tram", bots={"Rui": "level-1"})
    match.save(PORTO)
    asker = sat(porto_cli.load(PORTO), None, "Type a move", "order draw red-1", "")
    assert not any(AHEAD in one or "order ahead" in one for one in asker.seen)


def test_what_cannot_be_ordered_is_said_and_asked_again(sunday: Match) -> None:
    asker = sat(sunday, AHEAD, "settler:", WORDS, "cotton", "corn", BACK, "indigo", None, BACK)
    assert any("'cotton' cannot be taken" in one for one in asker.seen)
    assert orders(PUERTO_RICO) == ["Ana: order settler take indigo"]


def test_choices_are_picked_from_a_menu_one_after_the_other(sunday: Match) -> None:
    picks = ("take quarry", "take coffee", BACK, "take corn")
    asker = sat(sunday, AHEAD, "settler:", *picks, "take it back", BACK)
    assert orders(PUERTO_RICO) == ["Ana: order always settler take quarry, else take corn"]
    asked = [one for one in asker.questions if "not possible" in one]
    assert asked[-1] == "take quarry, else take corn: and if that is not possible?"
    menu = next(one for one in asker.seen if "settler: what do you do then?" in one)
    goods = [menu.index(f"take {good}") for good in ("corn", "indigo", "sugar", "tobacco")]
    assert goods == sorted(goods)


def test_what_is_picked_can_be_continued_in_words(sunday: Match) -> None:
    sat(sunday, AHEAD, "builder:", "build small-market", WORDS, "pass", None, BACK)
    assert orders(PUERTO_RICO) == ["Ana: order builder pass"], "what is typed is the whole text"


def test_what_is_not_confirmed_is_picked_again(sunday: Match) -> None:
    sat(sunday, AHEAD, "mayor:", "sensible", BACK, "sensible", None, BACK)
    assert orders(PUERTO_RICO) == ["Ana: order mayor sensible"]


def test_who_types_nothing_or_goes_back_orders_nothing(sunday: Match) -> None:
    sat(sunday, AHEAD, "settler:", WORDS, "", BACK, "mayor:", BACK, BACK)
    assert orders(PUERTO_RICO) == []


def test_one_order_or_all_are_taken_back(sunday: Match) -> None:
    for order in ("settler corn", "mayor sensible", "captain most-vp"):
        sunday.order(order, "Ana")
    sunday.save()
    sat(sunday, AHEAD, "Take back: mayor", BACK)
    assert list(in_force(porto_cli.load(PUERTO_RICO).replay, 0)) == ["settler", "captain"]
    sat(porto_cli.load(PUERTO_RICO), AHEAD, "Take back all", BACK)
    assert not in_force(porto_cli.load(PUERTO_RICO).replay, 0)


def test_decisions_that_the_game_cannot_have_are_not_offered(sunday: Match) -> None:
    asker = sat(sunday, AHEAD, BACK)
    offered = next(one for one in asker.seen if "order ahead?" in one)
    assert "settler: " in offered
    assert "draft: " not in offered


def test_ordered_moves_are_among_the_news(sunday: Match) -> None:
    sunday.order("settler coffee", "Rui")
    sunday.save()
    asker = sat(sunday, "settler", "quarry")
    assert asker.questions[-1] == "Eva, which tile will you take?"
    panel = " ".join(asker.seen[-1].split())
    assert "Rui took a coffee plantation. (Ordered.)" in panel
    assert asker.said == ["Rui (ordered): Rui took a coffee plantation."]


def test_the_own_ordered_move_is_told_once(sunday: Match) -> None:
    sunday.order("settler quarry", "Ana")
    sunday.save()
    asker = sat(sunday, "settler", "corn")
    assert asker.said == ["Ana (ordered): Ana took a quarry."]
    assert "Ana took a quarry. (Ordered.)" in asker.seen[-1]


def test_news_begin_after_the_last_move_that_its_reader_made(sunday: Match) -> None:
    sunday.order("settler coffee", "Rui")
    for move in ("role settler", "take quarry"):
        sunday.play(move)
    sunday.note("Ana says: Hello!")
    assert play_bots(sunday)
    sunday.note("Rui says: Thanks!")
    sunday.save()
    panel = " ".join(sat(porto_cli.load(PUERTO_RICO), None, seat=1).seen[-1].split())
    told = "Ana says: \u201cHello!\u201d You took a coffee plantation. (Ordered.)"
    assert told in panel
    assert "Rui says" not in panel


def test_news_of_porto_have_what_orders_did_and_what_was_said(friday: Match) -> None:
    friday.order("act most-vp", "Rui")
    friday.play(friday.legal_moves()[0])
    friday.note("Ana says: Hello!")
    assert play_bots(friday)
    friday.save()
    match = porto_cli.load(PORTO)
    told = [" ".join(one.full) for one in news(match.replay, 1)]
    assert "drew" in told[-2]
    assert told[-2].endswith("Ana says: \u201cHello!\u201d")
    assert told[-1].endswith("(Ordered.)")


def test_why_an_order_stopped_is_told_above_the_question_of_its_player_alone(
    sunday: Match,
) -> None:
    sunday.order("settler take tobacco", "Eva")
    sunday.save()
    asker = sat(sunday, "settler", "quarry", "tobacco")
    told = ["Your order for 'settler' stopped" in one for one in asker.seen]
    assert told == [False, False, False, True]
    assert asker.questions[-1] == "Eva, which tile will you take?"
    assert "'take tobacco': " in " ".join(asker.seen[-1].split())


def test_who_waits_for_others_can_order(friday: Match) -> None:
    asker = sat(
        friday, "Draw", None, AHEAD, "act:", WORDS, "build red-2 blue-1 L3", None, BACK, seat=0
    )
    assert any("It is Rui's turn." in one for one in asker.questions)
    assert orders(PORTO) == ["Ana: order act build red-2 blue-1 L3"]


def test_who_waits_for_others_can_say_something(friday: Match) -> None:
    asker = sat(friday, "Draw", None, "Say something to the others", "Well <b>played</b>!", seat=0)
    assert Path(PORTO).read_text("utf-8").endswith("# Ana says: Well <b>played</b>!\n")
    assert "Ana says: \u201cWell <b>played</b>!\u201d" in asker.seen[-1]


def test_words_that_cannot_be_said_are_not_written(friday: Match) -> None:
    text = Path(PORTO).read_text("utf-8")
    asker = sat(friday, "Draw", None, "Say something to the others", "x" * 501, seat=0)
    assert "at most 500 characters" in " ".join(asker.seen)
    sat(porto_cli.load(PORTO), "Say something to the others", "", seat=0)
    assert "says:" not in Path(PORTO).read_text("utf-8").removeprefix(text)


def test_who_hands_the_keyboard_over_can_order_and_shows_no_contracts(friday: Match) -> None:
    secrets = {PRIVATE_NAMES[card] for card in friday.state.dealt[0]} - {"palette", "side"}
    asker = sat(
        friday, "Go on as Ana", "Draw", None, AHEAD, "act:", "most-vp", "take it back", BACK
    )
    assert orders(PORTO) == ["Ana: order always act most-vp"]
    place = asker.questions.index("For which decision does Ana order ahead?")
    assert not any(secret in one for secret in secrets for one in asker.seen[place:])
    assert any(secret in one for secret in secrets for one in asker.seen[:place])


def test_that_an_order_replaces_one_is_said_to_its_owner_alone(friday: Match) -> None:
    words = ("act:", WORDS, "build red-2 blue-1 L3", None)
    asker = sat(
        friday, "Go on as Ana", "Draw", None, AHEAD, "act:", "most-vp", "take it back", *words, BACK
    )
    assert orders(PORTO) == [
        "Ana: order always act most-vp",
        "Ana: order act build red-2 blue-1 L3",
    ]
    told = ["This replaces your order" in one for one in asker.seen]
    assert any(told)
    assert not any(told[told.index(True) + 1 :])


def test_alone_there_is_nothing_to_order(porto: Play) -> None:
    porto_cli.new_game(["Ana"], seed="tram").save("solo.yaml")
    asker = sat(porto_cli.load("solo.yaml"), None)
    assert "Ana, what will you do?" in asker.questions[-1]
    assert not any(AHEAD in one for one in asker.seen)


@pytest.mark.long
def test_in_a_sealed_game_nothing_is_offered(tmp_path: Path) -> None:
    new_journals()
    path = tmp_path / PORTO
    path.write_text(played(set_up(3, 0, private_contracts=False), 3), "utf-8")
    match = porto_cli.load(path, keys("Rui"))
    asker = sat(match, seat=match.seat("Rui"))
    assert not any(AHEAD in one for one in asker.seen)


def test_it_can_be_done_line_by_line(
    sunday: Match, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["+", "?", "2", "?", "10", "quarry, else corn", "1", "b", "."])
    monkeypatch.setattr("builtins.input", lambda hint: next(typed))
    with contextlib.suppress(StoppedError):
        Session(sunday, Lines(advice_of(sunday.game.meta.id))).run()
    assert orders(PUERTO_RICO) == ["Ana: order settler take quarry, else take corn"]
    told = " ".join(capsys.readouterr().out.split())
    assert "An order says what you will do when a decision waits for you." in told
    for sentence in what_can_be_said(sunday.game, sunday.state, "settler")[1:]:
        assert told.count(str(sentence)) >= 2, "by the question mark, and above what is typed"


# -- The Tab key, and what a decision's orders can say


@pytest.mark.parametrize(
    ("typed", "some", "none"),
    [
        ("", {"settler", "captain", "none", "always"}, {"quarry"}),
        ("settler ", {"quarry", "take", "pass", "most-vp"}, {"small-market", "sensible"}),
        ("settler take ", {"quarry", "corn", "coffee"}, {"small-market", "settler"}),
        ("settler quarry, else ", {"take", "most-vp", "coffee"}, {"small-market"}),
        ("take ", {"quarry", "corn", "coffee"}, {"small-market"}),
        ("take quarry else ", {"take", "coffee"}, {"small-market"}),
        ("builder build ", {"wharf", "small-market"}, {"corn"}),
        ("builder wharf if ", {"Ana", "Rui"}, {"corn"}),
        ("builder wharf if Rui ", {"plays"}, {"else"}),
        ("builder wharf if Rui plays ", {"role", "settler", "build"}, {"Rui"}),
        ("captain load corn ", {"5", "if", "else", "then"}, {"quarry"}),
        ("always captain load corn ", {"else"}, {"then"}),
        ("captain load corn then ", {"load", "most-vp", "settler", "role"}, {"none", "always"}),
        ("captain load corn then builder ", {"build", "wharf"}, {"load", "none"}),
        ("take corn then build ", {"wharf"}, {"corn"}),
        ("role mayor if Rui plays role then settler quarry else ", {"take"}, {"role"}),
        ("mayor ", {"sensible", "place"}, {"most-vp"}),
    ],
)
def test_words_of_orders_are_completed(
    complete: Play, sunday: Match, typed: str, some: set[str], none: set[str]
) -> None:
    *words, last = typed.split(" ")
    offered = set(complete("order", PUERTO_RICO, *words, last))
    assert some <= offered
    assert not none & offered


def test_words_of_porto_are_completed(complete: Play, friday: Match) -> None:
    """Every card is offered, not only those that are face up now."""
    cards = {word for word in complete("order", PORTO, "act", "build", "") if "-" in word}
    assert {"blue-3", "yellow-2"} <= cards
    houses = complete("order", PORTO, "act", "build", "red-2", "green-3", "")
    assert "l3" in houses
    assert "blue-1" not in houses
    assert "blue+red" in complete("order", PORTO, "contract", "contract", "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_shells_show_what_the_words_mean(
    porto: Play, sunday: Match, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    assert "When you place" in explained(shell, f"porto order {PUERTO_RICO} ma", porto, monkeypatch)
    said = explained(shell, f"porto order {PUERTO_RICO} store sen", porto, monkeypatch)
    assert "As many barrels as possible" in said


def test_a_decision_alone_says_what_can_be_ordered(porto: Play, sunday: Match) -> None:
    before = Path(PUERTO_RICO).read_bytes()
    said = porto("order", PUERTO_RICO, "settler", "--as", "Ana").out
    for part in ("take quarry or pass", "'take' can be left out", "most-vp", "if Eva plays role"):
        assert part in said
    assert "sensible: " in porto("order", PUERTO_RICO, "mayor", "--as", "Ana").out
    assert Path(PUERTO_RICO).read_bytes() == before


def test_what_can_be_ordered_is_no_document(porto: Play, sunday: Match) -> None:
    refused = porto("order", PUERTO_RICO, "settler", "--format", "json")
    assert refused.code == 2
    assert json.loads(refused.err)["suggestions"] == [f"porto order {PUERTO_RICO} settler"]


@pytest.mark.parametrize("file", [PUERTO_RICO, PORTO])
def test_examples_can_be_ordered(porto: Play, sunday: Match, friday: Match, file: str) -> None:
    match = porto_cli.load(file)
    assert match.game.orders
    for kind in possible_kinds(match.game, match.config):
        said = porto("order", file, kind, "--as", "Ana").out
        [example] = [line for line in said.splitlines() if line.startswith("Several choices")]
        text = example.partition(": ")[2].rstrip(".")
        match.order(f"{kind} {text}", "Ana")


# -- The table


def test_who_has_orders_is_told_with_the_table_how_to_list_them(porto: Play, sunday: Match) -> None:
    porto("order", PUERTO_RICO, "settler", "corn", "--as", "Rui")
    for option in ((), ("--plain",)):
        shown = porto("show", PUERTO_RICO, *option, "--as", "Rui").out
        assert f"porto order {PUERTO_RICO} --as Rui" in shown
        for other in (("--as", "Ana"), ()):
            assert "rder" not in porto("show", PUERTO_RICO, *option, *other).out


def test_what_can_be_ordered_is_shown_by_moves_that_are_legal_now(porto: Play) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", private_contracts=False)
    match.save("now.yaml")
    said = porto("order", "now.yaml", "act", "--as", "Rui").out
    shown = said.partition("A move, like ")[2].partition(",")[0]
    assert shown in map(match.text, match.legal_moves())
    assert shown != "draw blue-1 red-2", "the example of the manual"
