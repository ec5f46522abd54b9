"""People at the table who are called like a move, and second thoughts below a rule.

What somebody only signs with, or is greeted by, is no move. Where it may be one, it is asked about.
"""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.mails import message_of, one_letter

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

START = (("role", "settler"), ("take", "quarry"))


_KEPT: dict[tuple[str, bool], dict[str, str]] = {}
"""What was written when a table was set up for the first time."""


def table(porto, guest: str, *, passes: bool) -> None:
    """Set up a game in which the guest, who has no program, takes a tile or (next) a role; the
    mail about it is in sent.eml.
    """
    porto("me", "Ana")
    porto("address", guest, "guest@example.org", "--no-program")
    if (guest, passes) not in _KEPT:
        people = ("Ana", guest, "--first", "Ana")
        new = porto("new", "sunday.yaml", *people, "--game", "puerto-rico", "--seed", "x")
        assert new.code == 0
        for verb, *words in START:
            assert porto(verb, "sunday.yaml", *words).code == 0
        if passes:
            assert porto("pass", "sunday.yaml", "--as", guest).code == 0
        Path("sent.eml").write_text(porto("mail", "sunday.yaml", "--format", "eml").out, "utf-8")
        _KEPT[guest, passes] = {
            name: Path(name).read_text("utf-8") for name in ("sunday.yaml", "sent.eml")
        }
    for name, text in _KEPT[guest, passes].items():
        Path(name).write_text(text, "utf-8")


def answered(porto, guest: str, body: str, *, sender: str = "") -> Result:
    sent = message_of(Path("sent.eml").read_text("utf-8"))
    mail = EmailMessage()
    mail["From"] = f"{sender or guest} <guest@example.org>"
    mail["Subject"] = "Re: " + sent["Subject"]
    mail["In-Reply-To"] = sent["Message-ID"]
    mail.set_content(body)
    return porto("receive", "--yes", stdin=mail.as_bytes())


def turns() -> list[str]:
    lines = Path("sunday.yaml").read_text("utf-8").splitlines()
    return [line for line in lines if line.startswith("- ")]


@pytest.mark.parametrize(
    "body", ["Hi Ana, I am on holiday until Monday.\n\n{}\n", "{}\n", "See you tomorrow! {}"]
)
def test_a_signature_is_no_move(porto, body: str) -> None:
    table(porto, "Sugar", passes=False)
    before = turns()
    for name in ("Sugar", "sugar.", "- Sugar", "\u2013 SUGAR", "(Sugar)", "*Sugar*"):
        assert answered(porto, "Sugar", body.format(name)).code == 1, name
        assert turns() == before, name


@pytest.mark.long_for("Mayor", "Old Mayor")
@pytest.mark.parametrize("name", ["Mayor", "Mayor Sugar", "Old Mayor"])
def test_nor_is_a_part_of_a_name(porto, name: str) -> None:
    table(porto, name, passes=True)
    before = turns()
    assert answered(porto, name, "See you tomorrow!\nMayor\n").code == 1
    assert turns() == before


def test_nor_is_what_the_sender_calls_himself(porto) -> None:
    table(porto, "Bea", passes=True)
    assert answered(porto, "Bea", "See you tomorrow!\nMayor\n", sender="Mayor").code == 1
    assert len(turns()) == 3


def test_nor_the_name_of_who_is_greeted(porto) -> None:
    table(porto, "Mayor", passes=True)
    assert answered(porto, "Mayor", "Good morning, Mayor.\nWhat a day\n").code == 1
    assert len(turns()) == 3


@pytest.mark.parametrize("body", ["take corn\n\nSugar\n", "Sugar\ntake corn", "Take corn. Sugar"])
def test_the_move_beside_a_name_is_played(porto, body: str) -> None:
    table(porto, "Sugar", passes=False)
    done = answered(porto, "Sugar", body)
    assert done.code == 0, done.err
    assert turns()[-1] == "- Sugar: take corn"


