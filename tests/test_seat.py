"""Seats that change hands: who plays from there on, and that nothing else in the game changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import porto_cli
from porto_cli.core import RefusedError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.copies import merge
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, loads
from porto_cli.match.orders import in_force
from porto_cli.players.named import bot_decisions, expected, play_bots
from tests.conftest import Result
from tests.documents import validated
from tests.mails import message_of
from tests.sealed_games import set_up
from tests.shares import for_each

FILE = "friday.yaml"
Play = Callable[..., Result]
PLAYERS = ("Ana", "Rui", "Eva")
BACK, OUT, LEVEL_3 = "back", "out", "bot level-3 version 1"


def begun(*players: str, game: str = "porto", **options: object) -> Match:
    match = porto_cli.new_game(
        players or PLAYERS, game=game, seed="tram", first=(players or PLAYERS)[0], **options
    )
    for seat in match.game.secret_movers(match.state):
        if seat in match.people:
            match.play("keep 1 2 3", player=seat)
    return match


def a_turn(match: Match) -> None:
    """Make the first legal moves of who is to move, until it is somebody else's turn."""
    seat = match.state.seat
    while not match.over and match.state.seat == seat:
        match.play(match.game.legal_moves(match.state, seat, 1)[0], player=seat)


def reread(match: Match) -> Match:
    """Read the record again, which has to lead to the same game."""
    again = loads(match.record.text)
    assert again.digest == match.digest
    assert again.state == match.state
    assert again.replay.holders == match.replay.holders
    return again


def with_items(match: Match, *items: str) -> str:
    return match.record.text + "".join(f"- {item}\n" for item in items)


@pytest.fixture
def friday(porto: Play) -> Path:
    """A game of three, all of whom have kept."""
    begun().save(FILE)
    return Path(FILE)


# -- Somebody else plays on


def test_who_takes_a_seat_plays_on_with_all_that_belongs_to_it(porto: Play, friday: Path) -> None:
    porto("draw", FILE, "green-3")
    done = porto("seat", FILE, "Rui", "--to", "Bea")
    assert done.code == 0
    assert done.out.startswith("Bea plays for Rui.\nIt is Bea's turn. To ")
    assert friday.read_text().endswith("- Rui: seat to Bea\n")
    assert porto("draw", FILE, "red-2", "--as", "Bea").code == 0
    assert friday.read_text().splitlines()[-2] == "- Rui: draw red-2"
    assert loads(friday.read_text()).to_move() == ["Eva"]


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--to", "Bea"), 2, "Bea plays for Rui.\n"),
        (("--out",), 1, "Rui is out; the game goes on without Rui.\n"),
    ],
)
def test_who_has_left_cannot_move(
    porto: Play, friday: Path, options: tuple[str, ...], code: int, says: str
) -> None:
    porto("draw", FILE, "green-3")
    porto("seat", FILE, "Rui", *options)
    before = friday.read_text()
    refused = porto("draw", FILE, "red-2", "--as", "Rui")
    assert (refused.code, refused.err) == (code, says)
    assert friday.read_text() == before


def test_the_full_name_of_who_has_left_is_not_the_beginning_of_another_name(
    porto: Play, friday: Path
) -> None:
    porto("seat", FILE, "Eva", "--to", "Ruiz")
    porto("seat", FILE, "Rui", "--to", "Bea")
    porto("draw", FILE, "green-3", "--as", "Ana")
    assert porto("draw", FILE, "red-2", "--as", "Bea").code == 0
    before = friday.read_text()
    refused = porto("draw", FILE, "blue-1", "--as", "Rui")
    assert (refused.code, refused.err) == (2, "Bea plays for Rui.\n")
    assert friday.read_text() == before
    assert porto("draw", FILE, "blue-1", "--as", "Ruiz").code == 0


def test_who_has_left_is_not_who_has_a_name_that_begins_alike(at: Play, friday: Path) -> None:
    at("Rui", "me", "Rui")
    at("Ana", "seat", FILE, "Eva", "--to", "Ruiz")
    at("Ana", "seat", FILE, "Rui", "--to", "Bea")
    at("Ana", "draw", FILE, "green-3", "--as", "Ana")
    at("Bea", "draw", FILE, "red-2", "--as", "Bea")
    before = friday.read_text()
    assert at("Rui", "draw", FILE, "blue-1").code != 0
    assert friday.read_text() == before
    assert "Private contracts of Eva" not in at("Rui", "show", FILE, "--plain").out


