"""Whose move it is: what ``porto receive`` plays without a question, and what it never plays."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

import porto_cli
from porto_cli.match.match import Match
from tests.conftest import Result
from tests.documents import validated
from tests.mail.test_receive import as_files, mail
from tests.mail.test_receive_moves import answer, turns
from tests.mails import joanas_turn, message_id, one_letter

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

ADDRESS = "joana@example.org"


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


@pytest.fixture
def new_game(porto, tmp_path: Path) -> Match:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.save(tmp_path / "friday.yaml")
    return match


@pytest.fixture
def puerto_rico(porto, tmp_path: Path) -> Match:
    match = porto_cli.new_game(["Inês", "Joana"], game="puerto-rico", seed="tram", first="Inês")
    match.save(tmp_path / "friday.yaml")
    return match


# -- Who is trusted


def test_a_message_of_an_unknown_sender_plays_nothing(porto, game: Match) -> None:
    from_unknown = answer(game, "draw blue-1", "Evil <evil@spam.test>", known=False)
    done = porto("receive", "--yes", stdin=from_unknown)
    assert done.code == 1
    assert "Nothing shows that evil@spam.test is Joana's address" in done.err
    assert "porto address Joana evil@spam.test" in done.err
    assert "--from Joana" in done.err
    assert len(turns()) == 3


def test_a_players_name_alone_is_not_enough(porto, game: Match) -> None:
    message = answer(game, "draw blue-1", f"Joana <{ADDRESS}>", known=False)
    assert porto("receive", "--yes", stdin=message).code == 1
    assert len(turns()) == 3
    assert porto("address", "Joana", ADDRESS).code == 0
    assert porto("receive", "--yes", stdin=message).code == 0
    assert turns()[-1] == "- Joana: draw blue-1"


def test_another_address_than_that_of_the_address_book_is_not_enough(porto, game: Match) -> None:
    porto("address", "Joana", ADDRESS)
    message = answer(game, "draw blue-1", "Joana <mallory@spam.test>")
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 1
    assert f"It is from mallory@spam.test, but your address book has {ADDRESS} for Joana" in (
        done.err
    )
    assert len(turns()) == 3
    named = porto("receive", "--yes", "--from", "Joana", stdin=message)
    assert named.code == 0, named.err


def test_who_answers_the_last_mail_is_taken_for_who_got_it(porto, game: Match) -> None:
    done = porto("receive", "--yes", stdin=answer(game, "draw blue-1", "x@example.org"))
    assert done.code == 0, done.err


def test_the_address_of_another_player_is_not_enough(porto, game: Match, tmp_path: Path) -> None:
    porto("address", "Inês", "ines@example.org")
    folder = as_files(tmp_path / "mails", [answer(game, "draw blue-1", "Joana <ines@example.org>")])
    done = porto("receive", "--yes", folder, "--from", "Joana")
    assert done.code == 1
    assert "which is Inês's address" in done.err
    assert len(turns()) == 3


@pytest.mark.parametrize("text", ["draw blue-1", "undo"])
def test_nobody_plays_the_own_turn_of_the_user(porto, game, monkeypatch, text: str) -> None:
    porto("address", "Joana", ADDRESS)
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    message = answer(game, text, f"Joana <{ADDRESS}>")
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 1
    assert "you are Joana: --yes will not play it" in done.err
    assert len(turns()) == 3
    assert porto("receive", "--yes", "--from", "Joana", stdin=message).code == 0


def test_a_text_without_a_sender_needs_a_name(porto, game: Match) -> None:
    Path("move.txt").write_text("draw blue-1\n")
    done = porto("receive", "--yes", "move.txt")
    assert done.code == 1
    assert "--from Joana" in done.err
    assert porto("receive", "--yes", "move.txt", "--from", "Joana").code == 0


def test_yes_is_never_offered_where_it_is_not_enough(porto, game: Match) -> None:
    for message in (
        answer(game, "draw blue-1", "Evil <evil@spam.test>", known=False),
        answer(game, "draw blue-1", to=1),
    ):
        done = porto("receive", stdin=message)
        assert "--yes will not play it" in done.err
        assert "add: --yes" not in done.err


def test_a_name_that_goes_on_is_another_one(porto, game: Match) -> None:
    porto("address", "Joa", "joa@example.org")
    message = answer(game, "draw blue-1", "Joana <joa@example.org>", known=False)
    assert porto("receive", "--yes", stdin=message).code == 1
    assert len(turns()) == 3


# -- Programs and mailing lists

AUTOMATIC = {
    "Auto-Submitted": "auto-replied",
    "Precedence": "bulk",
    "List-Id": "<games.example.org>",
    "List-Unsubscribe": "<mailto:leave@example.org>",
    "Return-Path": "<>",
    "X-Autoreply": "yes",
}


def automatic(message: bytes, header: str) -> bytes:
    return f"{header}: {AUTOMATIC[header]}\n".encode() + message


@pytest.mark.long
@pytest.mark.parametrize(
    "text", ["draw blue-1", "Please undo", "I would draw yellow-3 or red-2", "blue-1", "Hm."]
)
def test_what_a_program_sends_is_no_move(porto, game: Match, text: str) -> None:
    porto("address", "Joana", ADDRESS)
    for header in AUTOMATIC:
        message = automatic(answer(game, text), header)
        assert porto("receive", "--yes", "--from", "Joana", stdin=message).code == 1, header
        done = porto("receive", "--yes", stdin=message)
        assert done.code == 1, header
        assert "show that a program or a mailing list sent it" in done.err, header
        assert "this answer:" not in done.err, header
        assert len(turns()) == 3, header


@pytest.mark.parametrize("subject", ["Automatic reply: Re: Porto", "Out of office: back in May"])
def test_an_absence_note_is_no_move_and_is_not_answered(porto, game: Match, subject: str) -> None:
    message = answer(game, "I am away. Please draw blue-1.").replace(
        b"Subject: Re: Porto", f"Subject: {subject}".encode()
    )
    done = porto("receive", "--yes", stdin=message)
    assert "show that a program or a mailing list sent it" in done.err
    assert "this answer:" not in done.err
    assert len(turns()) == 3


def test_a_bounce_is_no_move(porto, game: Match) -> None:
    bounce = answer(game, "draw blue-1", "Mailer <MAILER-DAEMON@example.org>")
    assert porto("receive", "--yes", stdin=bounce).code == 1
    report = EmailMessage()
    report["From"] = "Mail <mail@example.org>"
    report["Subject"] = "Undelivered"
    report["In-Reply-To"] = message_id(game.replay)
    report.set_content("draw blue-1\n")
    report.make_mixed()
    text = report.as_bytes().replace(b"multipart/mixed", b"multipart/report")
    done = porto("receive", "--yes", stdin=text)
    assert "show that a program" in done.err
    assert len(turns()) == 3


def test_who_says_to_be_no_program_is_none(porto, game: Match) -> None:
    message = b"Auto-Submitted: no\n" + answer(game, "draw blue-1")
    assert porto("receive", "--yes", stdin=message).code == 0


def test_in_a_mailbox_a_move_by_way_of_a_list_is_refused_aloud(porto, game, tmp_path) -> None:
    move = automatic(answer(game, "draw blue-1"), "List-Id")
    talk = automatic(answer(game, "draw it? or not"), "Auto-Submitted")
    done = porto("receive", "--yes", as_files(tmp_path / "mails", [move, talk]))
    assert done.code == 1
    assert done.err.count("show that a program or a mailing list sent it") == 1
    assert len(turns()) == 3


def test_a_record_by_way_of_a_list_is_received(porto, game: Match) -> None:
    game.play("draw blue-1")
    message = automatic(mail(game), "List-Id")
    assert porto("receive", stdin=message).code == 0
    assert turns()[-1] == "- Joana: draw blue-1"


# -- Some of the moves were played before


def test_the_rest_of_an_answer_is_played(porto, puerto_rico: Match) -> None:
    first = answer(puerto_rico, "role settler", "Inês <i@example.org>")
    assert porto("receive", "--yes", stdin=first).code == 0
    both = answer(puerto_rico, "role settler\ntake quarry", "Inês <i@example.org>")
    shown = porto("receive", stdin=both)
    assert shown.code == 2
    assert "already has the first move of this answer" in shown.out
    assert "Inês plays: take quarry." in shown.out
    done = porto("receive", "--yes", stdin=both)
    assert done.code == 0, done.err
    assert turns() == ["- Inês: role settler", "- Inês: take quarry"]
    again = porto("receive", "--yes", stdin=both)
    assert (again.code, turns()) == (0, ["- Inês: role settler", "- Inês: take quarry"])
    assert "played before" in again.out


def test_a_second_answer_to_the_same_mail_goes_on(porto, puerto_rico: Match, tmp_path) -> None:
    texts = ("role settler", "take quarry")
    messages = [answer(puerto_rico, text, "Inês <i@example.org>") for text in texts]
    folder = as_files(tmp_path / "mails", messages)
    for _ in range(2):
        done = porto("receive", "--yes", folder)
        assert done.code == 0, done.err
        assert turns() == ["- Inês: role settler", "- Inês: take quarry"]


def test_in_a_mailbox_the_rest_is_played_as_well(porto, puerto_rico: Match, tmp_path) -> None:
    first = answer(puerto_rico, "role settler", "Inês <i@example.org>")
    folder = as_files(tmp_path / "mails", [first])
    assert porto("receive", "--yes", folder).code == 0
    both = answer(puerto_rico, "role settler\ntake quarry", "Inês <i@example.org>")
    (folder / "2.eml").write_bytes(both)
    done = porto("receive", "--yes", folder)
    assert done.code == 0, done.err
    assert turns() == ["- Inês: role settler", "- Inês: take quarry"]


def test_a_rest_that_cannot_be_played_is_refused_aloud(porto, puerto_rico: Match) -> None:
    first = answer(puerto_rico, "role settler", "Inês <i@example.org>")
    porto("receive", "--yes", stdin=first)
    both = answer(puerto_rico, "role settler\ntake corn-corn", "Inês <i@example.org>")
    done = porto("receive", "--yes", stdin=both)
    assert done.code == 1
    assert "take" in done.err
    assert turns() == ["- Inês: role settler"]


@pytest.mark.long
@pytest.mark.parametrize("in_a_mailbox", [False, True])
def test_what_was_kept_early_and_the_turn_that_follows(
    porto, new_game: Match, tmp_path: Path, in_a_mailbox: bool
) -> None:
    """Joana keeps early and later answers the older mail again, with her turn."""
    early = answer(new_game, "keep 1 2 3", "Joana <j@example.org>")
    assert porto("receive", "--yes", stdin=early).code == 0
    for words in (("keep", "1", "2", "5"), ("draw", "green-3")):
        assert porto(*words[:1], "friday.yaml", *words[1:], "--as", "Inês").code == 0
    both = answer(new_game, "keep 1 2 3\ndraw blue-1", "Joana <j@example.org>")
    folder = as_files(tmp_path / "mails", [both])

    def receive(*options: str) -> Result:
        if in_a_mailbox:
            return porto("receive", folder, *options)
        return porto("receive", *options, stdin=both)

    done = receive("--yes")
    assert done.code == 1
    assert "Joana plays: draw blue-1." in done.out
    assert "porto draw friday.yaml blue-1\n" in done.out
    assert "another player has made a turn since" in done.err
    assert len(turns()) == 3
    porto("draw", "friday.yaml", "blue-1")
    done = receive("--yes")
    assert done.code == 0
    assert "skipped" in done.out or "played before" in done.out


def test_an_early_choice_of_another_player_makes_no_mail_old(porto, new_game: Match) -> None:
    message = answer(new_game, "keep 1 2 5\ndraw green-3", "Inês <i@example.org>")
    assert porto("keep", "friday.yaml", 1, 2, 3, "--as", "Joana").code == 0
    done = porto("receive", "--yes", stdin=message)
    assert done.code == 0, done.err
    assert turns()[-1] == "- Inês: draw green-3"


@pytest.mark.long
def test_a_build_with_its_contracts_is_played_once(porto, tmp_path: Path) -> None:
    """Although 'contract none' goes without saying where nothing can be fulfilled."""
    from tests.mails import beginning

    match = next(
        match
        for match in (beginning("porto", items) for items in range(6, 40))
        if any(text.startswith("build") for text in map(match.text, match.legal_moves()))
    )
    build = next(text for text in map(match.text, match.legal_moves()) if text.startswith("build"))
    match.save(tmp_path / "friday.yaml")
    player = match.to_move()[0]
    message = answer(match, f"{build}\ncontract none", f"{player} <p@example.org>")
    assert porto("receive", "--yes", stdin=message).code == 0
    played = Path("friday.yaml").read_text("utf-8")
    again = porto("receive", "--yes", stdin=message)
    assert again.code == 0, again.err
    assert "played before" in again.out
    assert Path("friday.yaml").read_text("utf-8") == played


# -- Turns of the user's own in a record that comes in


@pytest.fixture
def with_my_turn(game: Match) -> bytes:
    """A record in which somebody has made Joana's turn, and then the next one."""
    game.play("draw blue-1")
    game.play("draw red-2")
    return mail(game, sender="Inês <ines@example.org>")


