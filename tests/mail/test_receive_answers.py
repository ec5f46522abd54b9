"""Several answers, late ones, those for somebody else, and words beside moves."""

from __future__ import annotations

from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from porto_cli.mail.ids import named, reference
from porto_cli.match.match import Match, load
from tests.conftest import ROOT
from tests.mail.test_receive import mail
from tests.mail.test_receive_moves import turns
from tests.mails import joanas_turn, message_id, one_letter

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

JOANA, RUI = "joana@example.org", "rui@example.org"


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    match = joanas_turn(tmp_path / "friday.yaml")
    porto("address", "Joana", JOANA, "--no-program")
    porto("me", "In\xeas")
    return match


def answer(
    match: Match, text: str, *, to: int | None = None, day: int = 3, sent_to: str = ""
) -> EmailMessage:
    """Return an answer of Joana to the mail of a game after so many items."""
    message = EmailMessage()
    message["From"] = f"Joana Silva <{JOANA}>"
    message["To"] = sent_to or "ines@example.org"
    message["Subject"] = "Re: Porto"
    message["Date"] = f"Sun, {day} May 2026 20:11:00 +0000"
    message["In-Reply-To"] = message_id(match.replay, to)
    message.set_content(text)
    return message


def box(*messages: EmailMessage) -> Path:
    """Return a folder with these messages."""
    folder = Path("box")
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for nth, message in enumerate(messages):
        (folder / f"{nth}.eml").write_bytes(bytes(message))
    return folder


def ines_moves(porto) -> Match:
    """Make some move of Inês in the game; return it."""
    move = load("friday.yaml").observe("In\xeas")["moves"][0]["move"]
    assert porto("draw", "friday.yaml", *move.split()[1:], "--as", "In\xeas").code == 0
    return load("friday.yaml")


# -- Several answers to one turn


def test_of_several_answers_to_a_turn_the_newest_counts(porto, game: Match) -> None:
    done = porto(
        "receive", "-y", box(answer(game, "draw red-2", day=4), answer(game, "draw blue-1"))
    )
    assert done.code == 0, done.err
    assert "Joana has answered this turn more than once; this answer is the newest." in done.out
    assert turns()[3:] == ["- Joana: draw red-2"]


def test_a_newer_answer_in_a_sentence_keeps_the_older_from_being_played(porto, game) -> None:
    newer = answer(game, "Sorry, I meant: draw red-2", day=4)
    done = porto("receive", "-y", box(answer(game, "draw blue-1"), newer))
    assert done.code == 1
    assert "Joana may mean: draw red-2." in done.out
    assert len(turns()) == 3


@pytest.mark.long
def test_newer_words_are_shown_beside_the_move(porto, game: Match) -> None:
    newer = answer(game, "Hold on, please.", day=4)
    done = porto("receive", "-y", box(answer(game, "draw blue-1"), newer))
    assert done.code == 1
    assert "Joana also writes: 'Hold on, please.'." in done.err
    assert len(turns()) == 3
    assert porto("receive", "-y", box(answer(game, "draw blue-1"), answer(game, "Bye!"))).code == 0


@pytest.mark.long
def test_a_correction_after_the_move_was_played_says_what_to_do(porto, game: Match) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    done = porto(
        "receive", "-y", box(answer(game, "draw blue-1"), answer(game, "draw red-2", day=4))
    )
    assert done.code == 1
    assert (
        "Joana has answered the same turn again, with draw red-2; friday.yaml has draw blue-1"
        in done.err
    )
    assert "porto undo friday.yaml --as Joana" in done.err
    assert porto("undo", "friday.yaml", "--as", "Joana").code == 0
    done = porto("receive", "-y", box(answer(game, "draw red-2", day=4)))
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: draw red-2"


