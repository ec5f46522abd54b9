"""The HTML of a mail in the hands of mail programs: what they strip must not be missed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser

import pytest

from porto_cli.games.puerto_rico.engine.components import GOODS, ROLES
from porto_cli.games.puerto_rico.engine.state import NOBODY
from porto_cli.mail.letter import Kind, Letter, letter
from porto_cli.mail.message import message
from porto_cli.match.replay import Replay
from porto_cli.ui import ui_of
from tests.mails import WHOLE, beginning, html_of, plain_text
from tests.pages import Page

nh3 = pytest.importorskip("nh3")

TAGS = {"table", "tr", "td", "th", "p", "span", "h2", "h3", "pre", "b", "br", "div"}
SHAPE = {"bgcolor", "align", "width", "cellspacing", "cellpadding", "scope"}
# https://developers.google.com/workspace/gmail/design/css; no <style>, as in mail that another
# program fetches, and in forwarded mail.
GMAIL = {
    *("color", "background-color", "border", "border-bottom", "border-left", "border-radius"),
    *("border-collapse", "font-family", "font-size", "line-height", "margin", "max-width"),
    *("padding", "table-layout", "text-align", "text-indent", "vertical-align", "white-space"),
    "width",
}
# What Word renders, in Outlook for Windows.
OUTLOOK = {
    *("color", "background-color", "border", "border-bottom", "border-left", "border-collapse"),
    *("font-family", "font-size", "line-height", "margin", "padding", "text-align"),
    *("vertical-align", "width"),
}
PROGRAMS = {"gmail": GMAIL, "outlook": OUTLOOK, "none": set[str]()}

TABLES = [("porto", 0), ("porto", 31), ("porto", 999), ("puerto-rico", 90), ("puerto-rico", 999)]


@cache
def sent(game: str, items: int) -> tuple[Replay, Letter, str, str]:
    """Return a game, what the mail says, its HTML and its text."""
    last = len(beginning(game, 0).replay.record.items)
    assert not last
    if items == 999:
        from porto_cli.match.match import load

        replay = load(WHOLE[game]).replay
    else:
        replay = beginning(game, items).replay
    readers = replay.game.to_move(replay.state) or (0,)
    told = letter(replay, readers, "Ana")
    mail = message(replay, told, sender=None, to=[], date=datetime.now(UTC))
    return replay, told, html_of(mail), plain_text(mail)


def stripped(html: str, properties: set[str]) -> str:
    """Return the HTML as a mail program leaves it that knows these properties only."""
    attributes = {*SHAPE, *(["style"] if properties else [])}
    return str(
        nh3.clean(
            html[html.index("<body") :],
            tags=TAGS,
            attributes=dict.fromkeys(TAGS, attributes),
            filter_style_properties=properties,
        )
    )


class Words(HTMLParser):
    """The words of HTML, whatever is around them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html[html.find("<body") :] if "<body" in html else html)

    def handle_data(self, data: str) -> None:
        self.found += data.split()


