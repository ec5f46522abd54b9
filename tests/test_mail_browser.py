"""The HTML of a mail in a real browser, on a phone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from porto_cli.mail.letter import letter
from porto_cli.mail.message import message
from porto_cli.match.match import load
from tests.browser import PHONE, Ask, ask, chromium, flags, needs_chromium, profile
from tests.mails import WHOLE, beginning, html_of

__all__ = ["ask", "chromium", "flags", "profile"]

pytestmark = [pytest.mark.outside, needs_chromium]


@pytest.mark.parametrize(
    ("game", "items"), [("porto", 0), ("porto", 999), ("puerto-rico", 90), ("puerto-rico", 999)]
)
def test_nobody_has_to_scroll_to_the_side(ask: Ask, game: str, items: int) -> None:
    replay = (load(WHOLE[game]) if items == 999 else beginning(game, items)).replay
    readers = replay.game.to_move(replay.state) or (0,)
    result = letter(replay, readers, "Ana", private=True)
    html = html_of(message(replay, result, sender=None, to=[], date=datetime.now(UTC)))
    assert ask(html, "return page.documentElement.scrollWidth", PHONE) <= PHONE
