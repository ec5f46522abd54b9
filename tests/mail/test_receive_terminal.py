"""``porto receive`` at a terminal, where the message comes through a pipe, as in mutt."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from porto_cli.match.match import Match
from tests.mail.test_receive import mail
from tests.mail.test_receive_moves import answer, turns
from tests.mails import joanas_turn, plain_text
from tests.processes import PORTO, dialog

pytestmark = pytest.mark.outside

pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("There are no pseudo-terminals.", allow_module_level=True)

PIPE = 'cat mail.eml | $PORTO receive "$@"'


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


def typed(answers: list[tuple[str, str]], *options: str, term: str = "dumb", me: str = "") -> str:
    """Pipe the message into the command, answer its questions, and return what it has shown."""
    words = ["/bin/sh", "-c", PIPE, "sh", *options]
    return dialog(words, answers, PORTO=PORTO, PORTO_PLAYER=me, TERM=term)[1]


@pytest.mark.parametrize(("key", "count"), [("1\r", 4), ("2\r", 3)])
def test_a_move_in_a_pipe_is_asked_about_on_the_terminal(game: Match, key: str, count: int) -> None:
    Path("mail.eml").write_bytes(answer(game, "draw blue-1", "x@example.org", known=False))
    shown = typed([("would be played in friday.yaml.", ""), ("help", key)])
    assert "Joana plays: draw blue-1." in shown
    assert "--yes will not play it" in " ".join(shown.split())
    assert "no terminal to ask on" not in shown
    assert len(turns()) == count


@pytest.mark.parametrize(("key", "said"), [("1\r", True), ("2\r", False)])
def test_other_words_are_offered_to_the_others(game: Match, key: str, said: bool) -> None:
    Path("mail.eml").write_bytes(answer(game, "draw blue-1\n\nGreetings from Kassel!"))
    questions = [
        ("Is this the move?", ""),
        ("help", "1\r"),
        ("also wrote?", ""),
        ("help", key),
    ]
    assert "Joana also writes: 'Greetings from Kassel!'" in typed(questions)
    assert turns()[-1] == "- Joana: draw blue-1"
    comment = "# Joana says: Greetings from Kassel!"
    assert (comment in Path("friday.yaml").read_text("utf-8")) == said


def test_with_a_menu_as_well(game: Match) -> None:
    Path("mail.eml").write_bytes(answer(game, "draw blue-1"))
    typed([("help", "\r")], term="xterm-256color")
    assert turns()[-1] == "- Joana: draw blue-1"


@pytest.mark.parametrize(("key", "count"), [("1\r", 5), ("2\r", 3)])
def test_turns_of_mine_are_asked_about(game: Match, key: str, count: int) -> None:
    for move in ("draw blue-1", "draw red-2"):
        game.play(move)
    Path("mail.eml").write_bytes(mail(game))
    shown = " ".join(typed([("Did you make them", ""), ("help", key)], me="Joana").split())
    assert "has turns of Joana that friday.yaml does not have: draw blue-1." in shown
    assert ("--mine" in shown) == (count == 3)
    assert len(turns()) == count


def test_who_wants_sentences_for_a_program_is_not_asked(game: Match) -> None:
    Path("mail.eml").write_bytes(answer(game, "draw blue-1"))
    assert '"result": "moves"' in typed([], "--format", "json")
    assert len(turns()) == 3


def test_without_a_terminal_nothing_is_asked(game: Match, porto) -> None:
    done = porto("receive", stdin=answer(game, "draw blue-1"))
    assert done.code == 2
    assert "no terminal to ask on" in done.err


def host(port: int) -> None:
    """Store where the mail of the host is sent by, and where Joana gets hers."""
    home = Path(os.environ["PORTO_HOME"])
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "addresses.yaml").write_text("Joana: {address: joana@example.org, program: false}\n")
    (home / "config.yaml").write_text(
        "me: Inês\nmail: {from: ines@example.org, server: 127.0.0.1, security: none, "
        f"port: {port}}}\n"
    )


@pytest.mark.parametrize("key", ["1\r", "2\r"])
@pytest.mark.parametrize("is_down", [False, True])
def test_what_is_wrong_with_an_answer_is_sent_back_by_a_key(
    porto, tmp_path: Path, game: Match, key: str, is_down: bool
) -> None:
    pytest.importorskip("aiosmtpd")
    from tests.post import post_office

    Path("mail.eml").write_bytes(answer(game, "draw rainbow"))
    with post_office(tmp_path / "post") as (office, port):
        host(9 if is_down else port)
        shown = typed([("Send Joana this answer", ""), ("help", key)])
        assert "Send Joana this answer" not in typed([]), "it was asked before"
        host(port)
        if is_down and key == "1\r":
            later = "porto mail friday.yaml --to Joana --send"
            assert f"To send the mail later: {later}" in " ".join(shown.split())
            shown += porto(*later.split()[1:]).out
    assert "this answer:" in shown
    assert len(office.delivered) == (key == "1\r")
    for sent in office.delivered:
        assert sent["To"] == "Joana <joana@example.org>"
        text = " ".join(plain_text(sent).split())
        assert text.startswith("Joana, it is your turn. ")
        assert "draw rainbow" in text.partition("THE TABLE")[0]
        assert re.search(r"Legal moves are, for example: draw \S+, draw \S+, draw", text)
        assert "Sent to joana@example.org" in shown
    assert Path("friday.yaml").read_text("utf-8") == game.record.text


def test_an_answer_without_a_move_in_a_mailbox_is_sent_back_by_a_key(
    porto, tmp_path: Path, game: Match
) -> None:
    pytest.importorskip("aiosmtpd")
    from tests.post import post_office

    box = tmp_path / "box"
    box.mkdir()
    (box / "1.eml").write_bytes(answer(game, "Thanks, I'll think about it"))
    with post_office(tmp_path / "post") as (office, port):
        host(port)
        words = ["/bin/sh", "-c", "$PORTO receive box"]
        question = "Send Joana this answer"
        dialog(words, [(question, ""), ("help", "1\r")], PORTO=PORTO, PORTO_PLAYER="", TERM="dumb")
        assert question not in dialog(words, [], PORTO=PORTO, PORTO_PLAYER="", TERM="dumb")[1]
    (sent,) = office.delivered
    assert "I found no move in your answer." in " ".join(plain_text(sent).split())
