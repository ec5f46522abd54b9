"""``porto receive --send``: a friend's move is played, and the game goes on by mail."""

from __future__ import annotations

import json
import mailbox
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

import porto_cli
from porto_cli import home
from porto_cli.cli.lobby import begin as begin_to_play
from porto_cli.core import REFUSED, TROUBLE, USAGE, FileError
from porto_cli.mail import notes as due
from porto_cli.mail import posting
from porto_cli.mail.account import RefusedMailError, SendError, Sent, recipients
from porto_cli.mail.draft import Draft
from tests.conftest import Result
from tests.mails import plain_text, posted
from tests.porto.asking import Scripted
from tests.tables import text_at

GAME = Path("friday.yaml")
SETTINGS = "me: Ana\nmail: {from: ana@b.c, server: localhost, security: none}\n"


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What Ana has sent. Bea has no program, Rui has one."""
    home = Path(os.environ["PORTO_HOME"])
    home.mkdir(mode=0o700)
    (home / "config.yaml").write_text(SETTINGS, "utf-8")
    book = "Bea: {address: bea@b.c, program: false}\nRui: rui@b.c\n"
    (home / "addresses.yaml").write_text(book, "utf-8")
    return posted(monkeypatch)


Begin = Callable[..., EmailMessage]


@pytest.fixture
def begin(porto, outbox: list[EmailMessage]) -> Begin:
    """Begin a game in which Bea is to move, and return the mail to her."""

    def new(*players: str, game: str = "porto", first: str = "Bea") -> EmailMessage:
        match = porto_cli.new_game(players, game=game, seed="tram", first=first)
        match.save(GAME)
        assert porto("mail", GAME, "--send").code == 0
        return outbox.pop()

    return new


def answer(mail: EmailMessage, text: str, sender: str = "bea@b.c") -> bytes:
    """Return the answer to a mail, below which that is quoted."""
    reply = EmailMessage()
    reply["From"] = f"Bea <{sender}>"
    reply["Subject"] = f"Re: {mail['Subject']}"
    reply["In-Reply-To"] = mail["Message-ID"]
    quoted = "".join(f"> {line}\n" for line in plain_text(mail).splitlines())
    reply.set_content(f"{text}\n\n{quoted}")
    return reply.as_bytes()


def first_moves() -> str:
    """Return what Bea answers first: the contracts that she keeps, and the cards that she draws."""
    match = porto_cli.load(GAME)
    match.play("keep 1 2 3", player="Bea")
    return f"keep 1 2 3\n{match.text(match.legal_moves()[0])}"


def flowing(mail: EmailMessage) -> str:
    return " ".join(plain_text(mail).split())


def whom(mails: list[EmailMessage]) -> list[str]:
    return [str(mail["To"]) for mail in mails]


@pytest.mark.long
def test_the_game_goes_on_to_who_is_next_and_the_friend_is_told(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert done.code == 0, done.err
    assert whom(outbox) == ["Rui <rui@b.c>", "Bea <bea@b.c>"]
    on, back = outbox
    assert flowing(on).startswith("Rui, it is your turn")
    (record, *_) = on.iter_attachments()
    assert record.get_payload(decode=True) == GAME.read_bytes()
    assert "Your move was played: keep, draw" in flowing(back)
    assert "Rui is next, and has the mail." in flowing(back)
    assert "undo" not in plain_text(back)
    assert done.out.count("Sent to ") == 2


def test_moves_are_told_if_the_addresses_cannot_be_read_after_them(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    path = home.folder() / "addresses.yaml"
    path.write_text(path.read_text("utf-8") + "Rui: twice\n", "utf-8")
    done = porto(
        *("receive", "--yes", "--send", "--from", "Bea", "--format", "json"),
        stdin=answer(mail, first_moves()),
    )
    (message,) = json.loads(done.out)["messages"]
    assert (done.code, message["result"], outbox) == (3, "played", [])
    assert len(message["moves"]) == 2
    assert "addresses.yaml" in " ".join(message["sentences"])


def test_if_the_user_is_next_only_the_friend_gets_a_mail(porto, begin, outbox) -> None:
    mail = begin("Bea", "Ana", "Rui")
    assert porto("receive", "--yes", "--send", stdin=answer(mail, first_moves())).code == 0
    assert whom(outbox) == ["Bea <bea@b.c>"]
    assert "Ana is next. To take your move back, answer with the word undo before Ana moves." in (
        flowing(outbox[0])
    )


def test_a_friend_whose_turn_goes_on_gets_one_mail(porto, begin, outbox) -> None:
    mail = begin("Bea", "Ana", "Rui", game="puerto-rico")
    move = porto_cli.load(GAME).observe("Bea")["moves"]
    role = next(one["move"] for one in move if one["move"].startswith("role settler"))
    assert porto("receive", "--yes", "--send", stdin=answer(mail, role)).code == 0
    (on,) = outbox
    assert flowing(on).startswith("Bea, it is your turn")
    assert f"Your move was played: {role}." in flowing(on)
    assert porto("receive", "--yes", "--send", stdin=answer(on, "undo")).code == 0
    back = outbox[-1]
    assert f"Your move was taken back: {role}." in flowing(back)
    assert "Your move was played" not in flowing(back)
    other = "undo\nrole builder"
    porto("receive", "--yes", "--send", stdin=answer(back, role))
    assert porto("receive", "--yes", "--send", stdin=answer(outbox[-1], other)).code == 0
    said = f"Your move was taken back: {role}. Your move was played: role builder."
    assert said in flowing(outbox[-1])


def test_a_secret_choice_before_the_turn_is_told_by_its_verb(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    assert porto("receive", "--yes", "--send", stdin=answer(mail, "keep 1 2 3")).code == 0
    (on,) = outbox
    assert "Your move was played: keep." in flowing(on)


@pytest.mark.long
def test_a_move_can_be_taken_back_until_it_is_mailed_on(porto, begin, outbox) -> None:
    mail = begin("Bea", "Ana", "Rui")
    porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    told = outbox.pop()
    done = porto("receive", "--yes", "--send", stdin=answer(told, "undo"))
    assert done.code == 0, done.err
    assert porto_cli.load(GAME).to_move() == ["Bea"]
    assert flowing(outbox[0]).startswith("Bea, it is your turn")


@pytest.mark.long_for("printed", "saved")
@pytest.mark.parametrize("how", ["sent", "saved", "printed"])
def test_a_move_that_was_mailed_on_cannot_be_taken_back_by_mail(
    porto, begin, outbox, how: str
) -> None:
    mail = begin("Bea", "Rui", "Ana")
    words = {"sent": ["--send"], "saved": [], "printed": []}[how]
    porto("receive", "--yes", *words, stdin=answer(mail, first_moves()))
    if how != "sent":
        porto("mail", GAME, *(["-o", "rui.eml"] if how == "saved" else ["--format", "eml"]))
    played = GAME.read_bytes()
    done = porto("receive", "--yes", stdin=answer(mail, "undo"))
    assert done.code == REFUSED
    assert "Bea wants to take a move back, but it has been mailed on." in done.err
    assert "Your move has been mailed on, so it cannot be taken back by mail." in done.err
    assert "porto undo friday.yaml --as Bea" in " ".join(done.err.split())
    assert GAME.read_bytes() == played


def test_looking_at_a_mail_does_not_mail_a_move_on(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    porto("receive", "--yes", stdin=answer(mail, first_moves()))
    assert porto("mail", GAME, "--dry-run").code == 0
    assert porto("mail", GAME, "--format", "text").code == 0
    assert porto("receive", "--yes", stdin=answer(mail, "undo")).code == 0


@pytest.mark.long
def test_what_is_not_played_is_not_sent(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    before = GAME.read_bytes()
    assert porto("receive", "--send", stdin=answer(mail, first_moves())).code == USAGE
    stranger = answer(mail, first_moves(), "eve@b.c")
    assert porto("receive", "--yes", "--send", stdin=stranger).code == REFUSED
    assert porto("receive", "--yes", "--send", stdin=answer(mail, "draw rainbow")).code == REFUSED
    dry = porto("receive", "--yes", "--send", "--dry-run", stdin=answer(mail, first_moves()))
    assert dry.code == 0
    assert (outbox, GAME.read_bytes()) == ([], before)


def test_a_record_that_comes_by_mail_is_not_sent_on(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    match = porto_cli.load(GAME)
    match.play("keep 1 2 3", player="Bea")
    match.save("later.yaml")
    assert porto("receive", "later.yaml", "--send").code == 0
    assert not outbox
    assert mail


def seen_by_ana() -> str:
    """Return how the first screen of ``porto play`` lists the game."""
    listed: list[str] = []
    asker = Scripted(then=lambda asker, question, labels: listed.extend(labels) or "friday.yaml")
    begin_to_play(asker, None)
    return next(label for label in listed if "friday.yaml" in label)


@pytest.mark.long
def test_a_move_is_saved_if_the_mail_after_it_cannot_be_sent(porto, begin, outbox, server) -> None:
    mail = begin("Bea", "Rui", "Ana")
    server.is_down = True
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert done.code == TROUBLE
    assert "localhost is away; nothing was sent." in done.err
    commands = "porto mail friday.yaml --send; porto mail friday.yaml --to Bea --send"
    assert f"The game is saved. To send the mails later: {commands}" in done.err
    assert porto_cli.load(GAME).to_move() == ["Rui"]
    # The next message brings no more moves, so whoever plays on is asked to send it.
    assert seen_by_ana().endswith("to be sent to Rui (friday.yaml)")
    assert porto("mail", GAME, "--output", "turn.eml").code == 0
    assert seen_by_ana().endswith("Rui's turn (friday.yaml)")
    server.is_down = False
    for words in commands.split("; "):
        assert porto(*words.split()[1:]).code == 0
    assert ["Your move was played" in flowing(mail) for mail in outbox] == [False, True]


@pytest.fixture
def two_games(begin: Begin, tmp_path: Path) -> Path:
    """Return a mailbox with answers of Bea in two games: after them it is the turn of Rui in one,
    and of Ana in the other.
    """
    path = tmp_path / "answers"
    for others in (("Rui", "Ana"), ("Ana", "Rui")):
        mailbox.Maildir(path).add(answer(begin("Bea", *others), first_moves()))
        GAME.rename(f"{others[0]}.yaml")
    return path


def test_two_games_that_go_on_ask_a_server_that_is_down_once(porto, two_games, server) -> None:
    server.is_down, server.tries = True, 0
    done = porto("receive", two_games, "--yes", "--send", "--quiet")
    assert done.code == TROUBLE
    assert server.tries == 1
    assert done.err.count("localhost is away") == 1
    assert done.err.count("The game is saved. To send the mail") == 2


# -- What could not be sent


class Server:
    """A mail server that can be down, or refuse somebody, for now or for good."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.is_down, self.defers, self.refuses = False, "", ""
        self.tries = 0
        self.asked: list[tuple[str, ...]] = []
        self._post = posting.post
        patch.setattr(posting, "post", self.takes)

    def takes(self, draft: Draft) -> Sent:
        self.tries += 1
        if self.is_down:
            raise SendError("localhost is away; nothing was sent.")
        to = recipients(draft.mail)
        self.asked.append(to)
        deferred = {one: "450 come again" for one in to if one == self.defers}
        refused = {one: "550 no such user" for one in to if one == self.refuses}
        taken = tuple(one for one in to if one not in {**deferred, **refused})
        if taken:
            self._post(draft)
        return Sent(taken, refused, deferred)


