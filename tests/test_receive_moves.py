"""Moves that are written into an answer: who plays without the program plays like this.

A line that is a move is a move. What else an answer says is shown to the user, who is asked.
"""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.games import GAMES, game_of
from porto_cli.mail import threads
from porto_cli.mail.answer import moves_of
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.mime import text_of_html
from porto_cli.mail.quotations import written_lines
from porto_cli.mail.words import Reply, read_reply
from porto_cli.match.match import Match
from tests.documents import validated
from tests.mails import joanas_turn, message_of, plain_text


def read(body: str, subject: str = "", game: str = "porto") -> Reply:
    return read_reply(body, subject, game_of(game))


REFERENCE = "porto-0123456789ab.0123456789abcdef01234567"


# -- What an answer says


NATURAL = [
    ("draw blue-3", ["draw blue-3"]),
    ("Draw Blue-3.", ["draw Blue-3"]),
    ("DRAW BLUE-3", ["draw BLUE-3"]),
    ("draw blue\u20113", ["draw blue-3"]),
    ("draw\xa0blue-3", ["draw blue-3"]),
    ("*draw blue-3*", ["draw blue-3"]),
    ('"draw blue-3"', ["draw blue-3"]),
    ("draw blue-3 :-)", ["draw blue-3"]),
    ("draw Red 3", ["draw Red-3"]),
    ("draw a red 3 and the blue 1", ["draw red-3 blue-1"]),
    ("draw red 3 blue 1", ["draw red-3 blue-1"]),
    ("draw blue-2/red-1", ["draw blue-2 red-1"]),
    ("draw blue-2+red-1", ["draw blue-2 red-1"]),
    ("build red 3 / blue 1 on L4", ["build red-3 blue-1 L4"]),
    ("contract blue+red", ["contract blue+red"]),
    ("draw cards blue-2 and red-1", ["draw blue-2 red-1"]),
    ("- draw red-3", ["draw red-3"]),
    ("1) keep 1 2 5\n2) draw red-3", ["keep 1 2 5", "draw red-3"]),
    ("draw\nred-3", ["draw red-3"]),
    ("draw red-2\nand blue-1\n\nCheers", ["draw red-2 blue-1"]),
    ("draw b3, please", ["draw b3"]),
    ("Hi,\n\n1. draw b3\n\nBest regards", ["draw b3"]),
    ("draw b3\n\nSee you!\n\nHave a nice evening", ["draw b3"]),
    ("draw b3\n\nSent from my iPhone", ["draw b3"]),
    ("porto draw friday.yaml red-3", ["draw red-3"]),
    ("    $ porto draw friday.yaml red-3 --as Rui", ["draw red-3"]),
    ("`porto draw 'my game.yaml' red-3`", ["draw red-3"]),
    ("draw friday.yaml red-3", ["draw red-3"]),
    ("porto keep friday.yaml 1 2 5\nporto draw friday.yaml b3", ["keep 1 2 5", "draw b3"]),
    ("keep 1 2 5", ["keep 1 2 5"]),
    ("keep 1, 2, 5; draw blue-3", ["keep 1 2 5", "draw blue-3"]),
    (
        "build red-3 blue-1 L4 token L6\ncontract blue+red",
        ["build red-3 blue-1 L4 token L6", "contract blue+red"],
    ),
    (
        "build red-3 and blue-1 on L4, then contract none",
        ["build red-3 blue-1 L4", "contract none"],
    ),
    ("pass", ["pass"]),
    ("undo", ["undo"]),
    ("draw red-9", ["draw red-9"]),
    ("Am 3.5.2026 um 20:11 schrieb Ana:\n> draw red-1\n\ndraw blue-3", ["draw blue-3"]),
    ("> draw red-1\ndraw blue-3\n> draw red-2", ["draw blue-3"]),
    ("draw blue-3\n\n-- \nI draw red-1 for a living", ["draw blue-3"]),
    (
        "draw blue-3\n\nOn Sun, May 3, 2026 at 8:11\nPM Ana <a@b.org> wrote:\n\n> x",
        ["draw blue-3"],
    ),
    ("draw blue-3\n\n-----Original Message-----\nFrom: Ana\ndraw red-1", ["draw blue-3"]),
    (
        "draw blue-3\n\n______________________\nVon: Ana\nGesendet: heute\ndraw red-1",
        ["draw blue-3"],
    ),
    ("draw blue-3\n\nFrom: Ana <a@b.org>\nSent: Sunday\n\ndraw red-1", ["draw blue-3"]),
    ("draw blue-3\nporto: 1\n- Ana: draw red-1", ["draw blue-3"]),
    ("draw blue-3\n\nAna wrote:\n\n    draw red-1\n    draw red-2", ["draw blue-3"]),
    ("Ana wrote:\n\nClick a move, for example:\n    draw red-1", []),
    (f"draw blue-3\n\nGame and turn: {REFERENCE}", ["draw blue-3"]),
    (f"draw blue-3 Game and turn: {REFERENCE}", ["draw blue-3"]),
    (f"draw blue-3\n\nGame and turn:\n{REFERENCE}", ["draw blue-3"]),
]
"""Answers, and the moves in them."""