def test_a_correction_names_the_move_that_stands_not_one_that_was_taken_back(
    porto, game: Match
) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    assert porto("undo", "friday.yaml", "--as", "Joana").code == 0
    assert porto("receive", "-y", box(answer(game, "draw red-2", day=4))).code == 0
    done = porto("receive", "-y", stdin=bytes(answer(game, "draw red-2 blue-1", day=5)))
    assert done.code == 1
    assert "friday.yaml has draw red-2." in done.err


def test_a_correction_after_others_have_moved_comes_too_late(porto, game: Match) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    ines_moves(porto)
    done = porto("receive", "-y", stdin=bytes(answer(game, "draw red-2", day=4)))
    assert done.code == 1
    assert "Others have moved since then, so nothing was changed." in done.err
    assert "draw red-2 came too late: draw blue-1 was played" in done.err


@pytest.mark.parametrize("many", [False, True], ids=["message", "mailbox"])
def test_a_correction_by_a_number_that_comes_too_late_is_told_as_late(
    porto, game: Match, *, many: bool
) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    ines_moves(porto)
    late = answer(game, "draw 1", day=4)
    done = porto("receive", "-y", box(late)) if many else porto("receive", "-y", stdin=bytes(late))
    assert done.code == 1
    assert " came too late: draw blue-1 was played" in done.err
    assert "numbers" not in done.err
    assert "Legal moves" not in done.err


@pytest.mark.parametrize("many", [False, True], ids=["message", "mailbox"])
def test_an_undo_is_of_the_last_turn_whatever_mail_it_answers(
    porto, game: Match, *, many: bool
) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    ines_moves(porto)
    assert porto("draw", "friday.yaml", "red-2", "--as", "Joana").code == 0
    late = answer(game, "undo", day=4)
    done = porto("receive", "-y", box(late)) if many else porto("receive", "-y", stdin=bytes(late))
    assert done.code == 1
    assert "Joana plays: undo." in done.out
    assert "It answers an older message: another player has made a turn since then." in done.err
    assert "porto undo friday.yaml --as Joana" in done.out
    assert porto("undo", "friday.yaml", "--as", "Joana").code == 0
    assert turns()[-1] == "- Joana: undo"


def test_in_a_mailbox_an_undo_that_came_too_late_takes_no_later_turn_back(
    porto, game: Match
) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    ines_moves(porto)
    late = box(answer(game, "undo", day=4))
    assert "others have moved since then" in porto("receive", "-y", late).err
    assert porto("draw", "friday.yaml", "red-2", "--as", "Joana").code == 0
    done = porto("receive", "-y", late)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("undo", "Joana wants to take a move back in friday.yaml, but others have moved"),
        (
            "draw red-2",
            "Joana has answered the same turn again, with draw red-2; friday.yaml has draw blue-1",
        ),
    ],
)
def test_in_a_mailbox_what_came_too_late_is_told_once(
    porto, game: Match, text: str, told: str
) -> None:
    played, late = answer(game, "draw blue-1"), answer(game, text, day=4)
    porto("receive", "-y", box(played))
    ines_moves(porto)
    before = Path("friday.yaml").read_text("utf-8")
    for dry in (["--dry-run"], ["--dry-run"], []):
        done = porto("receive", "-y", *dry, box(played, late))
        assert done.code == 1
        assert told in done.err
    assert porto("receive", "-y", box(played, late)).code == 0
    assert Path("friday.yaml").read_text("utf-8") == before


def test_in_a_mailbox_what_was_refused_before_is_not_told_as_late(porto, game: Match) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    late = answer(game, "draw red-2", day=4)
    assert porto("receive", "-y", box(late)).code == 1
    ines_moves(porto)
    assert porto("receive", "-y", box(late)).code == 0


def test_in_a_mailbox_what_only_waited_for_a_yes_is_told_as_late(porto, game: Match) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    late = answer(game, "undo", day=4)
    done = porto("receive", "--quiet", box(late))
    assert (done.code, "Nothing was played" in done.err) == (2, True)
    ines_moves(porto)
    for told in (True, False):
        done = porto("receive", "--quiet", box(late))
        assert ("others have moved since then" in done.err) == told