def test_the_settings_of_who_takes_a_seat_count(at: Play, friday: Path) -> None:
    at("Ana", "draw", FILE, "green-3")
    at("Bea", "me", "Bea")
    at("Rui", "me", "Rui")
    at("Ana", "seat", FILE, "Rui", "--to", "Bea")
    assert "Private contracts of Rui" in at("Bea", "show", FILE, "--plain").out
    assert "Private contracts of Rui" not in at("Rui", "show", FILE, "--plain").out
    assert at("Bea", "draw", FILE, "red-2").code == 0


def test_commands_that_are_shown_name_who_plays(porto: Play) -> None:
    porto("new", FILE, *PLAYERS, "--seed", "tram", "--first", "Ana")
    done = porto("seat", FILE, "Ana", "--to", "Bea")
    assert f"porto keep {FILE} 1 2 3 --as Bea" in done.out
    assert "--as Ana" not in done.out
    done = porto("seat", FILE, "Eva", "--to", "Ivo")
    porto("keep", FILE, "1", "2", "3", "--as", "Bea")
    assert "Rui and Ivo can already keep three" in porto("show", FILE).out


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_the_new_name_is_said_whose_turn_it_is(game: str, porto: Play) -> None:
    match = begun(game=game)
    match.seat_to("to Bea", "Ana")
    match.save(FILE)
    shown = porto("show", FILE, "--plain").out
    assert "Bea plays for Ana from turn 1 on." in shown
    assert "It is Bea's turn" in shown


def test_the_log_has_a_line_of_it(porto: Play, friday: Path) -> None:
    porto("draw", FILE, "green-3")
    for option in (("--to", "Bea"), ("--bot", "3"), ("--back",), ("--out",), ("--back",)):
        porto("seat", FILE, "Eva", *option)
    lines = [line.strip() for line in porto("log", FILE).out.splitlines()]
    assert [line for line in lines if "Eva" in line and "chose" not in line] == [
        "Bea plays for Eva from here on.",
        "A bot (level 3) plays for Eva from here on.",
        "Eva plays from here on.",
        "Eva is out from here on; the game goes on without Eva.",
        "Eva plays from here on.",
    ]


def test_a_second_person_can_take_over_and_the_first_come_back() -> None:
    match = begun()
    for what, name in (("to Bea", "Bea"), ("to Ivo", "Ivo"), (BACK, "Rui")):
        match.seat_to(what, "Rui")
        assert reread(match).replay.holders == ("Ana", name, "Eva")


@for_each("name", ["bot", "out", "back", "to", "seat", "x: y", "O'Brien", "[1]", "#", "A  B", "x:"])
def test_odd_names_are_names(name: str) -> None:
    match = begun()
    match.seat_to(f"to {name}", "Rui")
    known = " ".join(name.split())
    assert reread(match).replay.holders == ("Ana", known, "Eva")
    assert match.seat(known) == 1


def test_who_is_called_like_a_form_can_leave() -> None:
    match = begun("out", "back", "bot")
    for player, what in (("out", OUT), ("out", BACK), ("back", LEVEL_3), ("bot", "to to")):
        match.seat_to(what, player)
    assert reread(match).replay.holders == ("out", "back", "to")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Eva", "Eva has a seat in this game already"),
        ("EVA", "EVA has a seat in this game already"),
        ("Ivo", "Ivo has a seat in this game already"),
        ("refill", "special meaning"),
        ("x" * 41, "40 characters"),
    ],
)
def test_names_of_others_and_impossible_ones_are_refused(
    name: str, reason: str, porto: Play, friday: Path
) -> None:
    porto("seat", FILE, "Eva", "--to", "Ivo")
    before = friday.read_text()
    refused = porto("seat", FILE, "Rui", "--to", name)
    assert refused.code in (1, 2)
    assert reason in refused.err
    assert friday.read_text() == before


def test_who_the_settings_name_leaves_and_comes_back(at: Play, friday: Path) -> None:
    at("Rui", "me", "Rui")
    at("Rui", "seat", FILE, "--to", "Bea")
    assert at("Rui", "seat", FILE, "--back").out.startswith("Rui plays.\n")
    asked = at("Eva", "seat", FILE, "--out")
    assert (asked.code, asked.err.splitlines()[0]) == (2, "Whose seat? Name one of Ana, Rui, Eva.")


