"""The HTML of a mail in a real browser, on a phone."""

from __future__ import annotations

import pytest

from porto_cli.mail.letter import letter
from porto_cli.mail.offers import Offers
from porto_cli.match.match import load
from tests.browser import PHONE, Ask, ask, chromium, flags, needs_chromium, profile
from tests.mails import WHOLE, beginning, html_of, mail_of, mail_to

__all__ = ["ask", "chromium", "flags", "profile"]

pytestmark = [pytest.mark.outside, pytest.mark.long, needs_chromium]


@pytest.mark.parametrize(
    ("game", "items"), [("porto", 0), ("porto", 999), ("puerto-rico", 90), ("puerto-rico", 999)]
)
def test_nobody_has_to_scroll_to_the_side(ask: Ask, game: str, items: int) -> None:
    replay = (load(WHOLE[game]) if items == 999 else beginning(game, items)).replay
    readers = replay.game.to_move(replay.state) or (0,)
    html = html_of(mail_to(replay, *readers, private=True))
    assert ask(html, "return page.documentElement.scrollWidth", PHONE) <= PHONE


@pytest.mark.parametrize(("game", "items"), [("porto", 0), ("porto", 50), ("puerto-rico", 90)])
def test_every_move_is_as_large_as_a_finger(ask: Ask, game: str, items: int) -> None:
    replay = beginning(game, items).replay
    html = html_of(mail_to(replay, *replay.game.to_move(replay.state), private=True))
    script = (
        "return Math.min(...[...page.querySelectorAll('a')]"
        ".map(one => Math.min(one.offsetHeight, one.offsetWidth)))"
    )
    assert ask(html, script, PHONE) >= 40


def test_a_browser_reads_a_link_as_it_was_meant(ask: Ask) -> None:
    replay = beginning("porto", 50).replay
    result = letter(replay, replay.game.to_move(replay.state), "Ana", address="ana@example.org")
    html = html_of(mail_of(replay, result))
    (offers,) = (row for row in result.rows if isinstance(row, Offers))
    assert offers.reply
    script = "return decodeURIComponent(page.querySelector('a').href.split('body=')[1])"
    body = offers.reply.body(offers.groups[0].offers[0].moves)
    assert ask(html, script, PHONE).replace("\r\n", "\n") == body