def test_in_a_mailbox_late_words_about_a_move_say_nothing(porto, game: Match) -> None:
    porto("receive", "-y", box(answer(game, "draw blue-1")))
    ines_moves(porto)
    done = porto("receive", "-y", box(answer(game, "draw grene-3", day=4)))
    assert (done.code, done.err) == (0, "")


NO_MOVES = (
    "Ich nehme den Siedler.",
    "Thanks, I'll think about it",
    "Joana",
    "",
    "\uff44\uff52\uff41\uff57",
)


@pytest.mark.parametrize("text", NO_MOVES)
@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_in_a_mailbox_an_answer_without_a_move_is_told_once(
    porto, game: Match, text: str, quiet: list[str]
) -> None:
    inbox = box(answer(game, text))
    for dry in (["--dry-run"], []):
        done = porto("receive", "-y", *quiet, *dry, inbox)
        assert done.code == 1
        assert "No move was found in the answer of Joana" in done.err
        assert "this answer:" in done.err
        assert "skipped" not in done.out
    again = porto("receive", "-y", *quiet, inbox)
    assert (again.code, again.err) == (0, "")
    assert len(turns()) == 3


def test_in_a_mailbox_the_same_words_to_the_next_mail_are_told_again(porto, game: Match) -> None:
    assert porto("receive", box(answer(game, "Thanks!"))).code == 1
    assert porto("receive", "-y", box(answer(game, "draw blue-1", day=4))).code == 0
    assert porto("receive", box(answer(game, "Thanks!"))).err == "", "it is her move no more"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("Auto-Submitted", "auto-replied"),
        ("Subject", "Out of office: back in May"),
        ("Content-Type", "multipart/report; report-type=disposition-notification; boundary=x"),
        ("Content-Disposition", "reaction"),
        ("Content-Type", "text/vnd.google.email-reaction+json"),
        ("From", "Somebody <somebody@example.org>"),
        ("From", "Ines <ines@example.org>"),
    ],
)
def test_in_a_mailbox_only_a_person_who_is_awaited_is_told_of_without_a_move(
    porto, game: Match, field: str, value: str
) -> None:
    message = answer(game, "I am away.")
    del message[field]
    message[field] = value
    done = porto("receive", "-y", box(message))
    assert (done.code, done.err) == (0, "")


def test_in_a_mailbox_what_was_said_about_an_earlier_turn_says_nothing(porto, game: Match) -> None:
    done = porto("receive", "-y", box(answer(game, "Nice move!", to=2)))
    assert (done.code, done.err) == (0, "")


# -- Answers for somebody else


def later(game: Match) -> Match:
    """Return the game two turns later, as others have it."""
    for move in ("draw blue-1", "draw red-2"):
        game.play(move)
    return game


def test_an_answer_to_a_turn_that_is_not_here_says_for_whom_it_is(porto, game: Match) -> None:
    porto("address", "In\xeas", "ines@example.org")
    other = answer(later(game), "draw purple-2", sent_to=f"Rui <{RUI}>, ines@example.org")
    done = porto("receive", "-y", stdin=bytes(other))
    assert done.code == 1
    assert "Joana answers a turn of friday.yaml that your copy does not have yet" in done.err
    assert f"It is meant for {RUI}: forward it to {RUI}" in done.err
    assert "P-" not in done.err
    assert len(turns()) == 3
    game.save()
    assert porto("receive", "-y", stdin=bytes(other)).code == 0
    assert turns()[-1] == "- Joana: draw purple-2"


