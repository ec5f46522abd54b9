"""An answer in words with several moves of one turn: what it is taken for is what was written.

A public contract that is fulfilled makes room for the next one, in the same space of the row.
Whoever is asked whether a move is meant reads the contract that was written, and nothing of what
comes up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.conftest import ROOT, Result
from tests.mail.test_mail_links import answer
from tests.mails import clicked, html_of, message_of, one_letter
from tests.pages import Page

pytestmark = pytest.mark.usefixtures(one_letter.__name__)

RECORDS = ("two-players", "three-players", "four-players-seat-first", "first-game", "forced-pass")


class Turn(NamedTuple):
    """A build of a record that meets public contracts: the game before it, and its two moves."""

    record: str
    player: str
    build: str
    contract: str

    @property
    def spoken(self) -> str:
        return f"{self.build}, {self.contract}"


def turns(name: str) -> Iterator[Turn]:
    """Return the builds of a record after which contracts were chosen, or none of them."""
    text = (ROOT / "records" / "porto" / f"{name}.yaml").read_text("utf-8")
    before, lines = "", text.splitlines(keepends=True)
    for line, below in pairwise(lines):
        if below.startswith("  contract: "):
            ((player, build),) = yaml.safe_load(line)[0].items()
            yield Turn(before, player, build, f"contract {yaml.safe_load(below)['contract']}")
        before += line


def sent(link: str, player: str) -> bytes:
    """Return the answer of a player who clicks a link."""
    return answer(link, names_the_mail=True).replace(b"reader@", f"{ord(player[0])}@".encode())


def linked(porto, turn: Turn) -> list[str]:
    """Return the moves to click in the mail of the game to the player."""
    Path("friday.yaml").write_text(turn.record, "utf-8")
    address = f"{ord(turn.player[0])}@example.org"
    assert porto("address", turn.player, address, "--no-program").code == 0
    mail = message_of(porto("mail", "friday.yaml", "--format", "eml", "--to", turn.player).out)
    return [str(link["href"]) for link in Page(html_of(mail)).all("a")]


def assert_said_as_written(porto, turn: Turn, mail: bytes) -> None:
    """Receive an answer: what is said before and after, and the record, are what was written."""
    file, eml = Path("friday.yaml"), Path("answer.eml")
    eml.write_bytes(mail)
    said, before = f"{turn.player} plays: {turn.spoken}.", file.read_text("utf-8")
    (told,) = json.loads(porto("receive", eml, "--dry-run", "--format", "json").out)["messages"]
    assert (told["moves"], told["sentences"]) == ([turn.spoken], [said])
    assert file.read_text("utf-8") == before
    done = porto("receive", eml, "--yes")
    assert (done.code, done.out.partition("\n")[0]) == (0, said)
    item = yaml.safe_load(file.read_text("utf-8"))["turns"][-1]
    assert (item[turn.player], f"contract {item['contract']}") == (turn.build, turn.contract)
    file.write_text(before, "utf-8")


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDS)
def test_every_contract_of_the_records_is_said_as_it_was_written(porto, name: str) -> None:
    for turn in (found := list(turns(name))):
        link = linked(porto, turn)[0].partition("&body=")[0]
        for one in dict.fromkeys([turn, turn._replace(contract="contract none")]):
            typed = f"{link}&body={one.build}%0D%0A{one.contract}"
            assert_said_as_written(porto, one, sent(typed, turn.player))
    assert found


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDS)
def test_a_contract_that_is_clicked_is_said_as_the_link_says(porto, name: str) -> None:
    clicks = 0
    for turn in turns(name):
        for link in linked(porto, turn):
            build, below, *_ = clicked(link)[1]["body"].split("\r\n")
            if below.startswith("contract "):
                clicks += 1
                clicked_on = turn._replace(build=build, contract=below)
                assert_said_as_written(porto, clicked_on, sent(link, turn.player))
                break
    assert clicks


@pytest.fixture
def turn(porto) -> Turn:
    """The first contract of a game, and the mail of its player in answer.eml."""
    found = next(turns("two-players"))
    link = linked(porto, found)[0].partition("&body=")[0]
    typed = f"{link}&body={found.build}%0D%0A{found.contract}"
    Path("answer.eml").write_bytes(sent(typed, found.player))
    return found


@pytest.mark.long
def test_who_is_asked_reads_the_contract_that_was_written(porto, turn: Turn) -> None:
    for words in ([], ["--dry-run"], ["--yes"]):
        done = porto("receive", "answer.eml", *words)
        assert done.out.startswith(f"{turn.player} plays: {turn.spoken}.\n"), words


@pytest.mark.long
def test_a_contract_after_a_build_that_the_record_has_is_said(porto, turn: Turn) -> None:
    """It goes on with the turn of the build; nothing was said of it."""
    verb, *words = turn.build.split()
    assert porto(verb, "friday.yaml", *words, "--as", turn.player).code == 0
    done = porto("receive", "answer.eml", "--dry-run")
    assert f"{turn.player} plays: {turn.contract}.\n" in done.out


def test_a_contract_of_mine_that_a_record_brings_is_named(porto, turn: Turn) -> None:
    """Whether it is said with its build, or goes on with a build that the own copy has."""
    theirs = Path("theirs.yaml")
    theirs.write_text(Path("friday.yaml").read_text("utf-8"), "utf-8")
    (first, *built), (second, *chosen) = turn.build.split(), turn.contract.split()
    assert porto(first, theirs, *built, "--as", turn.player).code == 0
    assert porto(second, theirs, *chosen, "--as", turn.player).code == 0
    assert porto("me", turn.player).code == 0
    refused = porto("receive", theirs, "--into", "friday.yaml")
    assert (refused.code, f"({turn.spoken})" in refused.err) == (1, True), refused.err
    assert porto(first, "friday.yaml", *built).code == 0
    refused = porto("receive", theirs, "--into", "friday.yaml")
    assert (refused.code, f"({turn.contract})" in refused.err) == (1, True), refused.err


@pytest.mark.long
def test_copies_that_differ_in_a_contract_are_told_apart(porto, turn: Turn) -> None:
    theirs, mine = Path("theirs.yaml"), Path("friday.yaml")
    theirs.write_text(mine.read_text("utf-8"), "utf-8")
    verb, *words = turn.build.split()
    for file, choice in ((theirs, turn.contract), (mine, "contract none")):
        assert porto(verb, file, *words, "--as", turn.player).code == 0
        assert porto("contract", file, choice.split()[1], "--as", turn.player).code == 0
    done = porto("receive", theirs, "--into", mine)
    for choice in (turn.contract, "contract none"):
        assert f"{turn.player} plays {turn.build}, {choice}" in done.out + done.err


@pytest.mark.long
def test_at_a_real_table_it_is_said_as_it_was_written(porto) -> None:
    found = list(turns("real-table"))
    for turn in found:
        Path("friday.yaml").write_text(turn.record, "utf-8")
        mail = f"From: a@example.org\nSubject: Re: Porto\n\n{turn.build}\n{turn.contract}\n"
        Path("answer.eml").write_text(mail, "utf-8")
        done = porto("receive", "answer.eml", "--dry-run", "--from", turn.player)
        assert f"{turn.player} plays: {turn.spoken}.\n" in done.out
    assert found


def test_an_answer_to_which_contract_is_known_for_good(porto, turn: Turn) -> None:
    """Its mail was written in the middle of what is one item of the record now."""
    verb, *words = turn.build.split()
    assert porto(verb, "friday.yaml", *words, "--as", turn.player).code == 0
    mail = porto(*("mail", "friday.yaml", "--as", "Joana", "--to", turn.player, "--format", "eml"))
    asked = message_of(mail.out)["Message-ID"]

    def answered(text: str) -> Result:
        sender = f"From: {turn.player} <{ord(turn.player[0])}@example.org>"
        eml = f"{sender}\nSubject: Re: Friday\nIn-Reply-To: {asked}\n\n{text}\n"
        return porto("receive", "--yes", stdin=eml.encode())

    assert answered(turn.contract).out.startswith(f"{turn.player} plays: {turn.contract}.\n")
    again = answered(turn.contract)
    assert (again.code, again.err) == (0, "")
    assert again.out == f"This move of {turn.player} was played before; friday.yaml has it.\n"
    other = answered("contract none")
    said = f"has answered the same turn again, with contract none; friday.yaml has {turn.contract}."
    assert said in other.err
    undone = answered("undo")
    assert (undone.code, f"{turn.player} took back: {turn.build}" in undone.out) == (0, True)
    # What was taken back has been there: neither answer is about a newer game.
    assert "was played before" in answered(turn.contract).out
    assert "was played before" in answered("undo").out