@pytest.fixture
def server(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def unsent(porto, begin: Begin, server: Server) -> EmailMessage:
    """Play a move of Bea while the server is down, so that Rui and Bea lack a mail; return the one
    that she has answered.
    """
    mail = begin("Bea", "Rui", "Ana")
    server.is_down = True
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert done.code == TROUBLE
    return mail


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Return a mailbox without mail."""
    path = tmp_path / "box"
    mailbox.Maildir(path)
    return path


@pytest.mark.usefixtures("unsent")
def test_the_next_run_sends_what_could_not_be_sent_once(porto, outbox, server, box) -> None:
    again = ("receive", "--yes", "--send", "--quiet", box)
    still = porto(*again)
    assert (still.code, outbox) == (TROUBLE, [])
    assert "localhost is away" in still.err
    server.is_down = False
    assert porto("receive", box, "--yes").code == 0
    assert porto("receive", box, "--yes", "--send", "--dry-run").code == 0
    assert not outbox
    for _ in range(2):
        assert porto(*again).code == 0
        assert whom(outbox) == ["Rui <rui@b.c>", "Bea <bea@b.c>"]
    assert "Your move was played: keep, draw" in flowing(outbox[1])


@pytest.mark.usefixtures("unsent")
def test_who_has_the_game_already_gets_it_no_more(porto, outbox, server, box) -> None:
    server.is_down = False
    assert porto("mail", GAME, "--send").code == 0
    assert porto("receive", box, "--send").code == 0
    assert whom(outbox) == ["Rui <rui@b.c>", "Bea <bea@b.c>"]


@pytest.mark.usefixtures("unsent")
@pytest.mark.parametrize("to", [["Rui", "Bea"], ["Bea", "dora@b.c"], ["Bea"]])
def test_what_was_to_be_said_to_one_player_is_said_once_and_to_nobody_else(
    porto, outbox, server, box, to: list[str]
) -> None:
    porto("address", "Bea", "--program")
    server.is_down = False
    copies = ["--cc"] if to == ["Bea"] else []
    words = [f"--to={one}" for one in to]
    assert porto("mail", GAME, "--send", *words, *copies).code == 0
    assert porto("receive", box, "--send").code == 0
    told = [mail for mail in outbox if "Your move was played" in flowing(mail)]
    assert [(mail["To"], mail["Cc"]) for mail in told] == [("Bea <bea@b.c>", None)]
    assert porto("receive", box, "--send").code == 0
    assert told[-1] is outbox[-1]


@pytest.mark.usefixtures("unsent")
def test_all_that_was_to_be_said_to_a_player_is_in_one_mail(porto, outbox, server, box) -> None:
    notes = Path(os.environ["PORTO_HOME"], "unsent.txt")
    game, state, mails = notes.read_text("utf-8").split(" ", 2)
    more = [[None, ["Bea"], "Keep an eye on the ships."], *json.loads(mails)]
    notes.write_text(f"{game} {state} {json.dumps(more)}", "utf-8")
    for server.is_down in (True, False, False):
        porto("receive", box, "--send")
    assert sorted(whom(outbox)) == ["Bea <bea@b.c>", "Rui <rui@b.c>"]
    (mail,) = (mail for mail in outbox if mail["To"] == "Bea <bea@b.c>")
    assert "Keep an eye on the ships. Your move was played: keep, draw" in flowing(mail)


@pytest.mark.usefixtures("unsent")
@pytest.mark.parametrize(("is_stored", "too"), [(True, ["Rui <rui@b.c>"]), (False, [])])
def test_who_reads_at_another_address_is_the_next_player_only_if_none_is_stored(
    porto, outbox, server, box, is_stored: bool, too: list[str]
) -> None:
    """Someone who watches has got the game, so Rui still has to."""
    if not is_stored:
        porto("address", "Rui", "--remove")
    server.is_down = False
    assert porto("mail", GAME, "--send", "--to", "dora@b.c").code == 0
    assert porto("receive", box, "--send").code == 0
    assert whom(outbox) == ["dora@b.c", *too, "Bea <bea@b.c>"]


def test_what_was_taken_back_in_the_meantime_is_not_sent(
    porto, outbox, server, unsent, box
) -> None:
    server.is_down = False
    mailbox.Maildir(box).add(answer(unsent, "undo"))
    assert porto("receive", box, "--yes", "--send").code == 0
    assert whom(outbox) == ["Bea <bea@b.c>"]
    assert flowing(outbox[0]).startswith("Bea, it is your turn")
    assert porto("receive", box, "--send").code == 0
    assert len(outbox) == 1


def end_the_game(porto) -> Result:
    """Make the last turn of a game, which is Ana's: two players get the mail."""
    text = text_at("porto/three-players", -2)
    for old, new in (("Joana", "Rui"), ("Afonso", "Bea"), ("Inês", "Ana")):
        text = text.replace(old, new)
    GAME.write_text(text, "utf-8")
    return porto("draw", GAME, "blue-2", "--send")


def test_who_was_refused_for_good_is_tried_again_only_at_another_address(
    porto, outbox, server, box
) -> None:
    server.refuses = "rui@b.c"
    done = end_the_game(porto)
    assert done.code == TROUBLE
    said = " ".join(done.err.split())
    assert "does not deliver to rui@b.c (550 no such user). " in said
    assert "Correct the address with 'porto address Rui ADDRESS'." in said
    assert "To send the mail later: porto mail friday.yaml --to Rui --send" in said
    server.asked.clear()
    for _ in range(2):
        assert is_quiet(porto("receive", box, "--yes", "--send", "--quiet"))
    assert server.asked == []
    porto("address", "Rui", "rui@c.d")
    for _ in range(2):
        assert is_quiet(porto("receive", box, "--yes", "--send", "--quiet"))
        assert server.asked == [("rui@c.d",)]
    assert whom(outbox)[1:] == ["Rui <rui@c.d>"]


def is_quiet(done: Result) -> bool:
    return (done.code, done.out, done.err) == (0, "", "")


def test_what_the_server_takes_from_nobody_is_sent_with_other_settings(
    porto, outbox, server, box, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(draft: Draft) -> Sent:
        server.asked.append(recipients(draft.mail))
        raise RefusedMailError("localhost does not accept mail from ana@b.c; nothing was sent.")

    with monkeypatch.context() as patch:
        patch.setattr(posting, "post", refuse)
        assert end_the_game(porto).code == TROUBLE
        for _ in range(2):
            assert is_quiet(porto("receive", box, "--send", "--quiet"))
    assert len(server.asked) == 1
    settings = Path(os.environ["PORTO_HOME"], "config.yaml")
    settings.write_text(SETTINGS.replace("ana@b.c", "ana@c.d"), "utf-8")
    assert porto("receive", box, "--send").code == 0
    assert whom(outbox) == ["Rui <rui@b.c>, Bea <bea@b.c>"]


@pytest.mark.parametrize(("lacks", "has"), [("Rui", "Bea"), ("Bea", "Rui")])
def test_one_who_is_refused_keeps_no_mail_from_the_others(
    porto, begin, outbox, server, lacks: str, has: str
) -> None:
    mail = begin("Bea", "Rui", "Ana")
    server.refuses = f"{lacks.lower()}@b.c"
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert done.code == TROUBLE
    assert f"Sent to {has.lower()}@b.c: " in done.out
    assert whom(outbox) == [f"{has} <{has.lower()}@b.c>"]
    log = " ".join(done.err.split())
    assert f"The server does not deliver to {lacks.lower()}@b.c (550 no such user); " in log
    assert f"To send the mail later: porto mail friday.yaml --to {lacks} --send" in log
    assert log.count("porto mail") == 1, f"{has} would get it twice"


@pytest.mark.usefixtures("unsent")
@pytest.mark.parametrize(
    "damage",
    [
        *("[", "7", "[7]", "[[9, [], null]]", '[[[], ["x"], 3]]', '"abc"'),
        *("[[null, [], null]]", '[[null, ["x"], null]]'),
    ],
)
def test_what_is_due_can_be_damaged(porto, outbox, server, box, damage: str) -> None:
    notes = Path(os.environ["PORTO_HOME"], "unsent.txt")
    notes.write_text(" ".join([*notes.read_text("utf-8").split()[:2], damage]), "utf-8")
    server.is_down = False
    assert is_quiet(porto("receive", box, "--send", "--quiet"))
    assert not outbox


def test_a_game_that_fails_keeps_no_other_from_being_sent(
    porto, outbox, server, two_games, box, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.is_down = True
    assert porto("receive", two_games, "--yes", "--send").code == TROUBLE
    held, times = due.held, count()

    @contextmanager
    def held_by_another_at_first() -> Iterator[None]:
        if not next(times):
            raise FileError("outbox is locked by another command.")
        with held():
            yield

    server.is_down = False
    monkeypatch.setattr(due, "held", held_by_another_at_first)
    done = porto("receive", box, "--send")
    assert (done.code, next(times)) == (TROUBLE, 2)
    assert done.out.count("Sent to ") == len(outbox) > 0
    assert "outbox is locked by another command." in done.err


@pytest.mark.usefixtures("unsent")
def test_json_has_what_was_sent_later(porto, server, box) -> None:
    server.is_down = False
    done = porto("receive", box, "--send", "--format", "json")
    assert [one.split(":")[0] for one in json.loads(done.out)["sent"][::2]] == [
        "Sent to rui@b.c",
        "Sent to bea@b.c",
    ]


def test_a_friend_without_a_stored_address_is_not_told(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    porto("address", "Bea", "--remove")
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert (done.code, whom(outbox)) == (0, ["Rui <rui@b.c>"])
    said = " ".join(done.out.split())
    assert "Bea was not told. No e-mail address is stored for Bea." in said
    assert "'porto address Bea ADDRESS'" in said


@pytest.mark.long
def test_json_has_what_was_sent_among_its_sentences(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    words = ("--yes", "--send", "--format", "json")
    done = porto("receive", *words, stdin=answer(mail, first_moves()))
    (message,) = json.loads(done.out)["messages"]
    assert message["result"] == "played"
    sent = [one for one in message["sentences"] if one.startswith("Sent to ")]
    assert [one.split(":")[0] for one in sent] == ["Sent to rui@b.c", "Sent to bea@b.c"]


def test_without_a_mail_server_nothing_is_played(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    Path(os.environ["PORTO_HOME"], "config.yaml").write_text("me: Ana\n")
    before = GAME.read_bytes()
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert (done.code, GAME.read_bytes()) == (USAGE, before)
    assert "No mail server is set" in done.err
    assert "leave out --send" in done.err


def test_who_sends_has_to_have_a_name(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    settings = Path(os.environ["PORTO_HOME"], "config.yaml")
    settings.write_text(SETTINGS.replace("me: Ana\n", ""))
    before = GAME.read_bytes()
    done = porto("receive", "--yes", "--send", stdin=answer(mail, first_moves()))
    assert (done.code, GAME.read_bytes()) == (USAGE, before)
    assert "porto me NAME" in done.err


def test_a_log_says_which_game_player_and_move_was_refused(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana")
    done = porto("receive", "--quiet", stdin=answer(mail, "keep 1 2 3\ndraw green-1 green-1"))
    assert done.out == ""
    log = " ".join(done.err.split())
    assert f"The message from Bea, 'Re: {mail['Subject']}', about friday.yaml:" in log


def test_a_log_says_which_game_player_and_move_waits(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana", game="puerto-rico")
    done = porto("receive", "--quiet", stdin=answer(mail, "role builder"))
    assert (done.code, done.out) == (USAGE, "")
    log = " ".join(done.err.split())
    assert f"The message from Bea, 'Re: {mail['Subject']}', about friday.yaml:" in log
    assert (
        "Nothing was played in friday.yaml, because there was no terminal to ask on: role builder, "
        "from Bea. To play it, add: --yes"
    ) in log


def test_who_takes_back_a_turn_that_was_mailed_is_warned(porto, outbox) -> None:
    match = porto_cli.new_game(["Ana", "Bea", "Rui"], seed="tram", first="Ana")
    match.play("keep 1 2 3", player="Ana")
    match.save(GAME)
    first, second = (one["move"].split()[1:] for one in match.observe("Ana")["moves"][:2])
    assert porto("draw", GAME, *first, "--send").code == 0
    assert outbox
    assert "mailed on" not in porto("undo", GAME, "--dry-run").err
    done = porto("undo", GAME)
    assert done.code == 0
    assert "That turn was mailed on." in done.err
    assert porto("draw", GAME, *second).code == 0
    assert "mailed on" not in porto("undo", GAME).err


def test_what_a_friend_writes_cannot_steer_the_terminal(porto, begin, outbox) -> None:
    mail = begin("Bea", "Rui", "Ana", game="puerto-rico")
    done = porto("receive", stdin=answer(mail, "role 9roleX9").replace(b"X9", b"\x19\x7f9"))
    assert done.code == REFUSED
    assert "this answer:" in done.err
    assert done.err.replace("\n", "").isprintable()


def test_a_log_has_what_is_wrong_with_a_mailbox_once(porto, begin, outbox, box) -> None:
    """Cron finds the same messages again every few minutes."""
    mail = begin("Bea", "Ana", "Rui", game="puerto-rico")
    dated = b"Date: Thu, 26 Nov 2026 0%d:00:00 +0000\n"
    mailbox.Maildir(box).add(dated % 7 + answer(mail, "role mayor\n\nor the builder?"))
    command = ("receive", box, "--yes", "--send", "--quiet")
    log = " ".join(porto(*command).err.split())
    assert "Bea also writes: 'or the builder?'. --yes will not play it." in log
    assert "To play it, type: porto role friday.yaml mayor --as Bea" in log
    assert porto(*command).err == ""
    mailbox.Maildir(box).add(dated % 8 + answer(mail, "role banker"))
    assert "role banker" in porto(*command).err
    assert porto(*command).err == ""
    assert "role banker" in porto("receive", box, "--yes").err, "people see it again"


@pytest.mark.parametrize(
    ("players", "role", "reader"),
    [
        (("Bea", "Rui", "Ana"), "mayor", "Rui"),
        (("Bea", "Ana", "Rui"), "mayor", ""),
        (("Bea", "Ana", "Rui"), "builder", "Bea"),
    ],
)
def test_what_a_log_says_to_type_sends_the_game_on_to_who_is_next(
    porto, begin, outbox, box, players: tuple[str, ...], role: str, reader: str
) -> None:
    mail = begin(*players, game="puerto-rico")
    mailbox.Maildir(box).add(answer(mail, f"role {role}\n\nI hope that is not silly?"))
    log = " ".join(porto("receive", box, "--yes", "--send", "--quiet").err.split())
    typed = log.partition("To play it, type: ")[2].split(" && ")
    assert typed[1:] == (["porto mail friday.yaml --send"] if reader else [])
    for line in typed:
        assert porto(*shlex.split(line)[1:]).code == 0
    assert [one.partition(" ")[0] for one in whom(outbox)] == [reader][: len(reader)]


def test_who_wants_to_take_a_move_back_in_words_is_told_how(porto, begin, outbox, box) -> None:
    mail = begin("Bea", "Ana", "Rui", game="puerto-rico")
    for text in ("role builder", "build small-market"):
        porto("receive", "--yes", "--send", stdin=answer(mail, text))
        mail = outbox[-1]
    mailbox.Maildir(box).add(answer(mail, "Take that back, please!"))
    done = porto("receive", box, "--yes", "--send")
    assert done.code == REFUSED
    assert "To take your last move back, answer with the word: undo" in done.err
    assert porto("receive", "--yes", "--send", stdin=answer(mail, "undo")).code == 0
    assert porto("receive", "--yes", "--send", stdin=answer(outbox[-1], "build small-market"))
    later = porto("receive", box, "--yes", "--send").err
    assert "Bea mentions a move, but not on a line of its own: 'Take that back" in later
