"""The panels of a table in the order in which they are read, with what each of them shows."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.ui.picture.board import board
from porto_cli.games.puerto_rico.ui.picture.harbor import harbor
from porto_cli.games.puerto_rico.ui.picture.market import market
from porto_cli.games.puerto_rico.ui.picture.roles import roles
from porto_cli.term.svg import Picture


class Panel(NamedTuple):
    """A picture and what it shows."""

    picture: Picture
    name: Sentence


def table(seen: Observation, before: Observation | None = None) -> tuple[Panel, Panel, Panel]:
    """Return what lies in the middle: roles and plantations, the harbor, the buildings.

    What is new since ``before`` is dotted.
    """
    return (
        Panel(roles(seen), say("Roles and plantations")),
        Panel(
            harbor(seen, before),
            say("Cargo ships, colonist ship, trading house and supplies"),
        ),
        Panel(market(seen), say("Buildings that are left")),
    )


def boards(seen: Observation, before: Observation | None = None) -> tuple[Panel, ...]:
    """Return the boards of the players in seat order."""
    return tuple(
        Panel(board(seen, seat, before), say("Island and city of {player}", player=player.name))
        for seat, player in enumerate(seen.players)
    )


def panels(seen: Observation, before: Observation | None = None) -> tuple[Panel, ...]:
    """Return all panels in the order in which they are read."""
    first, second, last = table(seen, before)
    return first, second, *boards(seen, before), last