def test_natural_answers() -> None:
    for body, moves in NATURAL:
        for ends in ("\n", "\r\n"):
            assert read(body.replace("\n", ends)) == Reply(tuple(moves)), body


@pytest.mark.parametrize(
    ("body", "moves"),
    [
        ("Take sugar.", ["take sugar"]),
        ("role captain", ["role captain"]),
        ("Role the Captain.", ["role Captain"]),
        ("build Small Market", ["build Small-Market"]),
        ("Build the small indigo plant!", ["build small-indigo-plant"]),
        ("mayor or captain", None),
        ("place add corn from san-juan", ["place add corn from san-juan"]),
        ("place first quarry corn", ["place first quarry corn"]),
        ("build small-indigo-plant", ["build small-indigo-plant"]),
        ("Take care,\nRui", []),
        ("guest none", ["guest none"]),
    ],
)
def test_natural_answers_of_another_game(body: str, moves: list[str] | None) -> None:
    reply = read(body, game="puerto-rico")
    if moves is None:
        assert reply.unclear
    else:
        assert list(reply.moves) == moves


WITHIN = [
    "I draw blue-3!",
    "Hi Ana, I'd like to draw blue-3 and red-2, please.",
    "My move: draw blue-3, red-2",
    "draw blue-3 because it is pretty",
    "Hello Ana, I draw red-3.",
    "I take red-3",
    "I'll take the red 3",
    "draw blue-3 \N{THUMBS DOWN SIGN}",
    "draw blue-3 --- red-2",
    "draw blue-3 (red-2)",
    "draw blue-3 -> red-2",
    "Today I will draw\nblue-2 red-1, which is all.",
    "draw blue-3?",
    "I draw blue-3, but not if red-2 is there",
    "next turn I draw blue-3",
    "draw blue-3 and a yellow one",
    "draw 1 blue",
    "- draw blue-3?",
    "blue-3 or red-2",
    "blue-3\nred-2\n\nHm.",
    "I would draw blue-3",
    "draw blue-3, as long as nobody minds",
    "draw blue-3, soon",
    "draw blue-3 (joke)",
    "porto draw friday.yaml blue-3?",
    "porto build friday.yaml red-3 blue-1 L4 --token L6",
]
"""Sentences with a move in them."""


def test_a_move_within_a_sentence_is_none() -> None:
    for body in WITHIN:
        reply = read(body)
        assert not reply.moves, body
        assert reply.unclear, body


BESIDE = [
    "Damn, you took my red-3!\ndraw blue-3",
    "draw blue-3\nthanks for the game",
    "draw blue-3. Sorry that it took so long!",
    "draw blue-3\nJoana",
    "draw blue-3\n---\nred-2",
    "draw blue-3! Sent from my phone by mistake",
    "Please don't:\n- draw blue-3",
    "What does\nporto draw friday.yaml blue-3\nmean?",
    "draw blue-3\nor red-3",
    "draw blue-3; red-2",
    "draw blue-3\n\nNo, red-3.",
    "draw blue-3\n\nMake that red-3.",
    "draw blue-3\n\nUnless you object.",
    "draw blue-3\nif nobody minds",
    "draw blue-3. Wait, I have to think.",
    "Please don't\ndraw blue-3",
    "e.g. draw blue-3",
    "draw blue-3\nJust kidding!",
    "draw blue-3. Let me think about it again.",
    "draw blue-3. OK?",
    "draw blue-3\nSorry, I mean draw red-2",
]
"""Answers with a move, and other words that may take it back."""