@pytest.mark.parametrize(
    "options",
    [
        *(("--to", "Bea", "--out"), ("--to", " "), ("--bot", "genius"), ("--bot", "3", "--back")),
        ("--out", "--send"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: tuple[str, ...], porto: Play, friday: Path
) -> None:
    before = friday.read_text()
    assert porto("seat", FILE, "Rui", *options).code == 2
    assert friday.read_text() == before


def test_nothing_is_written_twice(porto: Play, friday: Path) -> None:
    porto("seat", FILE, "Rui", "--to", "Bea")
    before = friday.read_text()
    refused = porto("seat", FILE, "Rui", "--to", "Bea")
    assert (refused.code, refused.err) == (1, "Nothing to change: Bea plays for Rui.\n")
    assert porto("seat", FILE, "Eva", "--back").err == "Nothing to change: Eva plays.\n"
    assert porto("seat", FILE, "Eva", "--to", "Eva").err == "Nothing to change: Eva plays.\n"
    assert friday.read_text() == before


def test_it_is_said_how_the_others_get_to_know(at: Play, friday: Path) -> None:
    for name in PLAYERS:
        at(name, "me", name)
    mail = f"The others need this copy: porto mail {FILE}"
    # It goes with the mail after the move of who is to move.
    assert mail not in at("Ana", "seat", FILE, "Rui", "--to", "Bea").out
    assert mail in at("Eva", "seat", FILE, "Rui", "--back").out
    assert mail in at("Rui", "seat", FILE, "--to", "Bea").out.splitlines()
    assert "\nAna, it is your turn.\n" in at("Rui", "mail", FILE, "--format", "text").out
    assert mail in at("Ana", "seat", FILE, "Ana", "--bot", "1").out
    assert mail not in at("Eva", "seat", FILE, "Eva", "--to", "Ivo", "-n").out


def test_who_has_left_does_not_move_for_others(at: Play, friday: Path) -> None:
    at("Rui", "me", "Rui")
    for options in (("--to", "Bea"), ("--bot", "1"), ("--out",)):
        at("Eva", "seat", FILE, "Rui", *options)
        before = friday.read_text()
        refused = at("Rui", "draw", FILE, "green-3")
        assert (refused.code, refused.err.splitlines()) == (
            1,
            [
                f"You have left this game; to come back: porto seat {FILE} --back",
                "To move for Ana, add: --as Ana",
            ],
        )
        assert friday.read_text() == before
    assert at("Rui", "draw", FILE, "green-3", "--as", "Ana").code == 0
    assert at("Rui", "seat", FILE, "--back").code == 0
    assert "It is Eva's turn, not Rui's." in at("Rui", "draw", FILE, "red-2").err


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_commands_shown_to_who_has_left_name_their_player(game: str, at: Play) -> None:
    match = begun(game=game)
    match.save(FILE)
    mover = match.to_move()[0]
    for name in (mover, "Bea", "Eva"):
        at(name, "me", name)
    handed = at(mover, "seat", FILE, "--to", "Bea").out
    for shown in (handed, *(at(mover, look, FILE).out for look in ("show", "moves", "log"))):
        moves = [line for line in shown.splitlines() if re.search(r"porto (draw|role) ", line)]
        assert moves, shown
        assert all("--as Bea" in line for line in moves), shown
    assert "--as" not in at("Bea", "show", FILE).out
    assert "--as Bea" in at("Eva", "show", FILE).out
    assert "--as" not in at(mover, "seat", FILE, "--back").out


def test_levels_are_explained_in_one_sentence(porto: Play, friday: Path) -> None:
    assert porto("seat", FILE, "Rui", "--bot", "9").err == (
        "There is no player type '9' of Porto; there are random, greedy, 1, 2, 3, 4, 5.\n"
    )
    asked = porto("seat", FILE, "Rui", "--bot")
    assert asked.code == 2
    assert "After '--bot', LEVEL is missing:" in asked.err
    assert "--bot 3" in asked.err


def test_the_program_is_asked_for_before_it_moves_at_once(
    porto: Play, friday: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, waits = friday.read_text(), "The game waits for Ana, so the bot moves at once."
    assert waits in porto("seat", FILE, "Ana", "--bot", "3", "-n").out
    assert waits not in porto("seat", FILE, "Rui", "--bot", "3", "-n").out
    answers = [False, True]
    asker = SimpleNamespace(confirm=lambda question: answers.pop(0))
    monkeypatch.setattr("porto_cli.cli.ask.can_ask", lambda: True)
    monkeypatch.setattr("porto_cli.cli.ask.asker", lambda game: asker)
    refused = porto("seat", FILE, "Ana", "--bot", "3")
    assert refused.out.splitlines()[1:] == [waits, "Nothing was written."]
    assert friday.read_text() == before
    assert "Ana (bot 3) moves:" in porto("seat", FILE, "Ana", "--bot", "3").out
    assert not answers
    assert porto("seat", FILE, "Eva", "--bot", "3").code == 0


def test_a_dry_run_writes_nothing(porto: Play, friday: Path) -> None:
    before = friday.read_text()
    done = porto("seat", FILE, "Rui", "--bot", "3", "--dry-run")
    assert done.out.splitlines() == [
        "This would happen:",
        "A bot (level 3) plays for Rui.",
        "Nothing was written: this was a dry run.",
    ]
    assert friday.read_text() == before


def test_who_does_not_play_has_no_seat_to_list(porto: Play, friday: Path) -> None:
    done = porto("seat", FILE, "Zoe")
    assert (done.code, done.out) == (2, "")
    assert "There is no player 'Zoe'" in done.err


def test_the_seats_are_listed(porto: Play, friday: Path) -> None:
    porto("seat", FILE, "Rui", "--bot", "3")
    porto("seat", FILE, "Eva", "--to", "Bea")
    listed = porto("seat", FILE).out
    assert listed == "Ana plays.\nA bot (level 3) plays for Rui.\nBea plays for Eva.\n"
    found = validated("seat", porto("seat", FILE, "--format", "json").out)
    assert [one["holder"] for one in found["seats"]] == ["Ana", None, "Bea"]
    shown = validated("show", porto("show", FILE, "--format", "json").out)
    assert (shown["bots"], shown["holders"]) == ({"Rui": "level-3"}, {"Eva": "Bea"})
    score = validated("standings", porto("score", FILE, "--format", "json").out)
    assert (score["bots"], score["holders"]) == ({"Rui": "level-3"}, {"Eva": "Bea"})
    assert [one["name"] for one in shown["players"]] == list(PLAYERS)


def test_games_are_listed_under_the_new_name(porto: Play, friday: Path) -> None:
    porto("seat", FILE, "Ana", "--to", "Bea")
    porto("me", "Bea")
    found = validated("games", porto("games", "--format", "json").out)
    assert [(one["mine"], one["holders"]) for one in found["games"]] == [(True, {"Ana": "Bea"})]
    porto("me", "Ana")
    listed = " ".join(porto("games").out.split())
    assert "Bea's turn" in listed
    assert "Ana (played by Bea)" in listed


def test_mails_go_to_who_plays(porto: Play, friday: Path) -> None:
    porto("address", "Rui", "rui@example.org")
    porto("address", "Bea", "bea@example.org")
    porto("seat", FILE, "Rui", "--to", "Bea")
    porto("draw", FILE, "green-3")
    porto("mail", FILE, "--as", "Ana", "-o", "turn.eml")
    mail = Path("turn.eml").read_text()
    assert "bea@example.org" in mail
    assert "rui@example.org" not in mail
    assert "Bea, it is your turn." in mail
    assert "Bea plays for Rui from turn 1 on." in mail


def test_the_mail_says_what_the_program_did_and_who_is_back(porto: Play, friday: Path) -> None:
    porto("draw", FILE, "green-3")
    for options in (("--bot", "3"), ("--back",)):
        porto("seat", FILE, "Rui", *options)
    mail = porto("mail", FILE, "--as", "Rui", "--format", "text").out
    news = [line for line in mail.splitlines() if line.startswith("- ")]
    at = [
        place for place, line in enumerate(news) if " from here on" in line or "- Rui drew" in line
    ]
    assert [news[place].split()[1] for place in at] == ["A", "Rui", "Rui"]
    assert news[at[-1]] == "- Rui plays from here on."


def test_orders_of_who_has_left_end() -> None:
    match = begun(game="puerto-rico")
    match.order("settler most-vp", "Rui")
    assert in_force(match.replay, 1)
    match.seat_to("to Bea", "Rui")
    assert not in_force(match.replay, 1)
    match.order("settler corn", "Bea")
    assert in_force(reread(match).replay, 1)


@pytest.mark.long
def test_an_answer_of_who_plays_is_a_move(porto: Play, friday: Path) -> None:
    porto("address", "Rui", "rui@example.org")
    porto("address", "Bea", "bea@example.org")
    porto("seat", FILE, "Rui", "--to", "Bea")
    porto("draw", FILE, "green-3", "--as", "Ana")
    porto("mail", FILE, "--as", "Ana", "-o", "turn.eml")
    sent = message_of(Path("turn.eml").read_bytes())
    for sender, is_played in (("rui@example.org", False), ("bea@example.org", True)):
        answer = EmailMessage()
        answer["From"], answer["To"] = sender, "ana@example.org"
        answer["Subject"], answer["In-Reply-To"] = f"Re: {sent['Subject']}", sent["Message-ID"]
        answer.set_content("draw red-2")
        Path("answer.eml").write_bytes(answer.as_bytes())
        done = porto("receive", "answer.eml", "--yes")
        assert (done.code == 0) == is_played, done.err
    assert friday.read_text().splitlines()[-2] == "- Rui: draw red-2"


def test_the_moves_of_who_plays_can_be_tried(porto: Play, friday: Path) -> None:
    porto("seat", FILE, "Rui", "--to", "Bea")
    done = porto("try", FILE, "draw green-3", "Bea: draw red-2")
    assert done.code == 0
    assert "Bea plays for Rui." in porto("try", FILE, "draw green-3", "Rui: draw red-2").err


def test_names_and_levels_are_completed(
    porto: Play, friday: Path, complete: Callable[..., list[str]]
) -> None:
    porto("seat", FILE, "Rui", "--to", "Bea")
    assert complete("seat", FILE, "") == ["Ana", "Rui", "Eva"]
    assert complete("show", FILE, "--as", "") == ["Ana", "Bea", "Eva"]
    assert "3" in complete("seat", FILE, "Rui", "--bot", "")


# -- Bots


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_a_bot_plays_on_and_its_moves_can_be_verified(game: str, porto: Play) -> None:
    match = begun(game=game)
    for _ in range(4):
        a_turn(match)
    match.seat_to(f"bot level-3 version {match.game.meta.bots_version}", "Rui")
    play_bots(match)
    for _ in range(6):
        a_turn(match)
        play_bots(match)
    match.seat_to(BACK, "Rui")
    for _ in range(3):
        a_turn(match)
    match.save(FILE)
    made = [*bot_decisions(match.replay)]
    assert made
    assert {one.seat for one in made} == {1}
    assert [expected(match.replay, one) for one in made] == [None] * len(made)
    done = porto("verify", "--bots", FILE)
    assert f"all {len(made)} decisions of bots are genuine" in done.out


def test_a_changed_move_of_a_bot_that_has_left_is_found(porto: Play) -> None:
    match = begun()
    a_turn(match)
    match.seat_to(LEVEL_3, "Rui")
    bot = play_bots(match)[0].moves[0]
    other = next(
        one["move"]
        for one in match.game.observe(match.replay.steps[-1].before, 1)["moves"]
        if one["move"] != bot
    )
    fake = begun()
    a_turn(fake)
    fake.seat_to(LEVEL_3, "Rui")
    fake.play(other, player=1)
    fake.seat_to(BACK, "Rui")
    fake.save(FILE)
    done = porto("verify", "--bots", FILE)
    assert done.code == 3
    assert "Rui (bot 3) has" in done.err


def test_the_program_moves_at_once(porto: Play, friday: Path) -> None:
    done = porto("seat", FILE, "Ana", "--bot", "3")
    assert "Ana (bot 3) moves:" in done.out
    assert loads(friday.read_text()).to_move() == ["Rui"]
    refused = porto("pass", FILE, "--as", "Ana")
    assert refused.code == 1
    assert "Ana (bot 3) moves by itself" in refused.err


def test_a_bot_of_the_header_can_be_replaced_and_come_back() -> None:
    match = begun("Ana", "Eva", "Rui", bots={"Rui": "level-2"})
    match.seat_to("to Bea", "Rui")
    assert match.bots == {}
    assert match.replay.bots_at(0) is not None or not match.replay.steps
    match.seat_to("to Rui", "Rui")
    assert reread(match).people == [0, 1, 2]
    match.seat_to(BACK, "Rui")
    assert reread(match).bots == {"Rui": "level-2"}


@pytest.mark.parametrize("what", [LEVEL_3, OUT])
def test_at_least_one_person_stays(what: str) -> None:
    match = begun()
    match.seat_to(LEVEL_3, "Rui")
    match.seat_to(LEVEL_3, "Eva")
    with pytest.raises(RefusedError, match="at least one"):
        match.seat_to(what, "Ana")


def test_bots_play_only_where_the_seed_decides(porto: Play, table_game: Match) -> None:
    with pytest.raises(Exception, match="only in a game with 'secrecy: open'"):
        table_game.seat_to(LEVEL_3, "Rui")


@pytest.fixture
def table_game() -> Match:
    """A game on a real table."""
    seeded = porto_cli.new_game(PLAYERS, seed="tram", first="Ana")
    return porto_cli.new_game(PLAYERS, first="Ana", setup=seeded.record.deal._replace(private=()))


# -- Left out


def test_the_turns_of_a_seat_are_left_out() -> None:
    match = begun()
    a_turn(match)
    match.seat_to(OUT, "Rui")
    assert match.to_move() == ["Eva"]
    movers = []
    for _ in range(5):
        movers += match.to_move()
        a_turn(match)
    assert movers == ["Eva", "Ana"] * 2 + ["Eva"]
    reread(match)


def test_who_comes_back_plays_again_with_the_same_hand() -> None:
    match = begun()
    for _ in range(4):
        a_turn(match)
    hand = match.state.hands[1]
    match.seat_to(OUT, "Rui")
    for _ in range(3):
        a_turn(match)
    match.seat_to(BACK, "Rui")
    while match.to_move() != ["Rui"]:
        a_turn(match)
    assert match.state.hands[1] == hand
    a_turn(match)
    reread(match)


def test_who_comes_back_without_having_kept_keeps_first() -> None:
    match = porto_cli.new_game(PLAYERS, seed="tram", first="Ana")
    match.play("keep 1 2 3", player="Ana")
    match.play("keep 1 2 3", player="Eva")
    match.seat_to(OUT, "Rui")
    assert match.check("keep 1 2 3", "Rui")
    for _ in range(4):
        a_turn(match)
    match.seat_to(BACK, "Rui")
    while match.to_move() != ["Rui"]:
        a_turn(match)
    assert match.state.phase == "keep"
    match.play("keep 1 2 3", player="Rui")
    a_turn(match)
    reread(match)


def test_who_has_left_cannot_order_anything_before_coming_back(porto: Play) -> None:
    begun().save(FILE)
    porto("seat", FILE, "Rui", "--out")
    before = Path(FILE).read_bytes()
    for words in (("act", "most-vp"), ("none",), ("act", "most-vp", "--dry-run")):
        refused = porto("order", FILE, *words, "--as", "Rui")
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith("Rui has left the game: an order for Rui now")
        assert refused.proposed == [f"porto seat {FILE} Rui --back"]
    assert Path(FILE).read_bytes() == before
    porto("seat", FILE, "Rui", "--back")
    assert porto("order", FILE, "act", "most-vp", "--as", "Rui").code == 0


def test_an_order_that_who_has_left_gave_with_an_older_porto_stays_valid(porto: Play) -> None:
    match = begun()
    match.seat_to(OUT, "Rui")
    Path(FILE).write_text(match.record.text + "- Rui: order act any\n", "utf-8")
    assert porto("verify", FILE).code == 0


def test_private_contracts_of_who_has_left_do_not_count(porto: Play) -> None:
    match = begun()
    for _ in range(7):
        a_turn(match)
    match.seat_to(OUT, "Rui")
    score = match.state.scores[1]
    while not match.over:
        match.play(Random(match.state.turn).choice(match.legal_moves()))
    assert match.state.scores[1] == score
    assert "Rui: unproven" in match.record.text
    assert not match.observe("Rui")["players"][1]["private"]
    again = reread(match)
    again.save(FILE)
    assert porto("verify", FILE).code == 0
    assert "Rui is out from turn 8 on; the game goes on without Rui." in porto("score", FILE).out
    assert "holders" in validated("show", porto("show", FILE, "--format", "json").out)


def test_at_a_real_table_nobody_waits_for_the_contracts_of_who_has_left(table_game: Match) -> None:
    table_game.seat_to(OUT, "Rui")
    assert 1 not in table_game.state.unrevealed
    assert 0 in table_game.state.unrevealed
    reread(table_game)


@pytest.mark.parametrize(
    ("players", "game", "reason"),
    [
        (("Ana", "Rui"), "porto", "fewer than 2 players would be left"),
        (("Ana", "Rui", "Eva"), "puerto-rico", "cannot go on without Rui"),
    ],
)
def test_nobody_can_be_left_out_where_the_game_cannot_bear_it(
    players: tuple[str, ...], game: str, reason: str, porto: Play
) -> None:
    begun(*players, game=game).save(FILE)
    refused = porto("seat", FILE, "Rui", "--out")
    assert refused.code == 1
    assert reason in refused.err
    assert "--bot" in refused.err
    assert "--to" in refused.err


def test_a_turn_is_finished_before_its_player_leaves() -> None:
    match = begun()
    while match.state.phase != "contracts":
        match.play(Random(match.state.turn).choice(match.legal_moves()))
    player = match.to_move()[0]
    with pytest.raises(RefusedError, match="contract none"):
        match.seat_to(OUT, player)
    match.seat_to("to Bea", player)
    match.play("contract none", player="Bea")
    reread(match)


def test_the_last_turn_of_a_game_is_played() -> None:
    match = begun()
    rng = Random(1)
    while not match.state.end_round or match.state.turn < 3 * (match.state.end_round + 1) - 1:
        match.play(rng.choice(match.legal_moves()))
    player = match.to_move()[0]
    with pytest.raises(RefusedError, match="the game would end"):
        match.seat_to(OUT, player)


# -- Looking back


def left_after_four(turns: int = 4) -> Match:
    """A game in which Rui has left after four turns, just when it was their turn."""
    match = begun()
    for _ in range(4):
        a_turn(match)
    match.seat_to(OUT, "Rui")
    for _ in range(turns):
        a_turn(match)
    return match


@pytest.mark.long
def test_every_turn_can_be_looked_at_when_some_are_left_out(porto: Play) -> None:
    match = left_after_four()
    match.save(FILE)
    for turn in range(match.state.turn + 1):
        table = validated("show", porto("show", FILE, "--turn", str(turn), "--format", "json").out)
        assert table.get("holders", {}) == ({"Rui": None} if turn >= 4 else {})
        assert table["turns_over"] == {4: 5, 7: 8, 10: 11}.get(turn, turn)
    assert porto("show", FILE, "--turn", str(match.state.turn + 1)).code == 2


@pytest.mark.parametrize("turn", [None, 2, 4, 5, 6, 7])
def test_a_scenario_of_such_a_game_is_that_table(turn: int | None, porto: Play) -> None:
    left_after_four().save(FILE)
    of_a_turn = () if turn is None else ("--turn", str(turn))
    assert porto("scenario", "--from", FILE, *of_a_turn, "-o", "question.yaml").code == 0
    assert ("out: [Rui]" in Path("question.yaml").read_text()) == (turn != 2)
    done = porto("scenario", "question.yaml")
    assert done.code == 0, done.out
    assert "1 case passed." in done.out


def test_who_has_left_is_not_to_move_in_a_scenario(porto: Play) -> None:
    left_after_four().save(FILE)
    porto("scenario", "--from", FILE, "-o", "question.yaml")
    text = Path("question.yaml").read_text()
    Path("question.yaml").write_text(text.replace("to-move: Eva", "to-move: Rui"))
    assert "A player who has left is never to move" in porto("scenario", "question.yaml").err
    Path("question.yaml").write_text(text.replace("out: [Rui]", "out: [Zoe]"))
    assert "There is no player 'Zoe'" in porto("scenario", "question.yaml").err


# -- Undo


def test_a_change_of_seats_is_never_taken_back() -> None:
    match = begun()
    a_turn(match)
    match.seat_to("to Bea", "Rui")
    match.undo("Ana")
    assert match.to_move() == ["Ana"]
    assert reread(match).replay.holders == ("Ana", "Bea", "Eva")


def test_turns_before_a_seat_changed_hands_stay() -> None:
    match = begun()
    a_turn(match)
    match.seat_to("to Bea", "Ana")
    with pytest.raises(IllegalMoveError, match="changed hands"):
        match.undo("Bea")
    with pytest.raises(InvalidFileError, match="changed hands"):
        loads(with_items(match, "Ana: undo"))


def test_an_undo_takes_the_turns_of_a_new_bot_with_it() -> None:
    match = begun()
    match.seat_to(LEVEL_3, "Rui")
    a_turn(match)
    play_bots(match)
    match.undo("Ana")
    assert match.record.text.endswith("- Rui: undo\n- Ana: undo\n")
    assert reread(match).to_move() == ["Ana"]


def test_turns_of_a_bot_can_be_taken_back_after_it_has_left() -> None:
    match = begun()
    match.seat_to(LEVEL_3, "Rui")
    a_turn(match)
    play_bots(match)
    match.seat_to(BACK, "Rui")
    match.undo("Ana")
    assert reread(match).to_move() == ["Ana"]


def test_a_seat_stays_left_out_when_a_turn_before_is_taken_back() -> None:
    match = begun()
    a_turn(match)
    match.seat_to(OUT, "Rui")
    match.undo("Ana")
    assert match.to_move() == ["Ana"]
    assert reread(match).state.out == {1}
    a_turn(match)
    assert match.to_move() == ["Eva"]


def test_who_was_a_person_cannot_be_taken_back_by_others() -> None:
    match = begun()
    a_turn(match)
    a_turn(match)
    match.seat_to(LEVEL_3, "Rui")
    for player in ("Ana", "Rui", "Eva"):
        with pytest.raises(IllegalMoveError):
            match.undo(player)


# -- Two copies


@pytest.mark.parametrize("what", [LEVEL_3, OUT, "to Bea"])
def test_a_seat_given_while_another_player_moves_is_merged(what: str) -> None:
    other = begun()
    a_turn(other)
    mine = loads(other.record.text)
    a_turn(mine)
    other.seat_to(what, "Eva")
    for one, two in ((mine, other), (other, mine)):
        merged = merge(one.replay, two.replay)
        assert merged is not None
        assert merged.digest == loads(merged.record.text).digest
        assert merged.holders[2] == what.removeprefix("to ") or merged.people == [0, 1]
        assert [step.seat for step in merged.steps[-2:]] == [0, 1]


def test_who_receives_a_game_reads_who_plays(at: Play, friday: Path) -> None:
    before = friday.read_text()
    at("Ana", "seat", FILE, "Rui", "--to", "Bea")
    Path("in").mkdir()
    friday.rename("in/new.txt")
    friday.write_text(before)
    done = at("Ana", "receive", "in/new.txt", "--yes")
    assert "Bea plays for Rui from turn 1 on." in done.out
    assert loads(friday.read_text()).replay.holders == ("Ana", "Bea", "Eva")


def test_who_loses_a_seat_is_asked(at: Play, friday: Path) -> None:
    before = friday.read_text()
    at("Rui", "me", "Rui")
    at("Ana", "seat", FILE, "Rui", "--to", "Bea")
    Path("in").mkdir()
    friday.rename("in/new.txt")
    friday.write_text(before)
    refused = at("Rui", "receive", "in/new.txt")
    assert refused.code == 1
    assert "seat to Bea" in refused.err + refused.out
    assert friday.read_text() == before


# -- Records that cannot be


@for_each(
    ("item", "reason"),
    [
        ("Rui: seat bot nobody", "Name a version after the player type 'nobody'"),
        ("Rui: seat", "does not say who plays|not a move|verb"),
        ("Rui: seat to", "does not say who plays"),
        ("Rui: seat Bea", "does not say who plays"),
        ("Rui: seat to Eva", "Eva has a seat in this game already"),
        ("Rui: seat bot level-3", "Name a version after the player type 'level-3'"),
        ("Rui: seat bot level-3 version 0", "Name a version after the player type"),
        ("Rui: seat bot genius version 1", "no player type 'genius'"),
        ("Rui: seat out now", "does not say who plays"),
        ("Rui: seat out\n  refill: blue-1", "new item has to begin"),
        ("Bea: seat to Rui", "begins with the name of a player"),
    ],
)
def test_other_lines_are_refused(item: str, reason: str) -> None:
    with pytest.raises(InvalidFileError, match=reason):
        loads(with_items(begun(), item))


def test_after_the_end_nobody_takes_a_seat() -> None:
    match = begun()
    while not match.over:
        match.play(Random(match.state.turn).choice(match.legal_moves()))
    with pytest.raises(RefusedError, match="over"):
        match.seat_to(OUT, "Rui")
    with pytest.raises(InvalidFileError):
        loads(with_items(match, "Rui: seat to Bea"))


def test_forms_are_read_in_any_case_and_written_in_one() -> None:
    text = with_items(begun(), "Rui: SEAT  Out", "Eva: Seat TO Bea", "Eva: seat to Eva")
    written = [one.entries[0][1] for one in loads(text).replay.declarations]
    assert written == ["seat out", "seat to Bea", "seat back"]


# -- Sealed games


@pytest.mark.long
def test_a_sealed_game_names_the_command_that_does_it(porto: Play) -> None:
    Path(FILE).write_text(set_up(3, private_contracts=False))
    before = Path(FILE).read_text()
    for option in (("--out",), ("--to", "Zoe"), ("--bot", "3")):
        refused = porto("seat", FILE, "Rui", *option)
        assert refused.code == 1
        for word in ("only the key of Rui opens", "'porto key export'"):
            assert word in refused.err
        assert f"porto reveal {FILE} --without Rui" in refused.err
    assert Path(FILE).read_text() == before


# -- The same game, whoever plays


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
@pytest.mark.parametrize("nth", range(3))
def test_a_game_is_the_same_whoever_plays_it(game: str, nth: int) -> None:
    """A seat that is passed around between people leads to the same table after the same moves."""
    rng = Random(f"{game}/{nth}")
    match, plain = begun(game=game), begun(game=game)
    for _ in range(60):
        if match.over:
            break
        if rng.random() < 0.3:
            what = rng.choice([BACK, rng.choice(["to Bea", "to Ivo", "to Zoe"])])
            try:
                match.seat_to(what, rng.randrange(3))
            except RefusedError:
                continue
        name = match.replay.holders[match.state.seat]
        move = rng.choice(match.legal_moves())
        match.play(move, player=name)
        plain.play(move)
        assert match.state == plain.state
        if rng.random() < 0.1 and not match.over:
            try:
                match.undo(name)
            except IllegalMoveError:
                continue
            plain.undo()
            assert match.state == plain.state
    reread(match)


@pytest.mark.parametrize("nth", range(4))
def test_a_game_can_be_played_with_people_coming_and_going(nth: int) -> None:
    rng = Random(nth)
    match = begun()
    while not match.over:
        if rng.random() < 0.2:
            what = rng.choice([BACK, OUT, OUT, rng.choice(["to Bea", "to Ivo"])])
            try:
                match.seat_to(what, rng.randrange(3))
            except RefusedError:
                continue
        match.play(rng.choice(match.legal_moves()))
        if rng.random() < 0.1:
            try:
                match.undo(match.replay.steps[-1].seat)
            except IllegalMoveError:
                continue
    reread(match)
