"""Orders and mail: what is received, what it leads to, and who reads what of it."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.mail.draft import Draft
from porto_cli.mail.ids import ABOUT, named, read_message_ids, reference, stations
from porto_cli.match.match import Match
from tests.documents import validated
from tests.mail.test_crossing import Desk, desks
from tests.mails import message_id, posted

__all__ = ["desks"]

GAME = "game.yaml"
NAMES = ("Ana", "Bea", "João")


@pytest.fixture
def three(desks: Any) -> list[Desk]:
    """Ana, Bea and João, each with a copy of a game in which Ana takes the first role.

    Face up are coffee, corn, indigo and tobacco.
    """
    homes: list[Desk] = desks(*NAMES)
    words = ("--game", "puerto-rico", "--seed", "yauco", "--first", "Ana")
    homes[0].porto("new", GAME, *NAMES, *words)
    for home in homes[1:]:
        home.file.write_text(homes[0].file.read_text("utf-8"), "utf-8")
    return homes


def orders(home: Desk, text: str, *more: str, code: int = 0) -> str:
    return home.porto("order", GAME, *text.split(), *more, code=code)


def moves(home: Desk, *texts: str) -> None:
    for text in texts:
        verb, *words = text.split()
        home.porto(verb, GAME, *words)


def loaded(home: Desk) -> Match:
    return porto_cli.load(home.file)


def letter_to(home: Desk, **wish: Any) -> str:
    """Return the text of the mail that is due, as the program sends it."""
    body = Draft(loaded(home), **wish).mail.get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


# -- What is received


@pytest.mark.long
def test_an_order_that_crosses_with_a_move_is_executed_by_both_programs(three: list[Desk]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee, else corn")
    from_bea = bea.mail()
    moves(ana, "role settler", "take quarry")
    from_ana = ana.mail()
    result = bea.receive(from_ana)
    assert "game.yaml has 2 new turns" in result
    assert "Bea (ordered): take coffee" in result
    assert "porto mail game.yaml" in result
    result = ana.receive(from_bea)
    assert "was updated with the version" in result
    assert "Bea (ordered): take coffee" in result
    assert "(Ordered.)" in result
    assert ana.fingerprint() == bea.fingerprint()
    assert loaded(ana).to_move() == ["João"]
    assert "- Bea: take coffee  # ordered" in ana.file.read_text("utf-8")
    for home, message in ((ana, bea.mail()), (bea, ana.mail())):
        assert "nothing new" in home.receive(message)


def test_a_version_with_an_order_alone_says_nothing_of_it(three: list[Desk]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee")
    result = ana.receive(bea.mail())
    assert "game.yaml was updated with the version" in result
    assert "an order" not in result
    assert "coffee" not in result
    assert ana.fingerprint() == bea.fingerprint()


@pytest.mark.long
def test_who_receives_the_turn_is_told_why_the_own_order_does_not_fit(three: list[Desk]) -> None:
    ana, bea, joao = three
    orders(bea, "settler quarry")
    ana.receive(bea.mail())
    moves(ana, "role settler", "take quarry")
    stopped = "Your order for 'settler' stopped, so the game waits for you:"
    message = ana.mail()
    assert stopped in bea.receive(message)
    assert stopped not in joao.receive(message)


def test_an_order_of_a_new_game_is_executed_as_well(three: list[Desk]) -> None:
    ana, bea, joao = three
    orders(ana, "role settler")
    without = ana.file.read_text("utf-8").replace("- Ana: role settler  # ordered\n", "")
    bea.file.unlink()
    (joao.folder / "by-hand.yaml").write_text(without, "utf-8")
    result = bea.receive(joao.folder / "by-hand.yaml")
    assert "Ana (ordered): role settler" in result
    assert porto_cli.load(bea.folder / "by-hand.yaml").digest == ana.fingerprint()


def test_nothing_is_executed_in_a_dry_run_that_reports_it(three: list[Desk]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee")
    before = bea.file.read_text("utf-8")
    moves(ana, "role settler", "take quarry")
    result = bea.porto("receive", ana.mail(), "--dry-run")
    assert "Bea (ordered): take coffee" in result
    assert bea.file.read_text("utf-8") == before


def test_a_fork_names_an_order_without_its_words(three: list[Desk]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee")
    orders(ana, "settler sugar", "--as", "Bea")
    result = ana.receive(bea.mail(), code=1)
    assert "differ from item 1 of the turns on, in a secret of the player: an order of Bea" in (
        " ".join(result.split())
    )
    assert "coffee" not in result


# -- Who may send what


@pytest.mark.long
def test_a_turn_that_follows_from_own_orders_needs_no_confirmation(three: list[Desk]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee")
    ana.receive(bea.mail())
    moves(ana, "role settler", "take quarry")
    assert loaded(ana).to_move() == ["João"]
    assert "2 new turns" not in (result := bea.receive(ana.mail())), result
    assert "has 3 new turns" in result


@pytest.mark.long_for("take corn")
@pytest.mark.parametrize("made", ["take corn", "take tobacco"])
def test_another_turn_than_the_ordered_one_needs_confirmation(three: list[Desk], made: str) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee")
    moves(ana, "role settler", "take quarry", f"{made} --as Bea")
    message = ana.mail()
    result = " ".join(bea.receive(message, code=1).split())
    assert f"has turns of Bea that it does not have ({made})" in result
    # An order that was made up, with the move marked as ordered, does not help.
    text = ana.file.read_text("utf-8").replace(f"- Bea: {made}", f"- Bea: {made}  # ordered")
    text = text.replace("- Ana: role", f"- Bea: order settler {made}\n- Ana: role")
    forged = ana.folder / "forged.yaml"
    forged.write_text(text, "utf-8")
    orders(bea, "none")
    assert "conflict" in bea.receive(forged, code=1)


def test_an_order_in_the_own_name_needs_confirmation(three: list[Desk]) -> None:
    ana, bea, joao = three
    orders(ana, "settler corn", "--as", "Bea")
    message = ana.mail()
    result = " ".join(bea.receive(message, code=1).split())
    assert "turns of Bea that it does not have (order settler take corn)" in result
    assert "Bea has given an order." in bea.porto("receive", message, "--mine")
    assert "an order" not in joao.receive(message)


# -- What a mail says


def test_the_mail_goes_to_who_has_to_decide_with_all_news(three: list[Desk]) -> None:
    ana, bea, joao = three
    for home, text in ((bea, "settler coffee"), (joao, "settler tobacco")):
        orders(home, text)
        ana.receive(home.mail())
    moves(ana, "role settler", "take quarry")
    assert loaded(ana).to_move() == ["Bea"], "she takes the next role"
    text = letter_to(ana, seat=0)
    assert text.startswith("Bea, it is your turn. SINCE YOUR LAST TURN - Ana took the settler.")
    assert "Bea took a coffee plantation. (Ordered.)" in text
    assert "João took a tobacco plantation." in text
    assert text.count("(Ordered.)") == 2
    bea.receive(ana.mail())
    log = bea.porto("log", GAME, "--since", "last")
    assert "Ana took a quarry." in log
    assert " ".join(log.split()).count("(Ordered.)") == 2


@pytest.mark.long
def test_words_and_seats_are_told_with_the_news_that_arrive(three: list[Desk]) -> None:
    ana, bea, _ = three
    moves(ana, "role settler")
    ana.porto("take", GAME, "quarry", "--say", "Hurry up")
    ana.porto("seat", GAME, "João", "--to", "Zoe")
    news = bea.receive(ana.mail())
    said = "Ana took a quarry.\n  Ana says: \u201cHurry up\u201d\n"
    assert f"{said}  Zoe plays for João from here on.\n" in news
    moves(bea, "take corn")
    assert "Bea says" not in ana.receive(bea.mail())
    assert "quarry. - Zoe plays for João from here on. - Bea took" in letter_to(
        ana, whom=("z@example.org",)
    )


def stopped(three: list[Desk]) -> Desk:
    """Return Ana's home after moves for which no order of Bea fits."""
    ana, bea, _ = three
    orders(bea, "settler take corn")
    ana.receive(bea.mail())
    moves(ana, "role settler", "take corn")
    assert loaded(ana).to_move() == ["Bea"]
    return ana