@pytest.mark.parametrize(("game", "items"), TABLES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_that_is_said_is_stripped(game: str, items: int, program: str) -> None:
    _, _, html, _ = sent(game, items)
    left = stripped(html, PROGRAMS[program])
    assert Words(left).found == Words(html).found
    assert len(Words(left).found) > 100


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_gmail_keeps_the_drawing_as_it_is(game: str, items: int) -> None:
    """Every color, also as an attribute for programs that know no styles of cells."""
    _, _, html, _ = sent(game, items)
    left = stripped(html, GMAIL)
    for what in ("background-color", "bgcolor", "border-left"):
        assert left.count(what) == html[html.index("<td") :].count(what)
    page = Page(html)
    for attributes in page.all("td"):
        ground = re.search(r"background-color:([^;]*)", attributes.get("style") or "")
        assert (ground and ground[1]) == attributes.get("bgcolor")


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_it_uses_nothing_that_could_be_stripped_or_blocked(game: str, items: int) -> None:
    _, _, html, _ = sent(game, items)
    page = Page(html)
    forbidden = {"style", "script", "svg", "img", "link", "iframe", "object", "form", "a", "base"}
    assert not forbidden & {tag for tag, _ in page.tags}
    assert not re.search(r"url\(|data:|https?:|cid:|@media|class=|\bid=", html)
    assert len(html.encode()) < 100_000, "Gmail cuts what is larger"


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_a_text_with_a_ground_of_its_own_has_a_color_of_its_own(game: str, items: int) -> None:
    """Else a program that is dark would write light letters on it."""
    _, _, html, _ = sent(game, items)
    found = 0
    for tag, attributes in Page(html).tags:
        style = attributes.get("style") or ""
        ground = re.search(r"background-color:(#\w+)", style)
        if ground:
            color = re.search(r"(?:^|;)color:(#\w+)", style)
            assert color, (tag, style)
            assert contrast(ground[1], color[1]) >= 4.5, style
            found += 1
    assert found > 10


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors as WCAG 2 reckons it."""

    def light(color: str) -> float:
        parts = [int(color[nth : nth + 2], 16) / 255 for nth in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_text_and_html_say_the_same(game: str, items: int) -> None:
    replay, told, html, text = sent(game, items)
    kinds = [Kind.TEXT, Kind.ITEM, Kind.COMMAND]
    in_html, in_text = " ".join(Words(html).found), " ".join(text.split())
    for part in told.parts:
        if part.kind in kinds:
            assert " ".join(part.text.split()) in in_html
            assert " ".join(part.text.split()) in in_text
    for player in replay.config.players:
        assert player in in_html


@pytest.mark.parametrize(("game", "items"), [("porto", 31), ("puerto-rico", 90)])
def test_what_lies_on_the_table_is_in_the_drawing(game: str, items: int) -> None:
    """All that the page of the table names, in its words, is named here too."""
    replay, _, html, _ = sent(game, items)
    words = set(Words(html).found)
    page = Page(ui_of(game).table_html(replay, None))
    named = {word for word in page.text.split() if re.fullmatch(r"[a-z]+-[a-z0-9-]+|[LR]\d", word)}
    assert len(named) > 10
    assert named - words <= {"tie-break"}


def test_what_lies_in_the_middle_of_puerto_rico_is_told() -> None:
    replay, _, html, _ = sent("puerto-rico", 90)
    state = replay.state
    told = " ".join(Words(html).found)
    for spaces, barrels in zip(state.config.box.cargo, state.cargo_barrels, strict=True):
        assert re.search(rf"ship of {spaces} \w+ {barrels} {spaces - barrels}\b", told)
    for good, number in zip(GOODS, state.goods_supply, strict=True):
        assert f"{good} {number}" in told
    assert f"VP in the pool: {state.vp_pool}." in told
    assert f"quarry ×{state.quarries}" in told
    for seat, player in enumerate(state.players):
        name = state.config.players[seat]
        assert re.search(rf"{name}( \(governor\))? {player.doubloons} secret", told)
    for role, taker in enumerate(state.taken):
        if taker != NOBODY:
            assert re.search(rf"{ROLES[role]}(, now)? {state.config.players[taker]}", told)


def test_a_game_without_a_drawing_shows_its_text() -> None:
    from porto_cli.term.inline_html import as_typed

    shown = as_typed("a  <b>\n  c")
    assert "a  &lt;b&gt;\n  c</pre>" in shown


def test_names_are_text_and_never_tags() -> None:
    from porto_cli.match.match import new_game

    match = new_game(["<b>Inês", '"&amp;'], seed="tram", first="<b>Inês", title="<script>x")
    match.play("keep 1 2 3", player=0)
    match.play(match.observe(0).moves[0].move)
    told = letter(match.replay, (1,), "<i>")
    mail = message(match.replay, told, sender=None, to=[], date=datetime.now(UTC))
    html = html_of(mail)
    assert "<script" not in html
    assert "<b>Inês" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;Inês" in html
    assert "&lt;b&gt;Inês draws" in html
    assert "<b>Inês draws" in " ".join(Words(html).found)