def test_words_beside_a_move_are_kept() -> None:
    """They may take it back, whatever the language; so the user reads them, and is asked."""
    for body in BESIDE:
        reply = read(body)
        assert len(reply.moves) == 1, body
        assert reply.words, body


def test_what_is_too_long_to_be_read_is_asked_about() -> None:
    polite = "draw blue-3\n" + "Thanks!\n" * 58
    assert not read(polite).words
    assert read(polite + "\nThanks!\nNo, wait").words
    long = "draw blue-3\n" + f"> {'a' * 70}\n" * 200
    assert not read(long).words
    assert read(long + "No, wait").words


@pytest.mark.parametrize(
    ("line", "is_a_phone"),
    [
        ("Sent from my iPhone", True),
        ("Von meinem iPad gesendet", True),
        ("Get Outlook for Android", True),
        ("Sent from my phone, do not play it", False),
        ("Sent with the wish that you do not play it", False),
    ],
)
def test_what_a_telephone_adds_is_short(line: str, is_a_phone: bool) -> None:
    assert bool(read(f"draw blue-3\n\n{line}").words) != is_a_phone


def test_a_move_too_many_is_asked_for() -> None:
    assert read("\n".join(["- draw b3"] * 12)).moves
    assert read("\n".join(["- draw b3"] * 13)).unclear


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Nice game!",
        "> draw blue-3",
        "-- \ndraw blue-3",
        "See you at the house on friday. I pass by at eight, and build on you.",
        "Great move, I keep losing.",
    ],
)
def test_prose_is_no_move(body: str) -> None:
    assert read(body)._replace(words="") == Reply()


def test_a_move_in_the_subject_counts_where_there_is_none_in_the_text() -> None:
    assert read("", "Re: draw blue-3").moves == ("draw blue-3",)
    assert read("Cheers", "draw blue-3 (was: Re: Porto)").moves == ("draw blue-3",)
    assert read("draw red-1", "Re: draw blue-3").moves == ("draw red-1",)
    assert read("No, please don't", "Re: draw blue-3").words
    assert read("Hi!", "Re: Porto: Rui is to move, round 1, turn 3 [0a1b2c3d]") == Reply()


def test_moves_of_two_games_are_not_taken_for_those_of_one() -> None:
    others = REFERENCE.replace("0123456789ab.", "ba9876543210.")
    both = f"draw blue-3\nGame and turn: {REFERENCE}\n\ndraw red-2\nGame and turn: {others}"
    assert read(both).unclear in (REFERENCE, others)
    assert not read(both).moves
    twice = f"draw blue-3\nGame and turn: {REFERENCE}\nGame and turn: {REFERENCE}"
    assert read(twice).moves == ("draw blue-3",)


def test_what_is_quoted_in_html_is_quoted_in_the_text() -> None:
    gmail = (
        '<div dir="ltr">draw blue-3<br></div><br><div class="gmail_quote"><div class="gmail_attr">'
        "On Sun, May 3, 2026 at 8:11 PM Ana &lt;<a>a@b.org</a>&gt; wrote:<br></div><blockquote>"
        "draw red-1<div>draw red-2</div></blockquote></div>"
    )
    outlook = (
        "<html><body><p class=MsoNormal>draw blue-3<o:p></o:p></p><div><div style='border:none'>"
        "<p><b>From:</b> Ana<br><b>Sent:</b> Sunday<br></p></div></div><p>draw red-1</p></body>"
    )
    for html in (gmail, outlook):
        assert read(text_of_html(html)).moves == ("draw blue-3",)


