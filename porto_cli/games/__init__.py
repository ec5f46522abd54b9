"""Games: the protocol that each fulfills, and which there are.

A game is one object that fulfills the protocol :class:`Game`, by being derived from it. Ten members
are required; everything else has a default that is right for an open game without setup, options,
secrets or chance. What only some games have is an *ability*: an object, or a module, that the game
returns from one of its properties, or ``None``; their types are in :mod:`porto_cli.abilities`. The
values that games and the frame hand each other are in :mod:`porto_cli.seam`.

:data:`GAMES` knows the games by their names in a record. A game is loaded when a record, or
``--game``, asks for it. Those of the box are in :data:`BOX`, made of what the package of each says,
which loads nothing else of the game. Other packages register theirs with an entry point of the
group ``porto.games``:

    [project.entry-points."porto.games"]
    nim = "porto_nim:NIM"

The metadata of installed packages is read only when a game is named that is not in the box, and
when all of them are listed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Protocol

from porto_cli.core import TROUBLE, SentenceError, cited
from porto_cli.core.files import FROM_OUTSIDE
from porto_cli.rules import ConfigT, EventT, MoveT, Rules, StateT
from porto_cli.seam import SEAM, Commands, GameMeta, at, later

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from porto_cli.abilities import NewGame, Orders, Simulation
    from porto_cli.fields import Positions
    from porto_cli.players import Coach, Players
    from porto_cli.shown import Shown
    from porto_cli.words import Language

# -- The protocol


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
        from porto_cli.words import Language

        return Language(self)

    @cached_property
    def shown(self) -> Shown:
        """How its table, its score and its pages look."""
        from porto_cli.shown import Shown

        return Shown(self)

    @cached_property
    def setting_up(self) -> NewGame:
        """How people set it up."""
        from porto_cli.abilities import NewGame

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
    words: Language = later(".notation:Words", made=True)
    how_it_ended = later(".shown:how_it_ended")
    definitions = later(".view:own_definitions")
    orders: Orders = later(".orders:ORDERS")
    positions: Positions = later(".position")
    coach: Coach = later(".coach:COACH")
    players: Players = later(".players:ALL")
    simulation: Simulation = later(".simulation:SIMULATION")
    shown: Shown = later(".shown:Look", made=True)
    setting_up: NewGame = later(".new_game:SETTING_UP")
    terms = later(".new_game:terms")

    def table(self, state: StateT, seat: int | None) -> list[str]:
        """Return the table as sentences."""
        return self.shown.in_words(state, seat)


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


# -- Which games there are

BOX: dict[str, GameMeta] = {
    meta.id: meta
    for meta in (
        at("porto_cli.games.porto:META"),
        at("porto_cli.games.puerto_rico:META"),
    )
}
"""The games that come with the program, by their names in a record."""
DEFAULT = "porto"
"""The game of a record that names none."""


class _Games(Mapping[str, GameMeta]):
    """All games. Only what is not found in the box is looked for among the installed packages."""

    def __getitem__(self, game_id: str) -> GameMeta:
        return BOX.get(game_id) or game_of(game_id).meta

    def __contains__(self, game_id: object) -> bool:
        return game_id in BOX or game_id in _found()

    def __iter__(self) -> Iterator[str]:
        yield from BOX
        for name in sorted(_found().keys() - BOX.keys()):
            with suppress(UnusableGameError):
                game_of(name)
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)


GAMES: Mapping[str, GameMeta] = _Games()
"""The games, by their names in a record: those of the box, and those of other packages. To go
through all of them loads those of other packages; one that cannot be used is left out.
"""
_loaded: dict[str, Game] = {}
"""The games that were asked for up to now, by their names."""


def game_of(game_id: str) -> Game:
    """Return a game by its name.

    Raises KeyError if there is none, UnusableGameError if a package has it that cannot be used.
    """
    game = _loaded.get(game_id)
    if game is None:
        game = at(BOX[game_id].entry) if game_id in BOX else load(game_id)
        _loaded[game_id] = game
    return game


def commands_of(game_id: str) -> Commands:
    """Return what a game adds to the command line. Raises KeyError if there is none."""
    if game_id not in BOX:
        return game_of(game_id).commands
    # The games of the box add to many commands, which do not load the games for that.
    commands: Commands = at(BOX[game_id].commands)
    return commands


# -- Games of other packages

GROUP = "porto.games"
BOX_PACKAGE = "porto_cli."
"""How the entry points of the box begin, which need not be read to be found."""


class UnusableGameError(SentenceError):
    """A game of another package that is installed, and cannot be used: why, and what to do."""

    exit_code = TROUBLE


def entry_points_of(group: str) -> Iterable[EntryPoint]:
    """Return what the installed packages register in a group: this reads their metadata."""
    from importlib.metadata import entry_points

    return entry_points(group=group)


@cache
def _found() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points of each name; more than one if several packages claim it."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for one in entry_points_of(GROUP):
        if not one.value.startswith(BOX_PACKAGE) and one not in found.get(one.name, ()):
            found[one.name] = (*found.get(one.name, ()), one)
    return found


def _packages(name: str) -> str:
    found = (one.dist.name if one.dist else one.value for one in _found()[name])
    return " and ".join(dict.fromkeys(found))


# An entry point can name any object; what is returned is checked to be a game.
def load(name: str) -> Any:
    """Return the game of another package. Raises KeyError, UnusableGameError."""
    first, *others = _found()[name]
    if others:
        raise UnusableGameError(
            f"More than one installed package has a game called {cited(name)}: "
            f"{_packages(name)}. Uninstall all but one of them."
        )
    try:
        game = first.load()
        fault = _fault(name, game)
    except FROM_OUTSIDE:
        raise
    except BaseException as error:
        raise _unusable(name, _what(error)) from error
    if fault:
        raise _unusable(name, fault)
    return game


def failure(error: BaseException) -> str | None:
    """Return which game of another package has failed; ``None`` if the error did not pass through
    the code of any.
    """
    names = _loaded.keys() - BOX.keys()
    if not names:
        return None
    # As text, because an error from another process comes without its frames.
    passed = "".join(format_exception(error))
    for name in names:
        module = sys.modules[_found()[name][0].module.partition(".")[0]]
        if module.__file__ and f'File "{module.__file__.removesuffix("__init__.py")}' in passed:
            return (
                f"The game {cited(name)} of the package {_packages(name)} has failed "
                f"({_what(error)}). Install a newer version of the package, or report this "
                "to its author."
            )
    return None


def _what(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(". :")


def _unusable(name: str, why: str) -> UnusableGameError:
    return UnusableGameError(
        f"The game {cited(name)} of the package {_packages(name)} cannot be used "
        f"({why}). Install another version of the package or of porto-cli, or report "
        "this to its author."
    )


def _fault(name: str, game: Any) -> str | None:
    """Return why an object is not a game that can be played under a name."""
    meta = getattr(game, "meta", None)
    if Game not in type(game).__mro__ or not isinstance(meta, GameMeta):
        return "its entry point names no object of a class derived from porto_cli.games.Game"
    if meta.seam != SEAM:
        return (
            f"it was written for version {meta.seam} of the interface of games, and this "
            f"program has version {SEAM}"
        )
    if meta.id != name:
        return f"its code calls it {cited(meta.id)}"
    unexplained = [verb for verb in meta.verbs if verb not in game.commands.verbs]
    if unexplained:
        return f"its commands do not say what these moves take: {', '.join(unexplained)}"
    return None
