"""What players say to each other: in mails, in the log, and never a part of the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porto_cli
from porto_cli.match.match import Match, load, loads
from porto_cli.match.said import LONGEST, said_in, with_said_of
from porto_cli.pages import above
from tests.conftest import ROOT
from tests.documents import validated
from tests.mail.test_receive import mail, play_on
from tests.mails import html_of, joanas_turn, message_of, plain_text
from tests.sealed_games import FILE, mover, played, seen_by, set_up

GAMES = ("porto", "puerto-rico")
MEAN = 'Well <b>played</b> & "so on": # - {x}!'


@pytest.fixture
def turn(porto, tmp_path: Path) -> Path:
    """A game in which it is Joana's turn."""
    path = tmp_path / "friday.yaml"
    joanas_turn(path)
    return path


def said(match: Match) -> list[tuple[int, str, str]]:
    return [tuple(one) for one in said_in(match.record)]


def a_move(path: Path) -> str:
    return str(load(path).observe("Joana")["moves"][0]["move"])


def drawn(porto, path: Path, *words: str) -> Match:
    done = porto("draw", path.name, *a_move(path).split()[1:], "--quiet", *words)
    assert done.code == 0, done.err
    return load(path)


def test_a_move_with_words_is_the_move_without_them(porto, turn: Path) -> None:
    before = turn.read_text()
    plain = drawn(porto, turn)
    turn.write_text(before)
    spoken = drawn(porto, turn, "--say", MEAN)
    assert spoken.digest == plain.digest
    assert spoken.record.items == plain.record.items
    assert spoken.record.text == plain.record.text + f"# Joana says: {MEAN}\n"
    assert said(spoken) == [(len(spoken.record.items) - 1, "Joana", MEAN)]


def test_blanks_and_line_ends_become_single_blanks(porto, turn: Path) -> None:
    match = drawn(porto, turn, "--say", " Well\n\tplayed!\n- Inês: undo\u2028\x85x ")
    assert [one.text for one in said_in(match.record)] == ["Well played! - Inês: undo x"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "needs a text"),
        (" \n", "needs a text"),
        ("\x1b[31mred", "takes printable text, but got '\\x1b[31mred'"),
        ("\u202eright to left", "\\u202e"),
        ("\udcff", "\\xff"),
        ("x" * (LONGEST + 1), f"at most {LONGEST} characters, but got {LONGEST + 1}"),
    ],
)
@pytest.mark.parametrize("command", ["draw", "undo", "mail"])
def test_what_cannot_be_said_is_refused(porto, turn: Path, command, typed, says) -> None:
    before = turn.read_bytes()
    words = a_move(turn).split()[1:] if command == "draw" else ()
    done = porto(command, turn.name, *words, "--say", typed)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert turn.read_bytes() == before


def test_the_longest_words_and_joined_pictures_can_be_said(porto, turn: Path) -> None:
    text = "\U0001f468\u200d\U0001f469\u200d\U0001f467" + "x" * (LONGEST - 5)
    assert said(drawn(porto, turn, "--say", text))[0][2] == text


def test_a_dry_run_says_nothing(porto, turn: Path) -> None:
    before = turn.read_bytes()
    done = porto("draw", turn.name, *a_move(turn).split()[1:], "--dry-run", "--say", "Hello")
    assert done.code == 0
    assert porto("mail", turn.name, "--as", "Inês", "--dry-run", "--say", "Hello").code == 0
    assert turn.read_bytes() == before


def test_an_undo_keeps_what_was_said(porto, turn: Path) -> None:
    drawn(porto, turn, "--say", "This wins")
    assert porto("undo", turn.name, "--say", "It does not").code == 0
    assert [one[1:] for one in said(load(turn))] == [
        ("Joana", "This wins"),
        ("Joana", "It does not"),
    ]
    log = porto("log", turn.name).out
    assert "Joana says: “This wins" in log
    assert "Joana says: “It does not" in log