@pytest.mark.parametrize(
    "struck",
    [
        "<s>draw red-1</s>",
        "<strike>draw red-1</strike>",
        "<del>draw red-1</del>",
        '<span style="text-decoration: line-through">draw red-1</span>',
        '<span style="text-decoration-line:line-through;color:red">draw red-1</span>',
    ],
)
def test_what_is_struck_out_is_no_move(struck: str) -> None:
    assert not read(text_of_html(f"<p>{struck}</p>")).moves
    assert read(text_of_html(f"<p>{struck}</p><p>draw blue-3</p>")).moves == ("draw blue-3",)


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    written_lines(text)
    for game in GAMES:
        read(text, text, game)


WORDS = ["draw", "build", "I", "keep", "and", "blue-3", "L4", ".", ",", "?", ">", "--", "\n", "or"]


@given(st.lists(st.sampled_from([*WORDS, "1", "pass", ":", "L4.", "token"])))
def test_any_words_can_be_read(words: list[str]) -> None:
    read(" ".join(words))


MOVES = {
    "porto": {
        "draw blue-1": ("draw blue-1", "Draw the Blue 1.", "1. draw b1, please", "draw\nblue-1"),
        "draw red-2 blue-1": ("draw blue-1/red-2", "- draw red-2\nand blue-1"),
        "draw purple-2": ("porto draw friday.yaml 3", "draw card 3"),
    },
    "puerto-rico": {
        "role settler": ("role settler", "Role: the settler!", "role\nsettler"),
        "role mayor": ("porto role friday.yaml mayor", "role: mayor"),
        "role captain": ("role captain", "*role captain*"),
    },
}
"""How people write moves, by what they mean."""
COURTESIES = ("", "Hi!", "Thanks!", "Good morning,", "Viele Gr\xfc\xdfe", ":-)")
SMALL_TALK = (*COURTESIES, "It is cold here.", "Nice one, as always.", "How are you?")
DOUBTS = (
    "If nobody minds, {}",
    "{}?",
    "don't {}",
    "Please do not\n{}",
    "You said {}",
    "{}\nor {other}",
    "{} or {other}",
    "{}. No, {other}",
    "{}.\n\nWait.",
    "{}; {names}",
    "{} {names}?",
    "{}\n____\nNo, {other}",
    "{names}. {}",
    "{}.\n\nMake that {other}",
    "{}\nunless somebody minds",
    "{}, but only next turn",
    "maybe {}",
    "I would have liked to {}",
    "Why did you {}",
    "{} -> {names}",
    "{} vs. {names}",
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Match, int]]:
    """A game of each kind, and the seat of who is to move."""
    rico = porto_cli.new_game(["Inês", "Joana"], game="puerto-rico", seed="tram", first="Inês")
    rico.save(tmp_path_factory.mktemp("rico") / "friday.yaml")
    assert rico.path
    porto = tmp_path_factory.mktemp("porto") / "friday.yaml"
    joanas_turn(porto)
    return {"porto": (porto_cli.load(porto), 1), "puerto-rico": (porto_cli.load(rico.path), 0)}


def written(tables: dict[str, tuple[Match, int]], game: str, body: str) -> Reply:
    match, seat = tables[game]
    return moves_of(Incoming("m", body=body), match, seat, len(match.replay.steps))


def canonical(tables: dict[str, tuple[Match, int]], game: str, moves: tuple[str, ...]) -> list[str]:
    match, seat = tables[game]
    return [match.text(match.move(text, seat)) for text in moves]


SAID = [
    (game, move, words) for game, found in MOVES.items() for move in found for words in found[move]
]


@pytest.mark.parametrize(("game", "move", "words"), SAID)
def test_each_way_to_say_a_move_is_that_move(tables, game: str, move: str, words: str) -> None:
    for before in SMALL_TALK:
        for after in SMALL_TALK:
            reply = written(tables, game, f"{before}\n\n{words}\n\n{after}")
            assert canonical(tables, game, reply.moves) == [move]
            assert bool(reply.words) == (not {before, after} <= {*COURTESIES})


@pytest.mark.parametrize(("game", "move", "words"), SAID)
def test_no_move_in_doubt_is_played_without_a_question(tables, game, move, words) -> None:
    other = next(one for one in MOVES[game] if one != move)
    for doubt in DOUBTS:
        text = doubt.format(words, other=other, names=other.partition(" ")[2])
        for after in ("", "Thanks!"):
            reply = written(tables, game, f"{text}\n\n{after}")
            assert reply.words or reply.unclear, text
        assert not written(tables, game, f"> {text}".replace("\n", "\n> ")).moves, text


