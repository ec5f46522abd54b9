"""The protocol of a game: what it has to offer so that everything else can play, keep and show it.

A game is one object that fulfills the protocol :class:`Game`, by being derived from it. Ten members
are required; everything else has a default that is right for an open game without setup, options,
secrets or chance. What only some games have is an *ability*: an object, or a module, that the game
returns from one of its properties, or ``None``; their types are in :mod:`porto_cli.abilities`. What
games and the frame hand each other is in :mod:`porto_cli.seam`; the names that games use most are
here as well. :mod:`porto_cli.games` knows which games there are.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from porto_cli.rules import ConfigT, EventT, MoveT, Rules, StateT
from porto_cli.rules import Seats as Seats
from porto_cli.seam import GONE as GONE
from porto_cli.seam import NO_DEAL as NO_DEAL
from porto_cli.seam import OVER as OVER
from porto_cli.seam import SEAM as SEAM
from porto_cli.seam import SENSIBLE as SENSIBLE
from porto_cli.seam import UNDO as UNDO
from porto_cli.seam import CommandOption as CommandOption
from porto_cli.seam import Commands as Commands
from porto_cli.seam import Config as Config
from porto_cli.seam import Deal as Deal
from porto_cli.seam import Event as Event
from porto_cli.seam import GameMeta as GameMeta
from porto_cli.seam import Glance as Glance
from porto_cli.seam import Move as Move
from porto_cli.seam import Observation as Observation
from porto_cli.seam import Outcome as Outcome
from porto_cli.seam import SealedPile as SealedPile
from porto_cli.seam import State as State
from porto_cli.seam import Step as Step
from porto_cli.seam import Thing as Thing
from porto_cli.seam import Turn as Turn
from porto_cli.seam import Verb as Verb
from porto_cli.seam import View as View
from porto_cli.seam import later

if TYPE_CHECKING:
    from collections.abc import Callable

    from porto_cli.abilities import Orders, Setup, Simulation
    from porto_cli.fields import Positions
    from porto_cli.language import Language, NewGame
    from porto_cli.players import Coach, Players
    from porto_cli.shown import Shown, Viewed


def folder_of(module: str) -> Path:
    """Return the folder of the package that a module is in, without importing the module.

    A module that is in none has no folder of its own, and gets one that is not there: what lies
    beside it belongs to others.
    """
    from importlib.util import find_spec

    spec = find_spec(module)
    place = Path(spec.origin if spec and spec.origin else ".")
    is_alone = "." not in module and place.stem != "__init__"
    return place.with_suffix("") if is_alone else place.parent


class Game(Rules[ConfigT, StateT, MoveT, EventT], Protocol[ConfigT, StateT, MoveT, EventT]):
    """A game behind the seam: its rules, and what programs and people have of it. Every method is
    pure. The ten abstract members of :class:`~porto_cli.rules.Rules` are required.
    """

    # -- Abilities: what only some games have.

    positions: Positions | None = None
    """Positions of scenarios."""
    coach: Coach | None = None
    """Judges moves, for hints and analyses."""
    simulation: Simulation | None = None
    """What is counted in many games besides how they end."""

    @property
    def players(self) -> Players:
        """The players that are programs."""
        from porto_cli.players import Players

        return Players()

    @cached_property
    def words(self) -> Language:
        """Its moves as people read and type them."""
        from porto_cli.language import Language

        return Language(self)

    @cached_property
    def shown(self) -> Shown:
        """How its table, its score and its pages look."""
        from porto_cli.shown import Shown

        return Shown(self)

    @cached_property
    def setting_up(self) -> NewGame:
        """How people set it up."""
        from porto_cli.language import NewGame

        return NewGame()

    @cached_property
    def folder(self) -> Path:
        """Where its files are, of which it needs none, see :mod:`porto_cli.installed`: the folder
        of the package that its class is in.
        """
        return folder_of(type(self).__module__)


class PackagedGame(Game[ConfigT, StateT, MoveT, EventT]):
    """A game in a package: which module has each of its parts and abilities. They are imported when
    they are first asked for; the ``entry`` of ``meta`` names the package.
    """

    commands: Commands = later(".commands:COMMANDS")
    new_config: Callable[..., ConfigT] = later(".record_keys:new_config")
    read_config = later(".record_keys:read_config")
    config_lines = later(".record_keys:config_lines")
    setup: Setup[ConfigT] = later(".record_keys")
    chance_entries = later(".record_keys:chance_entries")
    read_chance = later(".record_keys:read_chance")
    chance_fault = later(".record_keys:chance_fault")
    result_entries = later(".record_keys:result_entries")
    observe = later(".options:observe")
    definitions = later(".view:own_definitions")
    orders: Orders = later(".orders:ORDERS")
    positions: Positions = later(".position")
    coach: Coach = later(".coach:COACH")
    players: Players = later(".players:ALL")
    simulation: Simulation = later(".simulation:SIMULATION")
    words: Language = later(".words:Words", made=True)
    shown: Viewed = later(".shown:Look", made=True)
    setting_up: NewGame = later(".new_game:SETTING_UP")

    def table(self, state: StateT, seat: int | None) -> list[str]:
        """Return the table as sentences."""
        return self.shown.in_words(state, seat)