def test_words_belong_to_the_person_and_not_to_the_bot_that_moves_next(porto, tmp_path) -> None:
    porto("new", "bots.yaml", "Ana", "--bot", "Rui greedy", "--first", "Ana", "--quiet")
    assert porto("keep", "bots.yaml", "1", "2", "3", "--as", "Ana", "--quiet").code == 0
    match = load(tmp_path / "bots.yaml")
    words = match.text(match.legal_moves("Ana")[0]).split()[1:]
    assert porto("draw", "bots.yaml", *words, "--say", "Your turn, Rui", "--quiet").code == 0
    match = load(tmp_path / "bots.yaml")
    item, player, _ = said(match)[0]
    assert (player, match.replay.steps[item].seat) == ("Ana", match.seat("Ana"))
    assert item < len(match.record.items) - 1


# -- The log


@pytest.mark.parametrize("game", GAMES)
def test_the_log_has_it_as_text_json_and_page(porto, tmp_path: Path, game: str) -> None:
    match = play_on(porto_cli.new_game(["Ana", "Rui", "Bia"], game=game, seed="tram"), 8)
    lines = match.record.text.splitlines()
    lines.insert(match.record.items[5].places[0][0], f"# Rui says: {MEAN}")
    (tmp_path / "g.yaml").write_text("\n".join([*lines, ""]))
    assert f"Rui says: “{MEAN}" in " ".join(porto("log", "g.yaml").out.split())
    page = porto("log", "g.yaml", "--format", "html").out
    assert "Rui says: “Well &lt;b&gt;played&lt;/b&gt; &amp; " in page
    assert MEAN not in page
    document = validated("log", porto("log", "g.yaml", "--format", "json").out)
    turn = match.replay.steps[5].after.turn
    assert document["said"] == [{"turn": turn, "player": "Rui", "text": MEAN}]
    since = porto("log", "g.yaml", "--since", str(match.state.turn), "--format", "json").out
    assert "said" not in json.loads(since)


def test_what_is_said_below_an_order_goes_with_the_turn_before_it(porto, turn: Path) -> None:
    drawn(porto, turn)
    assert porto("order", turn.name, "act", "most-vp", "--as", "Joana", "--quiet").code == 0
    assert porto("mail", turn.name, "--as", "Joana", "--say", "I am away").code == 0
    assert turn.read_text().endswith("- Joana: order act most-vp\n# Joana says: I am away\n")
    assert "Joana says: “I am away" in porto("log", turn.name).out
    document = validated("log", porto("log", turn.name, "--format", "json").out)
    said = {"turn": load(turn).state.turn, "player": "Joana", "text": "I am away"}
    assert document["said"] == [said]


def test_a_log_without_words_has_no_such_key(porto, turn: Path) -> None:
    assert "said" not in json.loads(porto("log", turn.name, "--format", "json").out)


def test_only_comments_of_the_form_and_of_players_are_words() -> None:
    match = porto_cli.new_game(["Ana", "Rui", "Ana says: I"], seed="tram", first="Ana")
    text = match.record.text
    text += "# Zed says: hello\n# Ana has taken a hint.\n#Ana says: no blank\n# Ana says: \n"
    text += "# Ana says: one \n# Ana says: I says: two\n"
    assert [one[1:] for one in said(loads(text))] == [("Ana", "one"), ("Ana says: I", "two")]


def test_what_others_wrote_into_a_record_is_cut_and_shown_safely() -> None:
    text = porto_cli.new_game(["Ana", "Rui"], seed="tram").record.text
    found = said(loads(text + f"# Ana says: a\u200bb{'x' * 9999}\n"))[0][2]
    assert found.startswith("a\\u200bbxxx")
    assert len(found) == LONGEST


# -- Mails


@pytest.mark.long
def test_a_mail_has_it_above_the_news_until_the_next_turn_of_its_reader(porto, turn) -> None:
    drawn(porto, turn, "--say", MEAN)
    written = message_of(porto("mail", turn.name, "--format", "eml").out)
    text = plain_text(written)
    assert 0 < text.index("Joana says: “Well <b>played</b>") < text.index("SINCE YOUR LAST TURN")
    assert "Joana says: “Well &lt;b&gt;played&lt;/b&gt;" in html_of(written)
    move = load(turn).observe("Inês")["moves"][0]["move"].split()[1:]
    assert porto("draw", turn.name, *move, "--say", "Thanks", "--quiet").code == 0
    text = porto("mail", turn.name, "--format", "text").out
    assert "Inês says: “Thanks" in text
    assert "Joana says" not in text


