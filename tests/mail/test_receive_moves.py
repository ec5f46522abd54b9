"""Moves that are written into an answer: who plays without the program plays like this.

A line that is a move is a move. What else an answer says is shown to the user, who is asked.
"""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.mail import ids
from porto_cli.match.match import Match
from tests.documents import validated
from tests.mail.test_receive import as_files
from tests.mails import joanas_turn, message_id, message_of, one_letter, plain_text
from tests.shares import one_in

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

PLAYERS = ["In\xeas", "Joana"]


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


@pytest.fixture
def rico(porto, tmp_path: Path) -> Match:
    match = porto_cli.new_game(PLAYERS, game="puerto-rico", seed="tram", first="In\xeas")
    match.save(tmp_path / "friday.yaml")
    return match


def answer(
    match: Match,
    text: str,
    sender: str = "Joana Silva <joana@example.org>",
    *,
    to: int | None = None,
    known: bool = True,
    subject: str = "Re: Porto",
    html: bool = False,
) -> bytes:
    message = EmailMessage()
    message["From"] = sender
    message["Subject"] = subject
    if known:
        message["In-Reply-To"] = message_id(match.replay, to)
        message["References"] = "<other@example.org> " + message_id(match.replay, to)
    quoted = "" if html else "\n\nAm 3.5.2026 um 20:11 schrieb In\xeas:\n> draw red-3\n"
    message.set_content(f"{text}{quoted}", subtype="html" if html else "plain")
    return message.as_bytes()


def mover(match: Match) -> str:
    return f"{match.to_move()[0]} <mover@example.org>"


def tried(porto, message: bytes) -> dict[str, Any]:
    """Return what comes of an answer if everything is played that is played without a question."""
    done = porto("receive", "--yes", "--dry-run", "--format", "json", stdin=message)
    (found,) = validated("receive", done.out)["messages"]
    return found


def says(porto, match: Match, text: str, **how: Any) -> dict[str, Any]:
    return tried(porto, answer(match, text, mover(match), **how))


# -- What an answer says


NATURAL = {
    "draw blue-1": (
        "draw blue-1",
        "Draw Blue-1.",
        "DRAW BLUE-1",
        "draw blue\u20111",
        "draw blue\u20141",
        "draw\xa0blue-1",
        "*draw blue-1*",
        '"draw blue-1"',
        "\u201cdraw blue-1\u201d",
        "\xabdraw blue-1\xbb",
        "\u2018draw blue-1\u2019",
        "draw blue-1 :-)",
        "draw blue-1\u2026",
        "draw Blue 1",
        "draw the Blue 1",
        "draw b1, please",
        "Hi,\n\n1. draw b1\n\nBest regards",
        "draw b1\n\nSee you!\n\nHave a nice evening",
        "draw b1\n\nSent from my iPhone",
        "draw blue-1, obrigada!",
        "draw blue-1 - viele Gr\xfc\xdfe, Joana",
        "In\xeas\u3055\u3093\n\ndraw blue-1",
        "In\xeas\ub2d8,\n\ndraw blue-1",
        "Dear Ms In\xeas,\ndraw blue-1",
        "Ol\xe1 In\xeas,\n\ndraw blue-1\n\nObrigada,\nJoana\n\nSent from my phone",
        "- draw blue-1",
        "draw\nblue-1",
        "porto draw friday.yaml blue-1",
        "    $ porto draw friday.yaml blue-1 --as Joana",
        "`porto draw friday.yaml blue-1`",
        "draw friday.yaml blue-1",
        "draw%20blue-1%0D%0A%0D%0A",
        "Am 3.5.2026 um 20:11 schrieb Ana:\n> draw red-2\n\ndraw blue-1",
        "> draw red-2\ndraw blue-1\n> draw red-3",
        "draw blue-1\n\n-- \nI draw red-2 for a living",
        "draw blue-1\n\nOn Sun, May 3, 2026 at 8:11\nPM Ana <a@b.org> wrote:\n\n> x",
        "draw blue-1\n\nOn Sun, May 3, 2026\nat 8:11\nPM Ana <a@b.org> wrote:\n\n> x",
        "draw blue-1\n\n-----Original Message-----\nFrom: In\xeas\nSent: today\ndraw red-2",
        "draw blue-1\n\n______________________\nVon: In\xeas\nGesendet: heute\ndraw red-2",
        "draw blue-1\n\nFrom: Ana <a@b.org>\nSent: Sunday\n\ndraw red-2",
        "draw blue-1\nporto: 1\n- Ana: draw red-2",
    ),
    "draw blue-1 red-2": (
        "draw a blue 1 and the red 2",
        "draw blue 1 red 2",
        "draw blue-1/red-2",
        "draw blue-1+red-2",
        "draw cards blue-1 and red-2",
        "draw blue-1\nand red-2\n\nCheers",
    ),
    "draw purple-2": ("porto draw friday.yaml 3", "draw card 3", "draw 3"),
}
"""Moves, and how people write them."""


