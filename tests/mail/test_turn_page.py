"""The page of a turn: what is in it, and who reads what. The clicks are in a file of their own."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from porto_cli.core import RefusedError
from porto_cli.core.shell import option
from porto_cli.games.porto.engine.play import Build
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.mail.letter import offers_to
from porto_cli.mail.offers import turn_page
from porto_cli.match.match import Match, new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import table_html
from porto_cli.words import MANY
from tests.mail.test_mail_links import ALL_PLACES, Place, at
from tests.mails import html_of, joanas_turn, mail_to, message_of
from tests.only_rules import plainly
from tests.pages import Page
from tests.puerto_rico.tables import expansion, table
from tests.sealed_games import mover, played, seen_by, set_up
from tests.shares import one_in

MOST_EXPANDED, MOST_LISTED = 3_000, 12_000
LARGEST = 300_000
"""Bytes of a page, whatever there is to choose."""


def to_move(replay: Replay) -> int:
    return int(replay.game.to_move(replay.state)[0])


def page_of(replay: Replay, *, private: bool = True) -> str:
    """The page of who is to move, as a mail has it."""
    seat = to_move(replay)
    offers = offers_to(replay, seat, address="ana@example.org", private=private)
    return turn_page(replay, seat, offers, "game.yaml")


def data_of(page: str) -> dict[str, Any]:
    """What the script of a page gets."""
    found = re.search(r'<script id="choices" type="application/json">(.*?)</script>', page)
    assert found is not None
    return dict(json.loads(found[1]))


class Choice(NamedTuple):
    """A move, or one that stands for many."""

    words: tuple[str, ...]
    end: Sequence[Any]

    @property
    def count(self) -> int:
        """How many moves it is."""
        if len(self.end) < 4:
            return 1
        names, least, most, _ = self.end[3]
        ways = [1]
        for number in names.values():
            ways = [sum(ways[max(0, n - number) : n + 1]) for n in range(len(ways) + number)]
        return sum(ways[least : most + 1])

    def texts(self) -> Iterator[str]:
        """All moves that it is."""
        text = " ".join(self.words)
        if len(self.end) < 4:
            yield text
            return
        names, least, most, _ = self.end[3]
        for numbers in product(*(range(number + 1) for number in names.values())):
            if least <= sum(numbers) <= most:
                yield text.replace(MANY, bundle(zip(names, numbers, strict=True)))


def bundle(numbers: Iterator[tuple[str, int]]) -> str:
    return " ".join(name if n == 1 else f"{name} {n}" for name, n in numbers if n) or "none"


def choices(data: dict[str, Any], node: int, words: tuple[str, ...] = ()) -> Iterator[Choice]:
    """What a page offers at a node of its graph."""
    for word, following in data["graph"][node].items():
        if word:
            yield from choices(data, following, (*words, word))
        else:
            yield Choice(words, following)


def texts(data: dict[str, Any], node: int) -> list[str]:
    return sorted(text for one in choices(data, node) for text in one.texts())


def of_phase(phase: str) -> Match:
    return at(next(place for place in ALL_PLACES if place.phase == phase))


def crowded() -> Replay:
    """A position of Porto with more moves than anybody could list."""
    match, rng = new_game(["Ana", "Rui"], seed="s1", first="Ana"), Random(5)
    while match.game.count_moves(match.state, to_move(match.replay)) < MOST_LISTED:
        legal = match.game.legal_moves(match.state, to_move(match.replay))
        draws = [move for move in legal if not isinstance(move, Build)]
        match.play(rng.choice(draws or legal), player=to_move(match.replay))
    return match.replay


def with_state(state: State) -> Replay:
    """A game of Puerto Rico at a table that no record led to."""
    match = new_game(state.config.players, game="puerto-rico", seed="x", first="A")
    return match.replay._replace(state=state)


WHARF = expansion(3, "captain", "small-wharf", a={"goods": "corn 3 coffee", "full": "small-wharf"})
MARKET = expansion(
    3,
    "builder",
    "black-market",
    a={"goods": "corn coffee", "full": "black-market small-market", "doubloons": 1, "vp": 2},
)
GUIDE = table(
    3,
    "mayor",
    rulebook="guide",
    a={"island": "corn 2 quarry", "city": "hospice", "san_juan": 3},
)
FULL = table(3, "mayor", a={"island": "corn", "city": "hospice", "san_juan": 3})


# -- The moves


@pytest.mark.parametrize("place", one_in(3, ALL_PLACES), ids=str)
def test_every_legal_move_is_on_the_page_and_no_other(place: Place) -> None:
    match = at(place)
    seat = to_move(match.replay)
    data = data_of(page_of(match.replay))
    count = match.game.count_moves(match.state, seat)
    assert sum(one.count for one in choices(data, data["start"])) == count
    if count <= MOST_EXPANDED:
        legal = match.game.legal_moves(match.state, seat)
        assert texts(data, data["start"]) == sorted(map(match.text, legal))


@pytest.mark.parametrize("state", [WHARF, MARKET, GUIDE, FULL], ids=range(4))
def test_so_it_is_with_numbers_to_be_chosen_and_with_payments(state: State) -> None:
    data = data_of(page_of(with_state(state)))
    moves: list[Move] = legal_moves(state)
    assert texts(data, data["start"]) == sorted(map(str, moves))


@pytest.mark.parametrize("phase", ["keep", "act", "role", "trader"])
def test_what_follows_in_the_same_turn_is_what_is_legal_then(phase: str) -> None:
    match = of_phase(phase)
    seat, game = to_move(match.replay), match.game
    data = data_of(page_of(match.replay))

    def nothing_comes_up(stream: str, index: int, pile: bytes, /) -> int:
        raise AssertionError(stream)

    for one in choices(data, data["start"]):
        if len(one.end) == 3:
            move = match.move(" ".join(one.words), seat)
            after, _ = game.apply(match.state, move, nothing_comes_up, seat)
            assert game.to_move(after) == (seat,)
            legal = game.legal_moves(after, seat)
            assert texts(data, one.end[1]) == sorted(
                game.format_move(move, after) for move in legal
            )


def test_a_build_goes_on_with_contracts_in_the_same_command() -> None:
    match = next(match for match in map(at, ALL_PLACES) if _meets_a_contract(match))
    data = data_of(page_of(match.replay))
    following = [one.end for one in choices(data, data["start"]) if len(one.end) == 3]
    assert following
    for _, node, same in following:
        assert same
        assert "contract none" in texts(data, node)


def _meets_a_contract(match: Match) -> bool:
    moves = match.observe(0)["moves"]
    return match.state.phase == "act" and any(move["contracts"] for move in moves)


@pytest.mark.long
def test_a_page_stays_small_with_thousands_of_moves() -> None:
    page = page_of(crowded())
    data = data_of(page)
    assert sum(1 for _ in choices(data, data["start"])) >= MOST_LISTED
    assert len(page.encode()) < LARGEST


@pytest.mark.parametrize("place", one_in(3, ALL_PLACES), ids=str)
def test_pages_of_records_are_small(place: Place) -> None:
    assert len(page_of(at(place).replay).encode()) < LARGEST / 2


# -- Who may know what


@pytest.mark.parametrize(
    ("phase", "private"),
    [("keep", True), *product(["act", "role", "captain", "mayor"], [True, False])],
)
def test_what_is_hidden_from_the_reader_makes_no_difference(phase: str, private: bool) -> None:
    match = of_phase(phase)
    replay, game = match.replay, match.game
    looker = to_move(replay) if private else None
    view = game.view(match.state, looker)
    states = [game.resample(view, Random(seed)) for seed in range(4)]
    assert len({page_of(replay._replace(state=state), private=private) for state in states}) == 1


def test_a_choice_among_secrets_is_made_in_private_alone() -> None:
    with pytest.raises(RefusedError, match="--as"):
        page_of(of_phase("keep").replay, private=False)


def test_private_contracts_are_named_in_private_alone() -> None:
    match = of_phase("act")
    seat = to_move(match.replay)
    names = match.observe(seat)["players"][seat]["private"]
    assert names
    assert all(name in page_of(match.replay) for name in names)
    assert not any(name in page_of(match.replay, private=False) for name in names)


def test_that_there_are_vp_to_return_is_said_in_private_alone() -> None:
    replay = with_state(MARKET)
    for private in (True, False):
        data = data_of(page_of(replay, private=private))
        assert any(" vp" in text for text in texts(data, data["start"])) is private


# -- The page


@pytest.mark.parametrize("phase", ["keep", "act", "role", "mayor"])
def test_a_page_needs_nothing_from_elsewhere_and_runs_only_its_own(phase: str) -> None:
    page = page_of(of_phase(phase).replay)
    read = Page(page)
    assert all((one.get("href") or "#").startswith(("#", "mailto:")) for one in read.all("a"))
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in read.tags}
    assert not any(name.startswith("on") for _, given in read.tags for name in given)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = b64encode(sha256(script[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page
    ids = [given["id"] for _, given in read.tags if "id" in given]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("phase", ["keep", "act", "role", "mayor"])
def test_without_its_script_it_is_the_list_of_the_mail(phase: str) -> None:
    replay = of_phase(phase).replay
    seat = to_move(replay)
    mail = mail_to(replay, seat, private=True, address="ana@example.org")
    links = [one["href"] for one in Page(html_of(mail)).all("a")]
    assert links
    read = Page(page_of(replay))
    assert [one["href"] for one in read.all("a") if "href" in one] == links
    shown = {given.get("id"): "hidden" in given for _, given in read.tags}
    assert (shown["offers"], shown["turn"]) == (False, True)


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_names_are_text_everywhere(game: str) -> None:
    name = "</script><b>\"'&"
    match = new_game([name, "Rui"], game=game, seed="x", title="<u>{count}</u>", first=name)
    page = page_of(match.replay)
    assert page.count("</script>") == 2
    assert data_of(page)["command"][-1] == f" {option('--as', name)}"
    assert "u" not in {tag for tag, _ in Page(page).tags}


def test_a_game_of_another_package_has_a_page_too() -> None:
    match = of_phase("role")
    replay, seat = plainly(match.replay), to_move(match.replay)
    legal = match.game.legal_moves(match.state, seat)
    found = replay.game.words.choices(match.state, seat, private=True)
    assert [one.move for one in found] == [match.text(move) for move in legal]
    assert "<main>\n" in table_html(replay, None)


# -- The commands


@pytest.fixture
def game(porto, tmp_path: Path) -> Match:
    return joanas_turn(tmp_path / "friday.yaml")


def test_show_writes_the_page_of_who_is_named(porto, game: Match) -> None:
    done = porto("show", "friday", "--as", "Joana", "--format", "reply", "--output", "turn.html")
    assert (done.code, done.out) == (0, "")
    data = data_of(Path("turn.html").read_text("utf-8"))
    assert texts(data, data["start"]) == sorted(map(game.text, game.legal_moves("Joana")))
    assert data["command"] == ["porto ", " friday.yaml", " --as Joana"]
    assert "Game and turn: porto-" in data["about"]


def test_without_a_name_it_is_for_who_is_to_move_and_without_secrets(porto, game: Match) -> None:
    public = porto("show", "friday", "--format", "reply").out
    own = porto("show", "friday", "--format", "reply", "--as", "Joana").out
    kept = game.observe("Joana")["players"][game.seat("Joana")]["private"]
    assert data_of(public)["graph"] == data_of(own)["graph"]
    assert not any(name in public for name in kept)
    assert all(name in own for name in kept)


def test_answers_go_to_the_user_whose_page_it_is_not(porto, game: Match) -> None:
    porto("address", "Inês", "i@b.c")
    porto("address", "Joana", "j@b.c")
    porto("me", "Inês")
    page = porto("show", "friday", "--format", "reply").out
    assert data_of(page)["link"][0].startswith("mailto:i@b.c?subject=Re%3A%20Porto")
    porto("me", "Joana")
    page = porto("show", "friday", "--format", "reply").out
    assert data_of(page)["link"][0].startswith("mailto:?subject=")


def test_who_can_keep_early_mails_that(porto) -> None:
    porto("new", "friday.yaml", "Ana", "Rui", "--first", "Ana")
    page = porto("show", "friday", "--as", "Rui", "--format", "reply")
    assert page.code == 0, page.err
    data = data_of(page.out)
    assert "keep 1 2 3" in texts(data, data["start"])
    assert "link" in data


def test_who_cannot_move_gets_no_page(porto, game: Match) -> None:
    done = porto("show", "friday", "--as", "Inês", "--format", "reply")
    assert done.code == 1
    assert "There is no move that Inês can click now." in done.err
    done = porto("show", "friday", "--format", "reply", "--turn", "0")
    assert done.code == 2
    assert "--turn" in done.err


@pytest.mark.long
def test_of_a_sealed_game_it_has_what_the_key_of_the_player_opens() -> None:
    text = set_up(2, which="page")
    for _ in range(8):
        name = mover(text)
        match = seen_by(text, name)
        seat = match.seat(name)
        replay = match.replay.known_to(seat)
        page = turn_page(replay, seat, offers_to(replay, seat, private=True))
        data = data_of(page)
        legal = [match.text(move) for move in match.legal_moves(name)]
        assert texts(data, data["start"]) == sorted(legal)
        assert "link" not in data
        assert 'id="mail"' not in page
        assert not Page(page).all("a")
        text = played(text, 1)


@pytest.mark.long
def test_a_mail_has_the_page_of_its_reader(porto, game: Match) -> None:
    done = porto("mail", "friday.yaml", "--as", "Inês", "--page")
    assert done.code == 0, done.err
    _, page = message_of(done.out).iter_attachments()
    data = data_of(page.get_content())
    assert texts(data, data["start"]) == sorted(map(game.text, game.legal_moves("Joana")))
    private = game.observe("Joana")["players"][game.seat("Joana")]["private"]
    assert not any(name in page.get_content() for name in private)
    done = porto("mail", "friday.yaml", "--as", "Inês", "--page", "--private")
    _, page = message_of(done.out).iter_attachments()
    assert all(name in page.get_content() for name in private)


def test_who_is_not_to_move_gets_the_table(porto, game: Match) -> None:
    done = porto("mail", "friday.yaml", "--as", "Joana", "--to", "Inês", "--page")
    _, page = message_of(done.out).iter_attachments()
    assert "<svg" in page.get_content()
    assert "<script" not in page.get_content()
