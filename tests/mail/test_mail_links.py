"""Moves to click in a mail: what a link begins, mailed back, is that move and no other."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import pytest

import porto_cli
from porto_cli.core.chance import first_of_pile
from porto_cli.mail import letter as letters
from porto_cli.mail.letter import Letter, in_words, letter
from porto_cli.match.match import Match, loads
from tests import mails
from tests.conftest import ROOT
from tests.mails import clicked, groups, html_of, message_of, plain_text
from tests.pages import Page
from tests.shares import one_in
from tests.tables import text_at

RECORDS = {
    "porto": ("two-players", "three-players", "four-players-seat-first", "forced-pass"),
    "puerto-rico": (
        *("two-players", "three-players-guide", "four-players-draft", "five-players-random"),
    ),
}
FILES = [(game, name) for game, names in RECORDS.items() for name in names]


class Place(NamedTuple):
    """A position of a record: after how many of its items."""

    game: str
    name: str
    items: int
    phase: str


@cache
def whole(game: str, name: str) -> Match:
    return porto_cli.load(ROOT / "records" / game / f"{name}.yaml")


def places(game: str, name: str) -> Iterator[Place]:
    """Return a position of each phase, from the middle of those that a game has."""
    steps = [step for step in whole(game, name).replay.steps if step.after.phase != "over"]
    for phase in dict.fromkeys(step.before.phase for step in steps):
        found = [step.item for step in steps if step.before.phase == phase]
        yield Place(game, name, found[len(found) // 2], phase)


def at(place: Place) -> Match:
    return loads(text_at(f"{place.game}/{place.name}", place.items), "game.yaml")


def html_to(match: Match, seat: int, *, private: bool, address: str = "ana@example.org") -> str:
    return html_of(mails.mail_to(match.replay, seat, private=private, address=address))


COMMAND = re.compile(r"\bporto [a-z]")


def said(contents: Letter) -> str:
    """Return all that a letter says, as text and as HTML."""
    return letters.text_of(contents) + letters.html_of(contents)


def answer(link: str, *, names_the_mail: bool) -> bytes:
    """Return what somebody sends who clicks a link and presses Send; some programs break lines."""
    address, fields = clicked(link)
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "reader@example.org"
    mail["To"] = address
    mail["Subject"] = fields["subject"]
    mail["Message-ID"] = "<1@example.org>"
    if names_the_mail:
        mail["In-Reply-To"] = fields["in-reply-to"]
    lines = (
        wrap(line, 72, break_on_hyphens=False) or [""] for line in fields["body"].split("\r\n")
    )
    mail.set_content("\n".join([*chain.from_iterable(lines), "-- ", "Sent from my phone", ""]))
    return mail.as_bytes()


ALL_PLACES = [place for game, name in FILES for place in places(game, name)]


@pytest.mark.long
@pytest.mark.parametrize("place", one_in(25, ALL_PLACES), ids=str)
def test_a_click_plays_the_move_that_it_shows(porto, tmp_path: Path, place: Place) -> None:
    """Whether or not the mail program says which mail it answers."""
    match = at(place)
    (seat,) = match.game.to_move(match.state)
    assert porto("address", match.players[seat], "reader@example.org").code == 0
    offers = [one for group in groups(match.replay, seat, private=True) for one in group.offers]
    links = Page(html_to(match, seat, private=True)).all("a")
    assert len(links) == len(offers)
    for nth in sorted({0, len(offers) // 2, len(offers) - 1}):
        (tmp_path / "game.yaml").write_text(match.record.text, "utf-8")
        mail = answer(str(links[nth]["href"]), names_the_mail=bool(nth % 2))
        (tmp_path / "answer.eml").write_bytes(mail)
        done = porto("receive", "answer.eml", "--yes")
        assert done.code == 0, done.err
        wanted = at(place)
        for move in offers[nth].moves:
            wanted.play(move, player=seat)
        assert porto_cli.load(tmp_path / "game.yaml").digest == wanted.digest


@pytest.mark.parametrize("place", one_in(3, ALL_PLACES), ids=str)
def test_every_offer_is_legal_and_different(place: Place) -> None:
    match = at(place)
    (seat,) = match.game.to_move(match.state)
    found = groups(match.replay, seat, private=True)
    offers = [one for group in found for one in group.offers]
    assert 0 < len(offers) <= 40
    assert len({one.moves for one in offers}) == len(offers)
    assert len({(group.title, one.label) for group in found for one in group.offers}) == len(offers)
    for one in offers:
        state = match.state
        for text in one.moves:
            move, canonical, broken = match.game.read_move(text, state, seat)
            assert (canonical, broken) == (text, [])
            state = match.game.apply(state, move, first_of_pile, seat)[0]


def test_a_game_with_more_groups_offers_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    match = at(next(place for place in ALL_PLACES if place.phase == "keep"))
    (seat,) = match.game.to_move(match.state)
    own = match.game.words.move_groups(match.state, seat, private=True)
    monkeypatch.setattr(letters, "MOST_OFFERED", most := len(own[0].offers) + 1)
    first, second = groups(match.replay, seat, private=True)
    assert first == own[0]
    assert second.offers == own[1].offers[:1]
    assert len(first.offers) + len(second.offers) == most


def test_few_moves_are_all_offered() -> None:
    match = at(next(place for place in ALL_PLACES if place.phase == "role"))
    (seat,) = match.game.to_move(match.state)
    offered = {one.moves for group in groups(match.replay, seat, private=False) for one in group[1]}
    legal = match.game.legal_moves(match.state, seat)
    assert offered == {(match.text(move),) for move in legal}


def test_nobody_else_is_offered_a_move() -> None:
    match = at(ALL_PLACES[0])
    (seat,) = match.game.to_move(match.state)
    assert groups(match.replay, (seat + 1) % len(match.players), private=True) == ()
    over = whole("porto", "two-players")
    assert groups(over.replay, 0, private=True) == ()


def rich() -> Match:
    """Return a position of Porto in which thousands of builds are legal."""
    steps = whole("porto", "forced-pass").replay.steps
    most = max(steps, key=lambda step: len(step.before.hands[step.seat]))
    return at(Place("porto", "forced-pass", most.item, "act"))


@pytest.mark.long
def test_builds_begin_with_the_best_of_their_house() -> None:
    match = rich()
    best = match.observe(match.to_move()[0])["moves"][0]
    first = max(
        (group.offers[0] for group in groups(match.replay, match.state.seat, private=False)),
        key=lambda one: int(one.note.split()[0]) if one.note else 0,
    )
    assert first.note.startswith(f"{best['vp']} VP: ")
    assert match.game.count_moves(match.state, match.state.seat) > 1000


@pytest.mark.long
def test_a_build_goes_with_the_contracts_that_it_meets() -> None:
    found = 0
    for items in range(20, 70):
        match = at(Place("porto", "three-players", items, "act"))
        if match.state.phase != "act":
            continue
        for group in groups(match.replay, match.state.seat, private=False):
            for one in group.offers:
                if len(one.moves) == 2:
                    assert one.moves[1].startswith("contract ")
                    assert "contract " in one.note
                    found += 1
    assert found


def test_what_only_the_reader_may_know_is_offered_in_private_alone() -> None:
    match = at(next(place for place in ALL_PLACES if place.phase == "keep"))
    (seat,) = match.game.to_move(match.state)
    assert groups(match.replay, seat, private=False) == ()
    *with_draws, keeps = groups(match.replay, seat, private=True)
    assert len(keeps.offers) == 10
    assert with_draws
    assert all(len(one.moves) == 2 for group in with_draws for one in group.offers)


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("place", one_in(3, ALL_PLACES), ids=str)
def test_offers_depend_on_nothing_that_the_reader_may_not_know(place: Place, private: bool) -> None:
    """Nor, in a mail that others may read, on what only the reader knows."""
    match = at(place)
    (seat,) = match.game.to_move(match.state)
    found = groups(match.replay, seat, private=private)
    view = match.game.view(match.state, seat if private else None)
    for nth in range(3):
        other = match.game.resample(view, random.Random(nth))
        assert groups(match.replay._replace(state=other), seat, private=private) == found


@pytest.mark.parametrize("place", one_in(3, ALL_PLACES), ids=str)
def test_a_mail_without_commands_has_none(place: Place) -> None:
    match = at(place)
    (seat,) = match.game.to_move(match.state)
    for reader in range(len(match.players)):
        contents = letter(match.replay, (reader,), "Ana", private=True, commands=False)
        assert not COMMAND.search(said(contents))
        assert ("mailto:" in mails.html_of(mails.mail_of(match.replay, contents))) == (
            reader == seat
        )


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_last_mail_without_commands_has_none(file: tuple[str, str]) -> None:
    match = whole(*file)
    contents = letter(match.replay, (1,), "Ana", private=True, commands=False)
    assert not COMMAND.search(said(contents))
    assert "How it ended" in said(contents)


@pytest.mark.long
@pytest.mark.parametrize("file", one_in(3, FILES), ids=str)
def test_the_html_is_small_enough_for_every_mail_program(file: tuple[str, str]) -> None:
    """Gmail cuts what is larger than 102 KB."""
    game, name = file
    record = whole(game, name).record
    for items in range(0, len(record.items) - 1, 9):
        match = at(Place(game, name, items, ""))
        for seat in match.game.to_move(match.state):
            html = html_to(match, seat, private=True, address=f"{'a' * 60}@example.org")
            assert len(html.encode()) < 90_000


# -- Players without the program


@pytest.fixture
def plain_reader(porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A game in which it is the turn of a player without the program."""
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    assert porto("address", "Ana", "ana@example.org").code == 0
    assert porto("address", "Inês", "ines@example.org", "--no-program").code == 0
    assert porto("address", "Rui", "rui@example.org").code == 0
    match = porto_cli.new_game(["Ana", "Inês", "Rui"], seed="tram", first="Ana")
    match.play("keep 1 2 5", player="Ana")
    match.play(match.observe("Ana")["moves"][0]["move"])
    match.save(tmp_path / "friday.yaml")
    return match


