"""Options of Porto for simulations."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from porto_cli.cli.common import is_given
from porto_cli.games.porto.engine.edition import Edition
from porto_cli.games.porto.ui.new_game import edition_of as _edition_of
from porto_cli.games.porto.ui.new_game import new_options


class TieBreak(StrEnum):
    """How a tie is broken (P-RANK-1, P-RANK-2)."""

    contracts_first = "contracts-first"
    seat_first = "seat-first"


FirstGame = Annotated[bool, typer.Option("--first-game", help="Play without private contracts.")]
TieBreakOption = Annotated[TieBreak, typer.Option(help="What decides a tie first.")]


def edition_of(name: str | None) -> Edition | None:
    return _edition_of(name) if name is not None else None


def refuse_idle_rules(ctx: typer.Context, seats: int) -> None:
    typed = {name: 28 for name in ("timer", "tie_break") if is_given(ctx, name)}
    new_options(typed, [""] * seats)