@pytest.mark.long_for("draw blue-1 red-2")
@pytest.mark.parametrize("move", NATURAL)
def test_natural_answers(porto, game: Match, move: str) -> None:
    for body in NATURAL[move]:
        found = says(porto, game, body)
        assert (found["exit"], sorted(found["moves"][0].split())) == (0, sorted(move.split())), body


@pytest.mark.parametrize(
    "body",
    ["role captain", "Role the Captain.", "role: captain", "*Role captain*", "role\ncaptain",
     "role captain, danke!", "Role captain - obrigada, Joana", "porto role friday.yaml captain"],
)  # fmt: skip
def test_natural_answers_of_another_game(porto, rico: Match, body: str) -> None:
    found = says(porto, rico, body)
    assert (found["exit"], found["moves"]) == (0, ["role captain"])


def test_names_of_several_words_are_joined(porto, rico: Match) -> None:
    found = says(porto, rico, "Build the small indigo plant!")
    assert found["moves"] == ["build small-indigo-plant"]
    assert found["result"] == "refused-moves", "it is not the builder phase"


WITHIN = [
    "I draw blue-1!",
    "Hi In\xeas, I'd like to draw blue-1 and red-2, please.",
    "draw blue-1 because it is pretty",
    "Hello In\xeas, I draw red-3.",
    "I take red-3",
    "I'll take the red 3",
    "draw blue-1?",
    "next turn I draw blue-1",
    "I would draw blue-1",
    "draw blue-1, as long as nobody minds",
    "draw blue-1 (joke)",
    "maybe draw blue-1",
    "draw blue-1 \N{THUMBS DOWN SIGN}",
    "I like blue-1",
    "2 blue-1",
    "my cards: blue-1 red-2",
    "draw blue-1 --- red-2",
    "draw blue-1 -> red-2 ... or purple-1",
    "draw 1 blue",
    "draw blue-1, no",
    "draw blue-1, wait",
]
"""Sentences that name one move."""
UNCLEAR = [
    "blue-1 or red-2 or red-3",
    "draw grene-3",
    "porto draw other.yaml yellow-3",
    "porto build friday.yaml red-3 blue-1 L4 --token L6",
]
"""Words about moves that name no single one."""


def test_a_sentence_is_asked_about_if_it_names_one_move_and_else_gets_a_text_to_send_back(
    porto, game: Match
) -> None:
    for body in WITHIN + UNCLEAR:
        found = says(porto, game, body)
        asked = found["result"] == "moves" and len(found["moves"]) == 1
        asked = asked and any("may mean" in one for one in found["sentences"])
        sent_back = found["result"] == "refused-moves" and bool(found["answer"])
        assert (asked, sent_back) == (body in WITHIN, body in UNCLEAR), body
        assert found["exit"] == 1, body