def test_a_mail_with_words_is_another_message_with_the_same_record(porto, turn) -> None:
    first = message_of(porto("mail", turn.name, "--as", "Inês", "--format", "eml").out)
    again = message_of(
        porto("mail", turn.name, "--as", "Inês", "--say", "Hurry :)", "--format", "eml").out
    )
    assert "Inês says: “Hurry :)" in plain_text(again)
    assert again["Message-ID"] != first["Message-ID"]
    assert first["References"] == again["References"]
    assert again["Subject"] == first["Subject"]
    assert turn.read_text().endswith("# Inês says: Hurry :)\n")


def test_a_mail_of_a_record_on_standard_input_cannot_say_anything(porto, turn: Path) -> None:
    done = porto("mail", "-", "--as", "Inês", "--say", "Hello", stdin=turn.read_text())
    assert done.code == 2
    assert "standard input" in done.err


# -- Seats that change hands


@pytest.mark.parametrize("game", GAMES)
def test_own_words_are_no_news_to_who_has_taken_a_seat(game: str) -> None:
    match = play_on(porto_cli.new_game(["Ana", "Rui", "Eva"], game=game, seed="tram"), 9)
    match.note("Rui says: I have to go")
    match.seat_to("to Bea", "Rui")
    match.note("Bea says: Hello all")
    replay = loads(match.record.text).replay
    for reader, heard in (("Rui", ["Rui"]), ("Ana", ["Rui", "Bea"])):
        seat = match.seat(reader)
        news = above(replay, seat, seat).news
        said = (one.partition(" says: ") for each in news for one in each.full)
        told = [player for player, spoken, _ in said if spoken]
        assert told == heard


# -- Copies


def test_a_received_version_keeps_what_was_said_here(porto, turn: Path) -> None:
    here = drawn(porto, turn, "--say", "Well played!")
    lines = here.record.text.splitlines(keepends=True)
    without = loads("".join(lines[:-1]))
    there = play_on(without, 2)
    there.note("Inês says: Thanks")
    done = porto("receive", "--mine", stdin=mail(there))
    assert done.code == 0, done.err
    match = load(turn)
    assert match.digest == there.digest
    assert [one[1:] for one in said(match)] == [("Joana", "Well played!"), ("Inês", "Thanks")]
    assert said(match)[0][0] == len(here.record.items) - 1
    assert not list(turn.parent.glob("*~"))


def test_words_of_two_versions_stand_in_order_below_their_items() -> None:
    match = play_on(porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana"), 3)
    other = loads(match.record.text)
    other.note("Ana says: one")
    other.note("Rui says: two")
    match.note("Ana says: zero")
    joined = with_said_of(match.record, other.record)
    assert [one.text for one in said_in(joined)] == ["zero", "one", "two"]
    assert with_said_of(joined, other.record) == joined
    assert loads(joined.text).digest == match.digest


# -- Sealed games


@pytest.mark.long
def test_a_sealed_game_goes_on_over_what_was_said() -> None:
    text = played(set_up(2), 3)
    match = seen_by(text, mover(text))
    before = match.digest
    match.note(f"{mover(text)} says: {MEAN}")
    match.read_back()
    assert match.digest == before
    text = played(match.record.text, 3)
    assert [one.text for one in said_in(loads(text, FILE).record)] == [MEAN]


def test_words_need_a_game_that_has_begun(porto, tmp_path: Path) -> None:
    words = ("--secrecy", "sealed", "--first-game", "--as", "Ana")
    assert porto("new", "s.yaml", "Ana", "Rui", *words).code == 0
    done = porto("mail", "s.yaml", "--say", "Hello")
    assert done.code == 2, done.err
    assert "still being set up" in done.err


def test_an_old_record_is_read_as_before() -> None:
    match = load(ROOT / "records" / "porto" / "two-players.yaml")
    assert said_in(match.record) == []
    assert all(step.said == () for step in match.replay.steps)


def test_nothing_that_is_said_looks_like_news(porto, turn: Path) -> None:
    fake = "Quoted\u201d, isn't it? \u201cRui passes."
    match = load(turn)
    match.note(f"Joana says: {fake}")
    match.save()
    log = " ".join(porto("log", turn.name).out.split())
    assert """Joana says: \u201cQuoted", isn't it? "Rui passes.\u201d""" in log