@given(
    st.sampled_from(SAID),
    st.sampled_from(["{}", "{}", *DOUBTS]),
    st.lists(st.sampled_from(SMALL_TALK), max_size=3),
    st.integers(8, 80),
)
def test_where_lines_are_broken_never_makes_another_move(tables, said, frame, talk, width) -> None:
    game, move, words = said
    other = next(iter(set(MOVES[game]) - {move}))
    words = words.removeprefix("- ")
    doubtful = frame.format(words, other=other, names=other.partition(" ")[2])
    text = " ".join([*talk, doubtful]).replace("\n", " ")
    reply = written(tables, game, "\n".join(wrap(text, width, break_on_hyphens=False)))
    if not reply.words:
        assert canonical(tables, game, reply.moves) in ([], [move] if frame == "{}" else [])


# -- What is done with it


PLAYERS = ["Inês", "Joana"]


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


def answer(
    match: Match,
    text: str,
    sender: str = "Joana Silva <joana@example.org>",
    *,
    to: int | None = None,
    known: bool = True,
) -> bytes:
    message = EmailMessage()
    message["From"] = sender
    message["Subject"] = "Re: Porto"
    if known:
        message["In-Reply-To"] = threads.message_id(match.replay, to)
        message["References"] = "<other@example.org> " + threads.message_id(match.replay, to)
    message.set_content(f"{text}\n\nAm 3.5.2026 um 20:11 schrieb Inês:\n> draw red-3\n")
    return message.as_bytes()


def turns(path: str = "friday.yaml") -> list[str]:
    return [line for line in Path(path).read_text("utf-8").splitlines() if line.startswith("- ")]


def test_without_a_terminal_a_move_is_shown_and_not_played(porto, game: Match) -> None:
    done = porto("receive", stdin=answer(game, "Draw Blue-1."))
    assert done.code == 2
    assert "Joana plays: draw blue-1." in done.out
    assert "porto draw friday.yaml blue-1\n" in done.out
    assert "--yes" in done.err
    assert len(turns()) == 3


def test_yes_plays_it_once(porto, game: Match) -> None:
    message = answer(game, "draw blue-1.")
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 0, done.err
    assert "Joana draws blue-1." in done.out
    assert turns()[-1] == "- Joana: draw blue-1"
    assert porto_cli.load("friday.yaml").to_move() == ["Inês"]
    again = porto("receive", "--yes", stdin=message)
    assert again.code == 0
    assert "played before" in again.out
    assert len(turns()) == 4


def test_numbers_are_those_of_the_table_that_the_writer_has_seen(porto, game: Match) -> None:
    message = answer(game, "draw 4")
    unknown = porto(
        "receive", "--yes", "--from", "Joana", stdin=answer(game, "draw 4", known=False)
    )
    assert unknown.code == 1
    assert "with the names instead of the numbers" in unknown.err
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: draw blue-1"
    assert "played before" in porto("receive", "--yes", stdin=message).out
    porto("undo", "friday", "--as", "Joana")
    porto("draw", "friday", "red-2", "--as", "Joana")
    other = answer(game, "draw 1")
    refused = porto("receive", "--yes", "--from", "Joana", stdin=other)
    assert refused.code == 1
    assert "with the names instead of the numbers" in refused.err


def test_an_answer_without_a_move_gets_a_text_to_send_back(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "Passo, ou talvez azul."))
    assert done.code == 1
    assert "You can send this back:" in done.err
    assert "  I found no move in your answer." in done.err
    thanks = porto("receive", stdin=answer(game, "Thanks!", "Inês <i@example.org>"))
    assert "send this back" not in thanks.err, "it is not her turn"


@pytest.mark.parametrize(
    "body",
    ["I like blue-1", "I have blue-1", "blue-1 is here", "my cards: blue-1 red-2", "2 blue-1"],
)
def test_what_there_is_is_no_move(porto, game: Match, body: str) -> None:
    done = porto("receive", "--yes", stdin=answer(game, body))
    assert done.code == 1
    assert "You can send this back:" in done.err
    assert len(turns()) == 3