BESIDE = [
    "draw blue-1\n\nMy Outlook Android autocorrected blue-1, meant red-2",
    "draw blue-1\n\nSent by mistake from Outlook for Android",
    "draw blue-1\n\nOops, Outlook Android sent this too early",
    "draw blue-1\n\nOutlook and Android are down, wrong mail",
    "draw blue-1\n\n发自我的iPhone 不要出这张牌",
    "Damn, you took my red-3!\ndraw blue-1",
    "draw blue-1\nthanks for the game",
    "draw blue-1. Sorry that it took so long!",
    "draw blue-1\nMaria",
    "draw blue-1\n---\nred-2",
    "draw blue-1! Sent from my phone by mistake",
    "Please don't:\n- draw blue-1",
    "What does\nporto draw friday.yaml blue-1\nmean?",
    "draw blue-1\nor red-3",
    "draw blue-1; red-2",
    "draw blue-1\n\nNo, red-3.",
    "draw blue-1\n\nUnless you object.",
    "draw blue-1\nif nobody minds",
    "draw blue-1. Wait, I have to think.",
    "Please don't\ndraw blue-1",
    "draw blue-1\nJust kidding!",
    "draw blue-1. OK?",
    "draw blue-1\nSorry, I mean draw red-2",
    "draw blue-1\n\nPS: wait\nPPS: stop",
    "draw blue-1\n\nSent from my phone, do not play it",
    "draw blue-1\n\nSent with the wish that you do not play it",
    "draw blue-1\n\nThis is confidential.",
    "draw blue-1\n\nNo, Outlook on Android sent that",
]
"""Answers with a move, and other words that may take it back."""


def test_numbers_behind_a_comma_are_spaces_even_where_players_are_numbered(porto, tmp_path) -> None:
    players = ["Player 1", "Player 2"]
    match = porto_cli.new_game(players, seed="tram", first="Player 1")
    for player in players:
        match.play("keep 1 2 3", player=player)
    match.save(tmp_path / "friday.yaml")
    one, two = (says(porto, match, text) for text in ("draw 2, 4", "draw 2 4"))
    assert (one["result"], one["moves"]) == (two["result"], two["moves"])


def test_words_beside_a_move_are_kept(porto, game: Match) -> None:
    """They may take it back, whatever the language; so the user reads them, and is asked."""
    for body in BESIDE:
        found = says(porto, game, body)
        assert (found["exit"], found["moves"]) == (1, ["draw blue-1"]), body
        assert any("also writes" in one for one in found["sentences"]), body


@pytest.mark.parametrize(
    "footer",
    ["If you are not the intended recipient of this message, please delete it.",
     "This e-mail is confidential. If it is not for you, please\ndelete it.",
     "Von meinem iPad gesendet", "Get Outlook for Android", "Sent from my iPhone",
     "Outlook f\xfcr Android beziehen", "Hol dir Outlook f\xfcr iOS", "Outlook para Android",
     "Android\uc6a9 Outlook \ub2e4\uc6b4\ub85c\ub4dc", "\u53d1\u81ea\u6211\u7684iPhone",
     "Diese Nachricht ist vertraulich und nur f\xfcr den Empf\xe4nger bestimmt."],
)  # fmt: skip
def test_what_companies_and_telephones_add_says_nothing(porto, game: Match, footer: str) -> None:
    assert says(porto, game, f"draw blue-1\n\nJoana\n\n{footer}")["exit"] == 0


def test_a_move_with_a_card_that_does_not_exist_is_answered_with_those_that_do(
    porto, game: Match
) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "draw purple-9"))
    assert done.code == 1
    assert "There is no card 'purple-9'" in done.err.partition("You can send")[0]
    lines = done.err.partition("You can send Joana this answer:")[2]
    assert "  \"draw purple-9\" is not a move here: There is no card 'purple-9'; face-up" in lines
    assert "    draw blue-1\n" in lines