def test_a_move_with_the_name_in_it_is_one(porto) -> None:
    table(porto, "Sugar", passes=False)
    done = answered(porto, "Sugar", "take sugar\n\nSugar")
    assert done.code == 0, done.err
    assert turns()[-1] == "- Sugar: take sugar"


@pytest.mark.long
def test_the_button_pass_works_for_whoever_is_called_so(porto) -> None:
    """A move of one word is written alone into the first line, and names stand below."""
    table(porto, "Pass", passes=False)
    assert answered(porto, "Pass", "See you tomorrow!\n\nPass\n").code == 1
    done = answered(porto, "Pass", "pass\n\nPass")
    assert done.code == 0, done.err
    assert turns()[-1] == "- Pass: pass"


@pytest.mark.parametrize(
    "body",
    [
        "Good morning, captain.\n",
        "Hi Ana, my captain!\n",
        "Captain!\n\nI am on holiday.\n",
        "Captain,\n\nI am on holiday.\n",
    ],
)
def test_a_form_of_address_is_asked_about(porto, body: str) -> None:
    table(porto, "Bea", passes=True)
    done = answered(porto, "Bea", body)
    assert done.code == 1
    assert "--yes will not play it" in done.err
    assert len(turns()) == 3


@pytest.mark.parametrize(
    "body",
    ["role captain", "Role: the captain!", "Hi Ana,\nrole captain", "Hi Bea!\n- Role captain"],
)
def test_a_role_with_its_verb_is_a_move(porto, body: str) -> None:
    table(porto, "Bea", passes=True)
    done = answered(porto, "Bea", body)
    assert done.code == 0, done.err
    assert turns()[-1] == "- Bea: role captain"


RULES = ["____", "________", "***", "====", "---"]


@pytest.mark.long_for("No, wait. I take the mayor.", "Sorry, I mean the mayor")
@pytest.mark.parametrize(
    "below",
    [
        "No, wait. I take the mayor.",
        "Sorry, I mean the mayor",
        "I take the mayor.\n\nBea",
        "Bea\n\nEspera!",
        "Please do not print this e-mail.\n\nStop",
    ],
)
def test_a_second_thought_below_a_rule_is_read(porto, below: str) -> None:
    table(porto, "Bea", passes=True)
    for rule in RULES:
        assert answered(porto, "Bea", f"role builder\n{rule}\n\n{below}\n").code == 1, rule
        assert len(turns()) == 3, rule


@pytest.mark.long_for(
    "Bea",
    "If you are not the intended recipient of this message, please delete it.",
    "Please do not print this e-mail.",
)
@pytest.mark.parametrize(
    "below",
    [
        "Bea",
        "If you are not the intended recipient of this message, please delete it.",
        "Please do not print this e-mail.",
        "From: Ana\nSent: today\nrole mayor",
        "> role mayor",
        "Friday mailing list\nlist@example.org\n\nNo more mail: unsubscribe",
    ],
)
def test_a_signature_a_footer_or_a_quotation_below_a_rule_is_none(porto, below: str) -> None:
    table(porto, "Bea", passes=True)
    game = Path("sunday.yaml")
    before = game.read_text("utf-8")
    for rule in RULES[:4]:
        done = answered(porto, "Bea", f"role builder\n{rule}\n{below}\n")
        assert done.code == 0, (rule, done.err)
        assert turns()[-1] == "- Bea: role builder", rule
        game.write_text(before, "utf-8")


def test_a_signature_that_is_not_known_as_one_is_asked_about(porto) -> None:
    table(porto, "Bea", passes=True)
    done = answered(porto, "Bea", "role builder\n____\nBea Silva\n5 Sugar Street\n")
    assert done.code == 1
    assert "Bea also writes: 'Bea Silva 5 Sugar Street'" in done.err
    assert len(turns()) == 3


@pytest.mark.long_for("No", "Stop")
@pytest.mark.parametrize("name", ["No", "Stop", "Never"])
def test_a_name_that_takes_a_move_back_is_read(porto, name: str) -> None:
    table(porto, name, passes=True)
    assert answered(porto, name, f"role builder\n\n{name}\n").code == 1
    assert len(turns()) == 3