@pytest.mark.parametrize(
    "head",
    [
        "---------- Forwarded message ---------\nVon: Joana Silva <{}>\nDate: So., 3. Mai 2026\n"
        "Subject: Re: x\nTo: In\xeas",
        "\uc804\ub2ec\ub41c \uba54\uc2dc\uc9c0\n\ubcf4\ub0b8 \uc0ac\ub78c: Joana <{}>\n"
        "\ub0a0\uc9dc: 2026",
    ],
)
@pytest.mark.parametrize("is_html", [False, True], ids=["text", "html"])
def test_an_answer_that_was_passed_on_is_asked_about(
    porto, game: Match, head: str, *, is_html: bool
) -> None:
    about = reference(named(game.replay))
    message = EmailMessage()
    message["From"] = "Z\xe9 <ze@example.org>"
    message["Subject"] = "Fwd: Re: Porto"
    text = f"That is for you.\n\n{head.format(JOANA)}\n\ndraw blue-1\n\nGame and turn: {about}\n"
    message.set_content("This program shows no HTML." if is_html else text)
    if is_html:
        message.add_alternative(f"<pre>{escape(text)}</pre>", subtype="html")
    done = porto("receive", "-y", stdin=bytes(message))
    assert done.code == 1
    assert "Joana plays: draw blue-1." in done.out
    assert "forwarded this; it claims to be from Joana." in done.err
    assert len(turns()) == 3


def test_the_old_record_attached_has_no_new_turn(porto, game: Match) -> None:
    message = answer(game, "I have moved, file attached.")
    message.add_attachment(
        game.record.text.encode(), maintype="application", subtype="yaml", filename="friday.yaml"
    )
    done = porto("receive", "-y", stdin=bytes(message))
    assert done.code == 1
    assert "The game that Joana attached has no new turn" in done.err
    assert "attach the file that porto saved" in done.err


def test_a_damaged_record_beside_a_good_one_is_reported(porto, game: Match) -> None:
    message = EmailMessage()
    message["From"] = JOANA
    message.set_content("Both games.")
    good = (ROOT / "records" / "porto" / "three-players.yaml").read_bytes()
    for name, data in (("a.yaml", good), ("b.yaml", good.replace(b"draw", b"drown", 1))):
        message.add_attachment(data, maintype="application", subtype="yaml", filename=name)
    for said in ("A new game from", "a.yaml already has everything"):
        done = porto("receive", stdin=bytes(message))
        assert done.code == 3
        assert said in done.out
        assert "b.yaml:" in done.err
        assert "is not a valid record, so nothing was taken from it" in done.err


def test_games_in_which_the_sender_is_not_to_move_are_not_offered(porto, game: Match) -> None:
    porto("new", "rico.yaml", "Ana", "Bea", "--game", "puerto-rico", "--seed", "x")
    porto("new", "other.yaml", "Joana", "Bea", "--game", "puerto-rico", "--first", "Joana")
    message = answer(game, "draw blue-1")
    del message["In-Reply-To"]
    done = porto("receive", "-y", stdin=bytes(message))
    assert done.code == 1
    assert "name one of these with --into: " in done.err
    assert {*done.err.split("--into: ")[1].strip(".\n").split(", ")} == {
        "friday.yaml",
        "other.yaml",
    }


# -- What is written beside a move


FOOTER = "Joana Silva\nACME Corp., 5 Main Street\n+351 123 456"


def test_an_unknown_footer_costs_one_question(porto, game: Match) -> None:
    first = answer(game, f"Draw the Blue 1.\n\n{FOOTER}")
    for _ in range(2):
        done = porto("receive", "-y", stdin=bytes(first))
        assert done.code == 1, "it is asked about until its move is played"
    assert porto("draw", "friday.yaml", "blue-1", "--as", "Joana").code == 0
    now = ines_moves(porto)
    wanted = now.observe("Joana")["moves"][0]["move"]
    changed = answer(now, f"{wanted}\n\n{FOOTER} 7")
    assert porto("receive", "-y", stdin=bytes(changed)).code == 1
    done = porto("receive", "-y", stdin=bytes(answer(now, f"{wanted}\n\n{FOOTER}")))
    assert done.code == 0, done.err
    assert turns()[-1] == f"- Joana: {wanted}"