@pytest.mark.long
def test_what_is_too_long_to_be_read_is_asked_about(porto, game: Match) -> None:
    polite = "draw blue-1\n" + "Thanks!\n" * 280
    assert says(porto, game, polite)["exit"] == 0
    assert says(porto, game, polite + "Thanks!\n" * 20 + "No, wait")["exit"] == 1
    long = "draw blue-1\n" + f"> {'a' * 70}\n" * 2500
    assert says(porto, game, long)["exit"] == 0
    longer = long + f"> {'a' * 70}\n" * 500
    assert says(porto, game, longer + "No, wait")["exit"] == 1


def test_a_move_too_many_is_asked_for(porto, game: Match) -> None:
    found = says(porto, game, "\n".join(["- draw b1"] * 13))
    assert (found["result"], found["exit"]) == ("refused-moves", 1)
    assert "draw b1; draw b1" in found["sentences"][0]


PROSE = [
    "",
    "Nice game!",
    "> draw blue-1",
    "-- \ndraw blue-1",
    "See you at the house on friday. I pass by at eight, and build on you.",
    "Great move, I keep losing.",
    "In\xeas wrote:\n\n> draw blue-1",
    "On 3 May 2026, at 20:11, In\xeas wrote:\n\n>> draw blue-1",
]


def test_prose_is_no_move(porto, game: Match) -> None:
    for body in PROSE:
        found = says(porto, game, body)
        assert (found["result"], found["moves"]) == ("refused-moves", []), body


def test_a_move_in_the_subject_counts_where_there_is_none_in_the_text(porto, game: Match) -> None:
    assert says(porto, game, "", subject="Re: draw blue-1")["exit"] == 0
    assert says(porto, game, "Cheers", subject="draw blue-1 (was: Re: Porto)")["exit"] == 0
    found = says(porto, game, "draw red-2", subject="Re: draw blue-1")
    assert (found["exit"], found["moves"]) == (0, ["draw red-2"])
    assert says(porto, game, "No, please don't", subject="Re: draw blue-1")["exit"] == 1


def test_moves_of_two_games_are_not_taken_for_those_of_one(porto, game: Match) -> None:
    here = ids.reference(ids.named(game.replay))
    others = here.replace("porto-", "porto-0123456789ab.")[:45]
    both = f"draw blue-1\nGame and turn: {here}\n\ndraw red-2\nGame and turn: {others}"
    assert says(porto, game, both)["exit"] == 1
    twice = f"draw blue-1\nGame and turn: {here}\nGame and turn: {here}"
    assert says(porto, game, twice)["exit"] == 0
    assert says(porto, game, f"draw blue-1 Game and turn: {here}")["exit"] == 0
    assert says(porto, game, f"draw blue-1\n\nGame and turn:\n{here}")["exit"] == 0


def test_what_is_quoted_in_html_is_quoted_in_the_text(porto, game: Match) -> None:
    gmail = (
        '<div dir="ltr">draw blue-1<br></div><br><div class="gmail_quote"><div class="gmail_attr">'
        "On Sun, May 3, 2026 at 8:11 PM Ana &lt;<a>a@b.org</a>&gt; wrote:<br></div><blockquote>"
        "draw red-2<div>draw red-3</div></blockquote></div>"
    )
    outlook = (
        "<html><body><p class=MsoNormal>draw blue-1<o:p></o:p></p><div><div style='border:none'>"
        "<p><b>From:</b> In\xeas<br><b>Sent:</b> Sunday<br></p></div></div><p>draw red-2</p></body>"
    )
    signed = "<p>draw blue-1</p><div>-- <br>Joana, ACME sugar</div>"
    for html in (gmail, outlook, signed):
        found = says(porto, game, html, html=True)
        assert (found["exit"], found["moves"]) == (0, ["draw blue-1"]), html


