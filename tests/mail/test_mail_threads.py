"""The messages of a game know each other, although nobody keeps their ids."""

from __future__ import annotations

import re

import pytest

from porto_cli.mail import ids
from porto_cli.mail.ids import code_in
from porto_cli.match.match import loads
from porto_cli.match.replay import Replay
from tests.mails import beginning, message_id

ID = re.compile(r"<[0-9a-f]{12}\.[0-9a-f]{24}@porto\.invalid>")


def after(game: str, items: int) -> Replay:
    return beginning(game, items).replay


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_an_id_follows_from_the_game_and_its_state_alone(game: str) -> None:
    here = after(game, 20)
    there = loads(here.record.text + "# a comment\n", "other.yaml").replay
    assert ID.fullmatch(message_id(here))
    assert message_id(here) == message_id(there)
    assert message_id(here) != message_id(after(game, 21))


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_all_messages_of_a_game_answer_its_first(game: str) -> None:
    """A thread of any length is two levels deep, so that its subjects can be read."""
    first = message_id(after(game, 0))
    assert ids.message_ids(after(game, 0)) == [first]
    for items in (1, 9, 30, 60):
        here = after(game, items)
        assert ids.message_ids(here) == [first, message_id(here)]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("friday.yaml", "friday.yaml"),
        ("games/jogo da Inês.yml", "jogo da Inês.yml"),
        (r"C:\games\friday.yaml", "friday.yaml"),
        ("friday", "friday.yaml"),
        ("friday.txt", "friday.txt.yaml"),
        ("a\nBcc: x\x1b.yaml", "a-Bcc- x-.yaml"),
        ("-rf.yaml", "rf.yaml"),
        ("...", "porto.yaml"),
        ("standard input", "porto.yaml"),
        ("x" * 300 + ".yaml", "x" * 80 + ".yaml"),
    ],
)
def test_a_record_is_attached_under_a_name_that_any_system_can_save(file: str, name: str) -> None:
    game = after("porto", 3)
    named = game._replace(record=game.record._replace(file=file))
    assert ids.attachment_name(named.record) == name


def test_the_code_in_a_subject_is_that_at_its_end() -> None:
    assert code_in("Re: Porto, Friday [20261127]: Rui is to move [0a1b2c3d]") == "0a1b2c3d"