STOPPED = "Your order for 'settler' stopped, so the game waits for you: 'take corn'"


@pytest.mark.long
def test_only_the_owner_reads_why_an_order_stopped(three: list[Desk]) -> None:
    ana = stopped(three)
    for seat in (0, None):
        assert STOPPED in letter_to(ana, seat=seat, unseen=True)
    assert STOPPED in letter_to(ana, seat=0, whom=("Bea",), private=True)
    for wish in (
        {},
        {"whom": ("Bea", "João"), "unseen": True},
        {"whom": ("João",), "unseen": True},
        {"cc": True, "unseen": True},
        {"whom": ("somebody@example.org",), "unseen": True},
    ):
        text = letter_to(ana, seat=0, **wish)
        assert "Your order" not in text, wish
        assert "'take corn'" not in text, wish
    assert "stopped" not in ana.porto("mail", GAME, "--format", "text")


# -- Sending an order


@pytest.fixture
def sent(three: list[Desk], monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What is sent by people who know each other's addresses."""
    for home in three:
        home.home.mkdir(mode=0o700, exist_ok=True)
        (home.home / "config.yaml").write_text(
            f"mail: {{from: '{home.name} <me@example.org>', server: 127.0.0.1, security: none}}\n"
        )
        for name in NAMES:
            home.porto("address", name, f"{name.lower().replace('ã', 'a')}@example.org")
    return posted(monkeypatch)


def delivered(mail: EmailMessage, home: Desk) -> str:
    """Let somebody receive a mail that was sent, and return the report."""
    file = home.folder / "in.eml"
    file.write_bytes(mail.as_bytes())
    return home.receive(file)


@pytest.mark.long
def test_an_order_is_sent_to_who_is_to_move(three: list[Desk], sent: list[EmailMessage]) -> None:
    ana, bea, _ = three
    orders(bea, "settler coffee", "--send")
    [mail] = sent
    assert mail["To"] == "Ana <ana@example.org>"
    body = mail.get_body(("plain",))
    assert body is not None
    text = " ".join(str(body.get_content()).split())
    assert text.startswith("Ana, it is your turn. The table is as it was, but this copy")
    assert "coffee" not in text.partition("THE TABLE")[0]
    assert "order" not in text.replace("porto order", "").replace("give orders", ""), (
        "but for how to order"
    )
    known = named(loaded(three[2]).replay)
    assert read_message_ids(mail["Message-ID"]) != [known]
    delivered(mail, ana)
    moves(ana, "role settler", "take quarry")
    assert loaded(ana).to_move() == ["João"]


def test_an_order_is_not_sent_to_who_cannot_use_it(
    three: list[Desk], sent: list[EmailMessage]
) -> None:
    ana, bea, _ = three
    assert "the turn of Ana, so no mail was sent" in orders(ana, "settler coffee", "--send")
    bea.porto("address", "Ana", "ana@example.org", "--no-program")
    assert "Ana plays without the program, so no mail was sent" in orders(
        bea, "settler coffee", "--send"
    )
    assert not sent
    assert loaded(bea).replay.declarations


@pytest.mark.long
def test_a_move_after_which_orders_go_on_is_sent_to_who_decides(
    three: list[Desk], sent: list[EmailMessage]
) -> None:
    ana, bea, _ = three
    orders(bea, "settler take corn")
    ana.receive(bea.mail())
    moves(ana, "role settler")
    ana.porto("take", GAME, "corn", "--send")
    [mail] = sent
    assert mail["To"] == "Bea <bea@example.org>"
    body = mail.get_body(("plain",))
    assert body is not None
    assert STOPPED in " ".join(str(body.get_content()).split())


def test_an_order_that_could_not_be_sent_is_not_given(three: list[Desk]) -> None:
    _, bea, _ = three
    assert "Nothing was written" in orders(bea, "settler coffee", "--send", code=2)
    assert not loaded(bea).replay.declarations


# -- Answers to mails that orders came between


@pytest.fixture
def answer(three: list[Desk]) -> Callable[[Match, str], Path]:
    """Write the answer of João, who does not have the program, to the mail of a table."""
    ana, *_ = three
    ana.porto("address", "João", "joao@example.org", "--no-program")

    def write(match: Match, words: str) -> Path:
        mail = EmailMessage()
        mail["From"] = "João <joao@example.org>"
        mail["To"] = "ana@example.org"
        mail["Subject"] = "Re: the game"
        mail["Message-ID"] = "<1@example.org>"
        about = f"{ABOUT} {reference(named(match.replay))}"
        mail.set_content(f"{words}\n\n{about}\n")
        file = ana.folder / "answer.eml"
        file.write_bytes(mail.as_bytes())
        return file

    return write


@pytest.mark.long
def test_an_answer_finds_its_table_though_an_order_came_before_it(
    three: list[Desk], answer: Callable[[Match, str], Path]
) -> None:
    ana, bea, _ = three
    orders(bea, "builder pass")
    from_bea = bea.mail()
    moves(ana, "role settler", "take quarry", "take corn --as Bea")
    mailed = loaded(ana)
    ana.receive(from_bea)
    assert loaded(ana).digest not in (mailed.digest, "")
    result = ana.porto("receive", answer(mailed, "take coffee"), "--yes")
    assert "João plays: take coffee" in result
    assert loaded(ana).to_move() == ["Bea"]


def test_orders_are_executed_after_an_answer(
    three: list[Desk], answer: Callable[[Match, str], Path]
) -> None:
    ana, bea, _ = three
    orders(bea, "role builder")
    ana.receive(bea.mail())
    moves(ana, "role settler", "take quarry", "take corn --as Bea")
    message = answer(loaded(ana), "take coffee")
    result = ana.porto("receive", message, "--yes", "--format", "json")
    [one] = validated("receive", result)["messages"]
    assert one["ordered"] == [{"player": "Bea", "moves": ["role builder"]}]
    assert "Bea (ordered): role builder" in one["sentences"]
    assert "- Bea: role builder  # ordered" in ana.file.read_text("utf-8")


@pytest.mark.long
def test_messages_of_all_states_are_known_by_their_ids(three: list[Desk]) -> None:
    ana, bea, _ = three
    found = []
    for text in ("settler coffee", "builder pass"):
        orders(bea, text)
        found.append(message_id(loaded(bea).replay))
    moves(ana, "role settler")
    ana.receive(bea.mail())
    assert len(set(found)) == len(found)
    states = [one.named.state for one in stations(loaded(bea).replay)]
    assert [read_message_ids(one)[0].state for one in found] == states[1:]
    assert len(states[0]) == 24
    assert states[0] == loaded(bea).replay._replace(steps=(), declarations=()).digest[:24]


@pytest.mark.long
def test_the_mark_of_an_ordered_move_is_no_comment_to_keep(three: list[Desk]) -> None:
    ana, bea, joao = three
    orders(bea, "settler coffee")
    ana.receive(bea.mail())
    moves(ana, "role settler", "take quarry")
    joao.receive(ana.mail())
    joao.file.write_text(joao.file.read_text("utf-8").replace("  # ordered", ""), "utf-8")
    moves(joao, "take tobacco")
    result = ana.receive(joao.mail())
    assert "has one new turn" in result
    assert "comments" not in result
    assert not list(ana.folder.glob("*~"))