UNSEEN = [
    "<s>{}</s>",
    "<strike>{}</strike>",
    "<del>{}</del>",
    '<span style="text-decoration: line-through">{}</span>',
    '<span style="text-decoration-line:line-through;color:red">{}</span>',
    '<div style="visibility:hidden">{}</div>',
    '<div style="FONT-SIZE: 0px; line-height: 0">{}</div>',
    "<div style='opacity:0.0'>{}</div>",
    '<div style="max-height:0;overflow:hidden">{}</div>',
    '<div class="a" hidden>{}</div>',
    "<div hidden=''>{}</div>",
    "<noscript>{}</noscript>",
    "<select><option>{}</select>",
    "<!--><p></p><!-- {} -->",
]
SEEN = [
    '<p style="opacity:0.9;font-size:0.8em" title="not hidden">{}</p>',
    '<p aria-hidden="false">{}</p>',
    "<!--><p>{}</p><!-- draw red-2 -->",
]


def test_what_is_struck_out_or_hidden_is_no_move_and_all_else_is(porto, game: Match) -> None:
    for shown in SEEN + UNSEEN:
        alone = says(porto, game, shown.format("draw red-2"), html=True)["moves"]
        assert bool(alone) == (shown in SEEN), shown
    for unseen in UNSEEN:
        found = says(porto, game, f"<p>draw blue-1</p>{unseen.format('draw red-2')}", html=True)
        assert (found["exit"], found["moves"]) == (0, ["draw blue-1"]), unseen


@pytest.mark.long
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_any_text_can_be_read(porto, text: str) -> None:
    Path("friday.yaml").unlink(missing_ok=True)
    game = joanas_turn(Path("friday.yaml"))
    message = answer(game, "BODY").replace(b"BODY", text.encode())
    done = porto("receive", "--yes", "--dry-run", stdin=message)
    assert done.code in (0, 1, 2, 3)


WORDS = ["draw", "build", "I", "keep", "and", "blue-1", "L4", ".", ",", "?", ">", "--", "\n", "or"]


@pytest.mark.long
@given(st.lists(st.sampled_from([*WORDS, "1", "pass", ":", "L4.", "token"])))
def test_any_words_can_be_read(porto, words: list[str]) -> None:
    Path("friday.yaml").unlink(missing_ok=True)
    game = joanas_turn(Path("friday.yaml"))
    done = porto("receive", "--yes", "--dry-run", stdin=answer(game, " ".join(words)))
    assert done.code in (0, 1)


COURTESIES = ("", "Hi!", "Thanks!", "Good morning,", "Viele Gr\xfc\xdfe", ":-)")
SMALL_TALK = (*COURTESIES, "It is cold here.", "Nice one, as always.", "How are you?")
MOVES = {
    "draw blue-1": "draw red-2",
    "Draw the Blue 1.": "draw red-2",
    "- draw red-2\nand blue-1": "draw red-3",
}
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


@pytest.mark.parametrize("words", one_in(3, MOVES))
def test_courtesies_beside_a_move_say_nothing(porto, game: Match, words: str) -> None:
    for before in SMALL_TALK:
        for after in SMALL_TALK[::3]:
            found = says(porto, game, f"{before}\n\n{words}\n\n{after}")
            assert found["result"] == "moves"
            assert (found["exit"] == 0) == ({before, after} <= {*COURTESIES}), (before, after)


@pytest.mark.parametrize("words", one_in(3, MOVES))
def test_no_move_in_doubt_is_played_without_a_question(porto, game: Match, words: str) -> None:
    other = MOVES[words]
    for doubt in DOUBTS:
        text = doubt.format(words, other=other, names=other.partition(" ")[2])
        for after in ("", "Thanks!"):
            assert says(porto, game, f"{text}\n\n{after}")["exit"] == 1, text
        assert says(porto, game, f"> {text}".replace("\n", "\n> "))["moves"] == [], text