def mail_to(porto, *args: str) -> EmailMessage:
    done = porto("mail", "friday.yaml", "--as", "Ana", *args)
    assert done.code == 0, done.err
    return message_of(done.out)


def own_contracts(match):
    return match.observe("Inês")["players"][match.seat("Inês")]["private"]


def test_a_player_without_the_program_gets_moves_and_no_commands(porto, plain_reader) -> None:
    mail = mail_to(porto)
    private = own_contracts(plain_reader)
    for text in (plain_text(mail), html_of(mail)):
        assert "porto " not in text.replace("porto-", "")
        assert all(name in text for name in private)
    links = Page(html_of(mail)).all("a")
    assert all(str(link["href"]).startswith("mailto:ana@example.org?") for link in links)
    assert "keep 1 2 3; draw" in plain_text(mail) or "; draw " in plain_text(mail)


def test_a_player_with_the_program_gets_no_secrets(porto, plain_reader) -> None:
    assert porto("address", "Inês", "--program").code == 0
    mail = mail_to(porto)
    assert "porto keep friday.yaml" in plain_text(mail)
    assert not any(name in html_of(mail) for name in own_contracts(plain_reader))


def test_nobody_gets_a_copy_of_the_secrets_of_a_player(porto, plain_reader) -> None:
    done = porto("mail", "friday.yaml", "--as", "Ana", "--cc")
    assert (done.code, done.out) == (2, "")
    assert "Leave out --cc" in done.err
    several = mail_to(porto, "--to", "Inês", "--to", "Rui")
    assert not any(name in html_of(several) for name in own_contracts(plain_reader))


@pytest.mark.parametrize("args", [("--to", "Inês", "--to", "a@b.c"), ("--to", "ines@example.org")])
def test_an_address_that_is_typed_gets_no_secrets(porto, plain_reader, args) -> None:
    text = html_of(mail_to(porto, *args))
    assert not any(name in text for name in own_contracts(plain_reader))


@pytest.mark.long
def test_text_alone_has_every_move_in_words(porto, plain_reader) -> None:
    assert porto("address", "Inês", "--no-html").code == 0
    mail = mail_to(porto)
    assert mail.get_body(("html",)) is None
    found = groups(plain_reader.replay, 1, private=True)
    for one in (one for group in found for one in group.offers):
        assert f"    {in_words(one)}\n" in plain_text(mail)
    assert mail_to(porto, "--to", "Rui").get_body(("html",))
    assert mail_to(porto, "--to", "Rui", "--no-html").get_body(("html",)) is None