def test_turns_in_my_name_are_not_taken_unseen(porto, with_my_turn, monkeypatch) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    before = Path("friday.yaml").read_bytes()
    done = porto("receive", stdin=with_my_turn)
    assert done.code == 1
    assert "turns of Joana that it does not have (draw blue-1), and you are Joana" in done.err
    assert "--mine" in done.err
    assert Path("friday.yaml").read_bytes() == before
    (one,) = validated("receive", porto("receive", "--format", "json", stdin=with_my_turn).out)[
        "messages"
    ]
    assert (one["result"], one["exit"], one["moves"]) == ("own-turns", 1, ["draw blue-1"])
    done = porto("receive", "--mine", stdin=with_my_turn)
    assert done.code == 0, done.err
    assert turns()[-2:] == ["- Joana: draw blue-1", "- Inês: draw red-2"]


@pytest.mark.parametrize("name", ["", "Zé"])
def test_where_nobody_knows_who_i_am_nothing_is_asked(porto, with_my_turn, monkeypatch, name):
    monkeypatch.setenv("PORTO_PLAYER", name)
    assert porto("receive", stdin=with_my_turn).code == 0
    assert turns()[-1] == "- Inês: draw red-2"


def test_turns_of_others_after_mine_are_taken(porto, game, monkeypatch) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    assert porto("draw", "friday.yaml", "blue-1").code == 0
    theirs = porto_cli.load("friday.yaml")
    theirs.play("draw red-2")
    assert porto("receive", stdin=mail(theirs)).code == 0
    assert turns()[-1] == "- Inês: draw red-2"


