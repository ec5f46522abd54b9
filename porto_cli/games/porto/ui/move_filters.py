"""The legal moves that somebody wants to see."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.game_ui import MoveList
from porto_cli.games.porto.engine.components import CARDS, HOUSES, PUBLIC
from porto_cli.games.porto.move_list import options
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.match.replay import Replay
from porto_cli.term.spans import Line


def filtered(
    replay: Replay,
    seat: int | None,
    house: str | None = None,
    contract: str | None = None,
    cards: Sequence[str] = (),
) -> MoveList:
    """Return the moves with a house, a public contract that they could fulfill, and cards.

    Raises InvalidMoveError.
    """
    found = options(replay.state, seat)
    if house is not None:
        name = HOUSES[parse_house(house)]
        found = [option for option in found if option.house == name]
    if contract is not None:
        wanted = PUBLIC[parse_public(contract)].name
        found = [option for option in found if wanted in dict(option.contracts)]
    words = [word for text in cards for word in text.replace(",", " ").split()]
    for card in {parse_card(word) for word in words}:
        count = sum(parse_card(word) == card for word in words)
        found = [option for option in found if option.cards.count(CARDS[card]) >= count]

    def text(width: int) -> list[Line]:
        from porto_cli.games.porto.table import table
        from porto_cli.games.porto.ui.moves_text import moves_text

        return moves_text(found, table(replay, seat), width)

    def json() -> dict[str, object]:
        from porto_cli.games.porto.ui.json import moves_json

        return moves_json(found)

    return MoveList(len(found), found[0].move if found else None, text, json)