@pytest.mark.long
def test_what_stood_below_a_move_that_was_not_played_is_no_footer(porto, game: Match) -> None:
    porto("receive", "-y", stdin=bytes(answer(game, "draw blue-1\n\nNo, I take it back.")))
    assert porto("draw", "friday.yaml", "red-2", "--as", "Joana").code == 0
    now = ines_moves(porto)
    wanted = now.observe("Joana")["moves"][0]["move"]
    again = answer(now, f"{wanted}\n\nNo, I take it back.")
    assert porto("receive", "-y", stdin=bytes(again)).code == 1


def test_the_record_of_a_newer_turn_comes_first(porto, game: Match) -> None:
    """An answer to a turn that another message brings is read after that one."""
    porto("me", "Rui")
    early = answer(later(game), "draw purple-2", day=1)
    other = mail(game)
    folder = box(early)
    (folder / "record.eml").write_bytes(other)
    done = porto("receive", "-y", folder)
    assert done.code == 0, done.err
    assert turns()[-1] == "- Joana: draw purple-2"


@pytest.mark.long
def test_what_may_take_a_move_back_is_no_footer(porto, game: Match) -> None:
    for day in (3, 4):
        move = game.observe("Joana")["moves"][0]["move"]
        for words in ("Wait, let me think again.", "Or rather blue-2."):
            text = f"{move}\n\n{words}\n"
            done = porto("receive", "-y", stdin=bytes(answer(game, text, day=day)))
            assert done.code == 1
            assert f"Joana also writes: '{words}'." in done.err
        done = porto("receive", "-y", stdin=bytes(answer(game, move, day=day)))
        assert done.code == 0, done.err
        verb, *words = load("friday.yaml").observe("In\xeas")["moves"][0]["move"].split()
        assert porto(verb, "friday.yaml", *words, "--as", "In\xeas").code == 0
        game = load("friday.yaml")


# -- Answers that are attached


def attached(inner: EmailMessage, text: str = "Look at that.") -> EmailMessage:
    """Return a message of somebody with another one attached to it, as a file."""
    message = EmailMessage()
    message["From"] = "Z\xe9 <ze@example.org>"
    message["Subject"] = "Fwd: Re: Porto"
    message.set_content(text)
    message.add_attachment(inner)
    return message


@pytest.mark.long_for("Joana meant draw blue-2, I think.", "Look at that.")
@pytest.mark.parametrize("text", ["Look at that.", "", "Joana meant draw blue-2, I think."])
def test_an_attached_answer_is_asked_about(porto, game: Match, text: str) -> None:
    message = attached(answer(game, "draw blue-1"), text)
    for source in (box(message), box(message) / "0.eml"):
        done = porto("receive", "-y", source)
        assert done.code == 1
        assert "Joana plays: draw blue-1." in done.out
        assert "Z\xe9 forwarded this; it claims to be from Joana." in done.err
    assert len(turns()) == 3


def test_an_attached_answer_to_a_turn_that_is_not_here(porto, game: Match) -> None:
    done = porto("receive", "-y", stdin=bytes(attached(answer(later(game), "draw purple-2"))))
    assert done.code == 1
    assert "Joana answers a turn of friday.yaml that your copy does not have yet" in done.err


def test_an_answer_of_an_unknown_person_that_is_attached_is_not_played(porto, game) -> None:
    inner = answer(game, "draw blue-1")
    inner.replace_header("From", "Rui <rui@example.org>")
    done = porto("receive", "-y", stdin=bytes(attached(inner)))
    assert (done.code, len(turns())) == (1, 3)


def test_our_own_mail_attached_is_no_answer(porto, game: Match) -> None:
    inner = answer(game, "draw blue-1")
    inner["Message-ID"] = message_id(game.replay)
    done = porto("receive", "-y", stdin=bytes(attached(inner)))
    assert "draw" not in done.out + done.err