def test_a_turn_of_mine_that_others_take_back_is_asked_for(porto, game, monkeypatch) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    assert porto("draw", "friday.yaml", "blue-1").code == 0
    theirs = porto_cli.load("friday.yaml")
    theirs.undo("Joana")
    done = porto("receive", stdin=mail(theirs))
    assert done.code == 1
    assert "(undo)" in done.err
    assert len(turns()) == 4


def test_in_a_mailbox_it_is_said_once(porto, game: Match, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    messages = []
    for move in ("draw blue-1", "draw red-2"):
        game.play(move)
        messages.append(mail(game, sender="Inês <ines@example.org>"))
    folder = as_files(tmp_path / "mails", messages)
    done = porto("receive", folder)
    assert done.code == 1
    assert done.err.count("--mine") == 1
    assert len(turns()) == 3
    assert porto("receive", folder, "--mine").code == 0
    assert len(turns()) == 5


def test_a_dry_run_asks_and_takes_nothing(porto, with_my_turn, monkeypatch) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    assert porto("receive", "-n", stdin=with_my_turn).code == 1
    assert porto("receive", "-n", "--mine", stdin=with_my_turn).code == 0
    assert len(turns()) == 3


def test_the_first_copy_of_a_game_is_taken_as_it_is(porto, with_my_turn, monkeypatch) -> None:
    """Like on a second computer: here is nothing that could lack turns."""
    monkeypatch.setenv("PORTO_PLAYER", "Joana")
    Path("friday.yaml").unlink()
    assert porto("receive", stdin=with_my_turn).code == 0


# -- How senders are called


@pytest.mark.parametrize("code", ["utf-8", "latin-1"])
def test_letters_that_are_not_encoded_in_the_head_are_read(porto, game: Match, code: str) -> None:
    game.play("draw blue-1")
    message = answer(game, "draw red-2", "Ines <x@example.org>", known=False)
    raw = message.replace(b"From: Ines", "From: Inês".encode(code))
    assert b"Subject: Re: Porto" in raw
    game.save()
    done = porto("receive", stdin=raw)
    assert "Inês plays: draw red-2." in done.out
    assert "the writer is assumed" not in done.out
    received = porto("receive", stdin=mail(game).replace(b"Joana Silva", "Inês Só".encode(code)))
    assert "already has everything in the message from Inês Só: nothing new." in received.out


@pytest.mark.parametrize(
    ("sender", "called"),
    [
        ("joana@example.org", "from Joana."),
        ("<JOANA@example.org>", "from Joana."),
        ("Joana Silva <joana@example.org>", "from Joana Silva."),
        ("Joana <mallory@spam.test>", "from Joana <mallory@spam.test>."),
        ("Rui <joana@example.org>", "from Rui <joana@example.org>."),
        ("Rui <rui@example.org>", "from Rui."),
        ("rui@example.org", "from rui@example.org."),
    ],
)
def test_a_sender_is_called_as_the_address_book_knows(
    porto, game, sender: str, called: str
) -> None:
    porto("address", "Joana", ADDRESS)
    game.play("draw blue-1")
    result = porto("receive", stdin=mail(game, sender=sender))
    assert f"friday.yaml has one new turn, {called}" in result.out


def test_an_address_book_that_cannot_be_read_keeps_no_record_away(porto, game: Match) -> None:
    porto("address", "Joana", ADDRESS)
    book = next(Path(f"{Path.cwd()}-home").glob("addresses.yaml"))
    book.write_text("- no\n")
    game.play("draw blue-1")
    assert porto("receive", stdin=mail(game)).code == 0


def test_answers_of_other_games_in_a_mailbox_are_not_those_of_the_one_that_is_named(
    porto, tmp_path: Path, game: Match
) -> None:
    assert porto("address", "Joana", ADDRESS).code == 0
    other = porto_cli.new_game(["Inês", "Joana"], seed="ferry", first="Inês")
    as_files(tmp_path / "box", [answer(other, "draw blue-1")])
    done = porto("receive", "--yes", "--into", "friday.yaml", "box")
    assert (done.code, len(turns())) == (0, 3), done.out + done.err
    (tmp_path / "box" / "2.eml").write_bytes(answer(game, "draw blue-1"))
    assert porto("receive", "--yes", "--into", "friday.yaml", "box").code == 0
    assert turns()[-1] == "- Joana: draw blue-1"
