"""The command that lists the legal moves."""

from __future__ import annotations

from typing import Annotated

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import AsPlayer, Format, RecordFile, open_game, refuse_idle_looks, seat_of
from porto_cli.cli.output import Color, Colors, show_lines, write_json
from porto_cli.core.message import say
from porto_cli.games.porto.engine.components import CARDS, HOUSES, PUBLIC
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.move_list import KEEP, Option, options
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.games.porto.table import table
from porto_cli.games.porto.ui.next_step import command, path_of, what_next
from porto_cli.match.replay import Replay


def moves(
    file: RecordFile,
    player: AsPlayer = None,
    house: Annotated[
        str | None,
        typer.Option(
            metavar="HOUSE",
            help="Only builds on this house.",
            show_default=False,
            autocompletion=complete.houses,
        ),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            metavar="CONTRACT",
            help="Only moves that could fulfill this public contract.",
            show_default=False,
            autocompletion=complete.face_up_contracts,
        ),
    ] = None,
    cards: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CARD",
            help="Only moves with this card. Can be repeated.",
            show_default=False,
            autocompletion=complete.playable_cards,
        ),
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    color: Color = Colors.auto,
) -> None:
    """List every legal move, what it would score and which contracts it could fulfill.

    The builds are grouped by house, the best first; their VP include the public contracts that
    they could fulfill. With --as, the moves of that player.
    """
    refuse_idle_looks(output, color)
    game = open_game(file)
    seat = None if player is None else seat_of(game, player)
    found = _filtered(options(game.state, seat), house, contract, cards)
    if output is Format.json:
        from porto_cli.games.porto.ui.json import moves_json

        write_json(moves_json(found))
        return
    from porto_cli.games.porto.ui.moves_text import moves_text

    view = table(game, seat)
    last = _ending(game, found, seat)
    show_lines(lambda screen: moves_text(found, view, screen.width - 1), last, color)


def _filtered(
    found: list[Option], house: str | None, contract: str | None, cards: list[str] | None
) -> list[Option]:
    """Keep the moves that somebody asks for. Raises InvalidMoveError."""
    if house is not None:
        name = HOUSES[parse_house(house)]
        found = [option for option in found if option.house == name]
    if contract is not None:
        wanted = PUBLIC[parse_public(contract)].name
        found = [option for option in found if wanted in dict(option.contracts)]
    words = [word for text in cards or () for word in text.replace(",", " ").split()]
    for card in {parse_card(word) for word in words}:
        count = max(1, sum(parse_card(word) == card for word in words))
        found = [option for option in found if option.cards.count(CARDS[card]) >= count]
    return found


def _ending(replay: Replay, found: list[Option], seat: int | None) -> list[str]:
    """Say how a move is played, or why there is none."""
    count = len(legal_moves(replay.state, seat))
    if not count and seat is not None and replay.state.phase != OVER:
        name = replay.record.config.players[seat]
        return [str(say("{player} cannot move now.", player=name)), what_next(replay)]
    if not count:
        return what_next(replay).splitlines()
    if not found:
        return [str(say("None of the {count} legal moves is like that.", count=count))]
    mover = replay.state.seat if seat is None else seat
    named = mover != replay.state.seat or found[0].kind == KEEP
    player = replay.record.config.players[mover] if named else None
    example = command(found[0].move, path_of(replay), player)
    return [
        str(
            say(
                "{shown} of {count} legal moves. The first one is played with: {command}",
                shown=len(found),
                count=count,
                command=example,
            )
        )
    ]