@given(
    st.sampled_from(sorted(MOVES)),
    st.sampled_from(["{}", "{}", *DOUBTS]),
    st.lists(st.sampled_from(SMALL_TALK), max_size=3),
    st.integers(8, 80),
)
def test_where_lines_are_broken_never_makes_another_move(porto, words, frame, talk, width) -> None:
    Path("friday.yaml").unlink(missing_ok=True)
    game = joanas_turn(Path("friday.yaml"))
    other, written = MOVES[words], words.removeprefix("- ")
    doubtful = frame.format(written, other=other, names=other.partition(" ")[2])
    text = " ".join([*talk, doubtful]).replace("\n", " ")
    found = says(porto, game, "\n".join(wrap(text, width, break_on_hyphens=False)))
    if found["exit"] == 0:
        meant = {"draw blue-1"} if "and" not in written else {"draw red-2 blue-1"}
        assert frame == "{}"
        assert {*found["moves"]} == meant


# -- What is done with it


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
    assert "Joana drew blue-1." in done.out
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
    assert "this answer:" in done.err
    assert "  I found no move in your answer." in done.err
    thanks = porto("receive", stdin=answer(game, "Thanks!", "Inês <i@example.org>"))
    assert "this answer:" not in thanks.err, "it is not her turn"


def test_words_beside_a_move_are_shown_and_asked_about(porto, game: Match) -> None:
    message = answer(game, "draw blue-1\n\nPois, espera!")
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 1
    assert "Joana plays: draw blue-1." in done.out
    assert "porto draw friday.yaml blue-1\n" in done.out
    assert "Joana also writes: 'Pois, espera!'. --yes will not play it." in done.err
    assert len(turns()) == 3


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
    assert "this answer:" in done.err
    assert "  draw blue-1\n" in done.err
    assert len(turns()) == 3
    data = porto("receive", "--format", "json", stdin=answer(game, "draw yellow-3"))
    (one,) = validated("receive", data.out)["messages"]
    assert one["result"] == "refused-moves"
    assert any("draw blue-1" in line for line in one["answer"])


@pytest.mark.parametrize("between", ["", "\nor\n", "\nWait!\n"])
def test_what_follows_a_whole_turn_is_refused_for_that_and_what_is_said_twice_is_asked_about(
    porto, game: Match, between: str
) -> None:
    found = says(porto, game, f"draw blue-1\n{between}\ndraw green-2")
    assert found["result"] == "refused-moves"
    assert "draw green-2 cannot be played after draw blue-1: P-SETUP-4" in found["sentences"][0]
    found = says(porto, game, f"draw blue-1\n{between}\nDraw blue 1.")
    assert (found["result"], found["exit"], found["moves"]) == ("moves", 1, ["draw blue-1"])


def test_a_move_out_of_turn_is_answered_with_whose_turn_it_is(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "draw blue-1", "Inês <i@example.org>"))
    assert done.code == 1
    assert "it is the turn of Joana" in done.err