def test_words_beside_a_move_are_shown_and_asked_about(porto, game: Match) -> None:
    message = answer(game, "draw blue-1\n\nPois, espera!")
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 1
    assert "Joana plays: draw blue-1." in done.out
    assert "porto draw friday.yaml blue-1\n" in done.out
    assert "Joana also writes: 'Pois, espera!'. So --yes does not play it." in done.err
    assert len(turns()) == 3
    greeted = "Ol\xe1 In\xeas,\n\ndraw blue-1\n\nObrigada,\nJoana Silva\n\nSent from my phone"
    done = porto("receive", "--yes", stdin=answer(game, greeted))
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: draw blue-1"


def test_words_beside_a_move_take_nothing_of_what_the_sender_is(porto, game: Match) -> None:
    """Who vouches for the sender is asked all the same."""
    done = porto("receive", "--yes", "--from", "Joana", stdin=answer(game, "draw b1\nHold on"))
    assert (done.code, len(turns())) == (1, 3)


def test_a_dry_run_says_what_would_be_played(porto, game: Match) -> None:
    done = porto("receive", "--yes", "-n", stdin=answer(game, "draw blue-1"))
    assert done.code == 0
    assert "Joana plays: draw blue-1." in done.out
    assert len(turns()) == 3


def test_an_illegal_move_is_answered_with_what_is_legal(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "draw yellow-3"))
    assert done.code == 1
    assert "You can send this back:" in done.err
    assert "  draw blue-1\n" in done.err
    assert len(turns()) == 3
    data = porto("receive", "--format", "json", stdin=answer(game, "draw yellow-3"))
    (one,) = validated("receive", data.out)["messages"]
    assert one["result"] == "refused-moves"
    assert any("draw blue-1" in line for line in one["answer"])


def test_a_move_out_of_turn_is_answered_with_whose_turn_it_is(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "draw blue-1", "Inês <i@example.org>"))
    assert done.code == 1
    assert "it is the turn of Joana" in done.err


def test_the_address_book_names_the_sender(porto, game, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    porto("address", "Inês", "nobody@example.org")
    done = porto("receive", stdin=answer(game, "draw blue-1", "J. <NOBODY@example.org>"))
    assert done.code == 1
    assert "Inês writes" in done.err


def test_else_it_is_whose_turn_it_is_and_that_is_said(porto, game: Match) -> None:
    done = porto("receive", stdin=answer(game, "draw blue-1", "x@example.org"))
    assert "the writer is assumed to be Joana, whose turn it is" in done.out
    named = porto("receive", "--from", "Joana", stdin=answer(game, "draw blue-1", "x@e.org"))
    assert "assumed" not in named.out
    assert porto("receive", "--from", "Zé", stdin=answer(game, "draw blue-1")).code == 1


def test_a_secret_is_not_shown(porto, tmp_path: Path) -> None:
    match = porto_cli.new_game(PLAYERS, seed="tram", first="Inês")
    match.save(tmp_path / "friday.yaml")
    message = answer(match, "keep 1 2 5", "Joana <j@example.org>")
    shown = porto("receive", stdin=message)
    assert shown.code == 2
    assert "keep" in shown.out
    assert "1 2 5" not in shown.out + shown.err
    data = porto("receive", "--format", "json", stdin=message)
    assert "1 2 5" not in data.out
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 0, done.err
    assert "1 2 5" not in done.out + done.err
    assert turns() == ["- Joana: keep 1 2 5"]


@pytest.mark.parametrize("body", ["I keep 1 2 5", "keep 1 2 5\nor 1 2 4", "keep 1 2 5?"])
def test_nor_are_words_that_may_tell_a_secret(porto, tmp_path: Path, body: str) -> None:
    match = porto_cli.new_game(PLAYERS, seed="tram", first="In\xeas")
    match.save(tmp_path / "friday.yaml")
    message = answer(match, body, "Joana <j@example.org>")
    for words in ((), ("--yes",), ("--format", "json"), ("--dry-run",)):
        done = porto("receive", *words, stdin=message)
        assert done.code == 1
        assert "1 2" not in done.out + done.err
    match.play("keep 1 2 5", player="Joana")
    match.save()
    again = porto("receive", stdin=message)
    assert "1 2" not in again.out + again.err
    assert len(turns()) == 1


def test_the_game_of_a_command_is_recognized(porto, game: Match, tmp_path: Path) -> None:
    # The only one.
    assert (
        "porto draw friday.yaml"
        in porto("receive", stdin=answer(game, "draw blue-1", known=False)).out
    )
    other = porto_cli.new_game(["Zé", "Joana"], seed="boat")
    other.save(tmp_path / "other.yaml")
    # The ids say it.
    assert "porto draw friday.yaml" in porto("receive", stdin=answer(game, "draw blue-1")).out
    # Nothing says it.
    lost = porto("receive", stdin=answer(game, "draw blue-1", known=False))
    assert lost.code == 1
    assert "--into" in lost.err
    into = porto("receive", "--into", "friday", stdin=answer(game, "draw blue-1", known=False))
    assert "porto draw friday.yaml blue-1" in into.out
    # The code in the subject says it.
    code = answer(game, "draw blue-1", known=False).replace(
        b"Re: Porto", f"Re: Porto [{game.fingerprint}]".encode()
    )
    assert "porto draw friday.yaml blue-1" in porto("receive", stdin=code).out
    (tmp_path / "friday.yaml").unlink()
    gone = porto("receive", stdin=answer(game, "draw blue-1"))
    assert gone.code == 1
    assert "not in" in gone.err


def test_an_answer_to_an_older_message_needs_more_than_yes(porto, game: Match) -> None:
    game.play("draw blue-1")
    game.save()
    game.play("draw red-2")
    game.save()
    late = answer(game, "draw purple-2", to=len(game.replay.steps) - 1)
    done = porto("receive", "--yes", stdin=late)
    assert done.code == 1
    assert len(turns()) == 5


def test_an_answer_that_brings_the_old_record_back(porto, game: Match) -> None:
    """Who answers with everything quoted and attached has still only moved."""
    porto("address", "Joana", "joana@example.org")
    message = EmailMessage()
    message["From"] = "joana@example.org"
    message["Subject"] = "AW: Porto"
    text = "".join(f"> {line}\n" for line in game.record.text.splitlines())
    message.set_content("draw blue-1\n\nInês schrieb:\n" + text)
    done = porto("receive", "--yes", stdin=message.as_bytes())
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: draw blue-1"


def test_our_own_mail_is_no_answer(porto, game: Match) -> None:
    """It shows what moves look like."""
    done = porto("mail", "friday.yaml", "--as", "Inês", "--format", "eml")
    assert "draw" in done.out
    got = porto("receive", "--yes", stdin=done.out.encode())
    assert got.code == 0
    assert "nothing new" in got.out
    rewritten = done.out.replace("porto.invalid", "example.org")
    assert porto("receive", "--yes", stdin=rewritten.encode()).code == 0
    assert len(turns()) == 3


def test_a_build_and_its_contracts(porto, tmp_path: Path) -> None:
    path = Path(__file__).parent.parent / "records" / "porto" / "three-players.yaml"
    lines = path.read_text("utf-8").splitlines()
    nth = next(nth for nth, line in enumerate(lines) if line.startswith("  contract:"))
    start = max(n for n in range(nth) if lines[n].startswith("- "))
    before = porto_cli.loads("\n".join(lines[:start]) + "\n")
    before.save(tmp_path / "g.yaml")
    player, build = lines[start].removeprefix("- ").partition("  #")[0].split(": ")
    contract = lines[nth].partition("  #")[0].strip().removeprefix("contract: ")
    text = f"{build.capitalize()}.\nContract {contract}"
    shown = porto("receive", stdin=answer(before, text, f"{player} <p@example.org>"))
    assert f"porto {build.replace('build', 'build g.yaml')}" in shown.out, shown.err
    assert f"porto contract g.yaml {contract}" in shown.out
    done = porto("receive", "-y", stdin=answer(before, text, f"{player} <p@example.org>"))
    assert done.code == 0, done.err
    assert lines[nth].partition("  #")[0] in Path("g.yaml").read_text("utf-8")


@pytest.mark.parametrize("body", ["Thanks, captain!", "I'll be at the captain", "Sorry, mayor."])
def test_small_talk_names_no_role(porto, tmp_path: Path, body: str) -> None:
    match = porto_cli.new_game(["Inês", "Joana"], game="puerto-rico", seed="tram", first="Inês")
    match.save(tmp_path / "sunday.yaml")
    assert porto("receive", "-y", stdin=answer(match, body, "Inês <i@x.pt>")).code == 1


def test_another_game_is_played_in_words_as_well(porto, tmp_path: Path) -> None:
    match = porto_cli.new_game(["Inês", "Joana"], game="puerto-rico", seed="tram", first="Inês")
    match.save(tmp_path / "sunday.yaml")
    done = porto("receive", "-y", stdin=answer(match, "Role captain!", "Inês <i@x.pt>"))
    assert done.code == 0, done.err
    assert turns("sunday.yaml") == ["- Inês: role captain"]


def test_on_a_real_table_what_came_up_has_to_be_typed(porto, tmp_path: Path) -> None:
    path = Path(__file__).parent.parent / "records" / "porto" / "real-table.yaml"
    lines = path.read_text("utf-8").splitlines()
    nth = next(n for n in range(len(lines)) if lines[n].startswith("  refill:"))
    match = porto_cli.loads("\n".join(lines[: nth - 1]) + "\n")
    match.save(tmp_path / "g.yaml")
    player, move = lines[nth - 1].removeprefix("- ").partition("  #")[0].split(": ")
    done = porto("receive", "-y", stdin=answer(match, move, f"{player} <p@example.org>"))
    assert done.code == 2
    assert "real cards" in done.err
    assert f"porto draw g.yaml {move.removeprefix('draw ')}" in done.out
    assert Path("g.yaml").read_text("utf-8") == match.record.text


def test_moves_in_a_mailbox_are_those_that_answer_the_state_of_now(porto, game, tmp_path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "1.eml").write_bytes(answer(game, "draw blue-1"))
    (folder / "2.eml").write_bytes(answer(game, "draw red-2", known=False))
    (folder / "3.eml").write_bytes(answer(game, "draw red-3", to=1))
    done = porto("receive", "-y", folder)
    assert done.code == 0, done.err
    assert turns()[3:] == ["- Joana: draw blue-1"]
    again = porto("receive", "-y", folder)
    assert again.code == 0
    assert turns()[3:] == ["- Joana: draw blue-1"]


def commands_in_the_mail(porto, file: str, *words: str) -> list[str]:
    """Return the commands of moves that a mail shows."""
    text = plain_text(message_of(porto("mail", file, *words, "--format", "eml").out))
    return [
        line for line in text.splitlines() if line.startswith(("    porto draw", "    porto k"))
    ]


@pytest.mark.parametrize("form", ["    {}", "{} --as Joana", "$ {}", "> porto x\n\n{}\n"])
def test_the_command_in_the_mail_is_the_move(porto, game: Match, form: str) -> None:
    (command,) = commands_in_the_mail(porto, "friday.yaml", "--as", "Inês")
    done = porto("receive", "--yes", stdin=answer(game, form.format(command.strip())))
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: " + command.split("porto ")[1].replace("friday.yaml ", "")


@pytest.mark.parametrize(
    "command", ["porto draw other.yaml blue-1", "porto draw friday.yaml blue-1 --as Inês"]
)
def test_a_command_of_another_game_or_player_is_refused_aloud(porto, game, command: str) -> None:
    done = porto("receive", "--yes", stdin=answer(game, command))
    assert done.code == 1
    assert command in done.err
    assert len(turns()) == 3


def test_a_command_that_names_no_file_of_ours_is_no_command(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "porto show friday.yaml\ndraw blue-1"))
    assert done.code == 1
    assert "Joana plays: draw blue-1." in done.out
    assert "Joana also writes: 'porto show friday.yaml'" in done.err


def test_a_broken_record_is_not_read_as_moves(porto, game: Match) -> None:
    text = game.record.text.replace("draw green-3", "draw green-1")
    done = porto("receive", "-y", stdin=text)
    assert done.code == 3


def test_nobody_is_named() -> None:
    assert Incoming("m").sender_name == ""