def test_the_address_book_names_the_sender(porto, game, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    porto("address", "Inês", "nobody@example.org")
    done = porto("receive", stdin=answer(game, "draw blue-1", "J. <NOBODY@example.org>"))
    assert done.code == 1
    assert "Inês wrote" in done.err


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


@pytest.mark.long_for("I keep 1 2 5")
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
    path = Path(__file__).parents[2] / "records" / "porto" / "three-players.yaml"
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


def test_on_a_real_table_what_came_up_has_to_be_typed(porto, tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "records" / "porto" / "real-table.yaml"
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
    others = [answer(game, "draw red-2", known=False), answer(game, "draw red-3", to=1)]
    folder = as_files(tmp_path / "mail", [answer(game, "draw blue-1"), *others])
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


@pytest.mark.long_for("$ {}", "{} --as Joana")
@pytest.mark.parametrize("form", ["    {}", "{} --as Joana", "$ {}", "> porto x\n\n{}\n"])
def test_the_command_in_the_mail_is_the_move(porto, game: Match, form: str) -> None:
    (command,) = commands_in_the_mail(porto, "friday.yaml", "--as", "Inês")
    done = porto("receive", "--yes", stdin=answer(game, form.format(command.strip())))
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: " + command.split("porto ")[1].replace("friday.yaml ", "")


@pytest.mark.parametrize(
    "command",
    [
        "porto draw other.yaml blue-1",
        *(f"porto draw friday.yaml blue-1 {one}" for one in ("--as Inês", "--as=", "--as")),
    ],
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


def of_both(match: Match, text: str, html: str) -> bytes:
    """Return an answer with plain text and HTML beside it."""
    message = message_of(answer(match, text, mover(match)))
    message.set_content(text)
    message.add_alternative(f"<html><body>{html}</body></html>", subtype="html")
    return message.as_bytes()


QUOTED = "On Sun, May 3, 2026 at 8:11 PM In\xeas <a@b.org> wrote:\n> draw red-3\n"
SIGNED = "ACME Corp., 5 Main Street"
QUOTED_HTML = "<p>In\xeas wrote:</p><blockquote>draw red-3</blockquote>"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("\n\n", "<p>draw blue-1</p>"),
        ("\u200b\n", "<p>draw blue-1</p>"),
        (QUOTED, f"<p>draw blue-1</p>{QUOTED_HTML}"),
        (f"Hello!\n\n{QUOTED}", "<p>Hello!</p><p>draw blue-1</p>"),
        ("draw blue-1\n", "<p>draw <b>blue-1</b></p>"),
        ("draw blue-1\n\nBest regards\n", "<div>draw blue-1</div><p>Best regards</p>"),
        (f"draw blue-1\n\n{QUOTED}", "<img src='cid:1'>"),
        (f"draw blue-1\n\n-- \n{SIGNED}\n", f"draw blue-1<br>-- <br><div>{SIGNED}</div>"),
        (f"draw blue-1\n\n{QUOTED}", f"<div dir=ltr>draw blue-1</div><br><div>{QUOTED_HTML}</div>"),
    ],
)
def test_an_answer_is_found_in_the_text_or_in_the_html(
    porto, game: Match, text: str, html: str
) -> None:
    found = tried(porto, of_both(game, text, html))
    assert (found["exit"], found["moves"]) == (0, ["draw blue-1"])


DIFFERENT = "The plain text of the message has a different answer from its HTML: draw red-2."


@pytest.mark.parametrize(
    ("text", "html", "said"),
    [
        ("Your program does not show HTML.", "<p>draw blue-1</p>", "'Your program does not show"),
        ("draw blue-1\n", "<p>draw blue-1</p><p>No, wait!</p>", "'No, wait!'"),
        ("draw blue-1\nNo, wait!\n", "<p>draw blue-1</p>", "'No, wait!'"),
        ("draw blue-1\n", "<p>draw blue-1</p><p>\N{THUMBS DOWN SIGN}</p>", "also writes"),
        ("draw red-2\n", "<p>draw blue-1</p>", DIFFERENT),
        ("draw red-2\n", f"<p><s>draw red-2</s></p>{QUOTED_HTML}", DIFFERENT),
        (
            "draw red-2\ndraw blue-1\n",
            "<p><s>draw red-2</s></p><p>draw blue-1</p>",
            "has a different",
        ),
        (QUOTED, "<p>I think the blue 1 is best</p>", "'I think the blue 1 is best'"),
    ],
)
def test_what_only_the_text_or_the_html_says_is_asked_about(
    porto, game: Match, text: str, html: str, said: str
) -> None:
    found = tried(porto, of_both(game, text, html))
    assert (found["result"], found["exit"]) == ("moves", 1)
    assert said in " ".join(found["sentences"])


def test_of_html_that_cannot_be_played_it_is_told_what_the_text_has(porto, game: Match) -> None:
    found = tried(porto, of_both(game, "draw red-2\n", "<p>draw green-1 green-1</p>"))
    assert (found["result"], found["exit"]) == ("refused-moves", 1)
    assert DIFFERENT in found["sentences"]
