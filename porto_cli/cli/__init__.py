"""The commands, one module for each group, loaded when it is needed; and here what several have:
completion with the Tab key, parameters, and which of them were typed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer import _completion_classes as classes
from typer import _completion_shared as shared
from typer._click.shell_completion import add_completion_class

from porto_cli.core import InvalidMoveError, PortoError, enumerated, printable, shown, usage
from porto_cli.core.files import STANDARD, expanded, is_worth_a_look
from porto_cli.games import DEFAULT, GAMES, commands_of, game_of
from porto_cli.match.match import Match, load
from porto_cli.match.record import SUFFIXES, meant
from porto_cli.match.seats import added_players, shortest
from porto_cli.seam import CommandOption, Typed
from porto_cli.user import own_seat

# -- Completion with the Tab key: what the record and the rules allow now
#
# Each function returns the words that fit what has been typed so far, some with a line that
# explains them. A record that cannot be read offers nothing. Secrets are offered only to the player
# of ``--as``, or who the settings say the user is.

Word = str | tuple[str, str]


def offer_records(incomplete: str) -> list[str]:
    """Offer the records of the folder; where there are none a shell offers all files.

    Names that would be read as options are left out, and those that cannot be printed, which would
    not reach the shell in one piece.
    """
    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = Path(folder + slash).iterdir()
        paths = sorted(path for path in entries if path.suffix in SUFFIXES)
    except OSError:
        return []
    words = {folder + slash + path.name: path for path in paths if path.name.startswith(start)}
    return [
        word
        for word, path in words.items()
        if not word.startswith("-") and printable(word) == word and os.path.isfile(path)
    ]


def offer_players(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the players of the record, or of the game that is being set up."""
    match = read_here(ctx)
    names = match.holders if match else ctx.params.get("players") or ()
    return beginning(incomplete, names)


def of_record(
    words: Callable[[Match, typer.Context], Iterable[Word]],
) -> Callable[[typer.Context, str], list[Word]]:
    """Return what offers words of the game of the record, if there is one that can be read."""

    def offer(ctx: typer.Context, incomplete: str) -> list[Word]:
        match = read_here(ctx)
        return beginning(incomplete, words(match, ctx)) if match else []

    return offer


def levels(game: str) -> list[str]:
    """Return the levels of bots of a game, and the players that other packages add."""
    added: Collection[str] = ()
    with suppress(PortoError):
        added = added_players(game)
    return [*map(shortest, GAMES[game].bots), *sorted(added)]


# Typer passes the words before as a second argument to the functions below.


def offer_words_of_a_move(ctx: typer.Context, before: list[str], incomplete: str) -> list[Word]:
    """Offer the next word of the move that is typed behind a record."""
    return _offered(str(ctx.info_name), ctx, incomplete)


def offer_values_of(option: CommandOption) -> Callable[[typer.Context, list[str], str], list[Word]]:
    """Return what offers the values of an option of a game."""

    def values(ctx: typer.Context, before: list[str], incomplete: str) -> list[Word]:
        own = _offered(option.completion, ctx, incomplete) if option.completion else []
        files = offer_records(incomplete) if option.files else []
        return [*beginning(incomplete, option.choices), *own, *files]

    return values


def _offered(what: str, ctx: typer.Context, incomplete: str) -> list[Word]:
    match = read_here(ctx)
    game = str(ctx.params.get("game") or (match.game.meta.id if match else DEFAULT))
    if game not in GAMES:
        return []
    named = ctx.params.get("player")
    own = seat_here(match) if match and not named else None
    seat = 0
    if match:
        try:
            seat = match.seat(named if own is None else own)
        except LookupError:
            seat = match.seat()
    is_named = bool(named) or own is not None
    verb, words = str(ctx.info_name), _words(ctx)
    if what == verb == "move":
        if match and not words:
            return beginning(incomplete, match.game.meta.verbs)
        what, *words = words or [""]
        verb = what
    if match and what == verb and verb not in match.game.meta.verbs:
        return []
    typed = Typed(match and match.state, verb, words, ctx.params, seat, is_named)
    try:
        return beginning(incomplete, game_of(game).words.complete(what, typed))
    except InvalidMoveError:
        return []


def seat_here(match: Match) -> int | None:
    """Return the seat of the user, if the settings can be read and the user plays."""
    try:
        return own_seat(match.holders, match.players)
    except PortoError:
        return None


def read_here(ctx: typer.Context) -> Match | None:
    """Return the game of the record that was typed. Standard input is not read."""
    typed = ctx.params.get("file")
    if typed is None or str(typed) == STANDARD:
        return None
    path = meant(expanded(Path(typed)))
    if not is_worth_a_look(path):
        return None
    try:
        return load(path).known
    except PortoError:
        return None


def _words(ctx: typer.Context) -> list[str]:
    """Return the words of a move behind the record, without its verb."""
    typed = " ".join(ctx.params.get("words") or ()).replace(",", " ").lower().split()
    return typed[1:] if typed[:1] == [ctx.info_name] else typed


def beginning(incomplete: str, words: Iterable[Word]) -> list[Word]:
    """Return the words that begin with what is typed, in upper or lower case, each once, in order.

    The beginning stays as it was typed, or shells would not accept the word as its completion.
    """
    size = len(incomplete)
    found: list[Word] = []
    for word in dict.fromkeys(words):
        name, note = (word, "") if isinstance(word, str) else word
        if name[:size].casefold() == incomplete.casefold():
            name = incomplete + name[size:]
            found.append((name, note) if note else name)
    return found


# -- Parameters that several commands have

T = TypeVar("T")


def opt(default: T, spelling: str, about: str, **more: Any) -> T:
    """Return an option: the default of a parameter, or what annotates it, without one (``...``).

    ``spelling`` is what the help shows: the flags, where they are not just the name, and what
    stands for the value, as in ``--games -n N``. The rest is Typer's.
    """
    flags = [word for word in spelling.split() if word.startswith("-")]
    value = " ".join(word for word in spelling.split() if not word.startswith("-"))
    found: T = typer.Option(default, *flags, metavar=value or None, help=about, **more)
    return found


def arg(default: Any, spelling: str, about: str, **more: Any) -> Any:
    """Return an argument, as :func:`opt` an option; a default of ``...`` is none."""
    return typer.Argument(default, metavar=spelling, help=about, **more)


Format = StrEnum("Format", "text json")
"""How a result is printed."""

FormatOption = Annotated[Format, opt(..., "--format", "Text, or JSON for programs.")]

RecordFile = Annotated[
    Path, arg(..., "FILE", "The record; '-' is standard input.", autocompletion=offer_records)
]
AsPlayer = Annotated[
    str | None,
    opt(
        ...,
        "--as NAME",
        "Which player you are; the beginning of the name is enough. If left out, the player "
        "who 'porto me' says you are.",
        autocompletion=offer_players,
    ),
]

DryRun = Annotated[bool, opt(..., "--dry-run -n", "Say what would happen, write nothing.")]
Send = Annotated[
    bool, opt(..., "--send", "Then send the game to the next player, as 'porto mail' does.")
]
Say = Annotated[
    str | None,
    opt(..., "--say TEXT", "Words to the other players, for the next mails and the log."),
]
Quiet = Annotated[bool, opt(..., "--quiet -q", "Print nothing if the command succeeds.")]
Samples = Annotated[
    int | None,
    opt(
        ...,
        "--samples N",
        "With an analysis, how many games are simulated for each choice, or fewer once some "
        "moves are clearly worse; if left out, 500 for Porto and 48 for Puerto Rico.",
        min=1,
    ),
]

Seed = Annotated[
    str | None, opt(..., "TEXT", "The same seed plays the same games; random if left out.")
]
Workers = Annotated[
    int | None,
    opt(
        ...,
        "--workers -j N",
        "Number of processes, 61 at most; one for each core if left out.",
        min=1,
    ),
]


def known_game(name: str | None) -> str | None:
    """Return the id of a game; exits with 2 if there is no such game."""
    game_id = name.lower() if name else name
    if game_id is not None and game_id not in GAMES:
        usage(f"There is no game {shown(name)}. The games are: {', '.join(GAMES)}.")
    return game_id


GameOption = Annotated[
    str | None,
    opt(
        ...,
        "--game NAME",
        "The game; porto if left out.",
        callback=known_game,
        autocompletion=lambda: list(GAMES),
    ),
]


# -- Which parameters were typed

WORDS = "words"
"""The parameter with the words of a move."""
ADDED = "porto_cli.added"
"""Where a context has the words and options that games add to a command, as far as they were typed:
the command's function cannot name them all.
"""
_typed: set[str] = set()


def note_typed(ctx: typer.Context) -> None:
    """Note which parameters of the command that is about to run were typed."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    _typed.clear()
    _typed.update(name for name, one in sources.items() if one and one.name == "COMMANDLINE")


def is_typed(*parameters: str) -> bool:
    """Return whether one of these parameters of the running command was typed, even with its
    default value.
    """
    return not _typed.isdisjoint(parameters)


def typed_words(ctx: typer.Context) -> list[str]:
    """Return the words of a move that were typed."""
    return list(ctx.meta[ADDED].get(WORDS, ()))


def typed_options(ctx: typer.Context, game: str, command: str = "") -> dict[str, Any]:
    """Return the options of a game that were typed; exits with 2 if one is of another game, or not
    of this ``command``, where that is another than what was typed.
    """
    command = command or str(ctx.info_name)
    typed = {key: value for key, value in ctx.meta[ADDED].items() if key != WORDS}
    own = {option.name for option in commands_of(game).options_of(command)}
    foreign = [f"--{name.replace('_', '-')}" for name in typed if name not in own]
    if foreign:
        flags, title = enumerated(foreign, "or"), GAMES[game].title
        usage(f"In a game of {title} '{command}' has no option {flags}; leave it out.")
    return typed


# -- How what is offered is handed to the shells, where Typer's own answers would not do
#
# Typer lets rich draw each explanation, which takes longer than all the rest, and leaves names with
# blanks to fall apart in bash. It has no public way to answer otherwise: this part is all that uses
# private parts of it, and ``tests/test_typer.py`` says which.

_QUOTED_IN_BASH = frozenset(" \t\"'\\$`&|;<>()*?[]#~!{}")
_QUOTED_IN_ZSH = {'"': '\\"', "$": "\\$", "`": "\\`", "\\": "\\" * 4, ":": "\\\\:", "'": "'\\''"}

_ZSH_SCRIPT = f"""{shared.COMPLETION_SCRIPT_ZSH}
if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
fi
"""
"""Typer's script, which also answers the Tab at which zsh loads it from the user's folder."""


class Bash(classes.BashComplete):
    """Bash takes a word as it is to stand on the line; it closes an open quote itself."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete. Bash makes three of ``--as=Inês``."""
        args, incomplete = super().get_completion_args()
        return (args[:-1] if args[-1:] == ["="] else args), incomplete

    def format_completion(self, item: Any) -> str:
        """Return a word with what the shell would read otherwise behind a backslash."""
        words, position = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        if position < len(words) and words[position].startswith(("'", '"')):
            return str(item.value)
        return "".join(f"\\{one}" if one in _QUOTED_IN_BASH else one for one in str(item.value))


class Zsh(classes.ZshComplete):
    """Zsh takes words, with explanations behind colons, as arguments of its own ``_arguments``."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: Any) -> str:
        """Return a word, within double quotes, within single quotes."""
        parts = [str(item.value), item.help] if item.help else [str(item.value)]
        return ":".join(
            f'"{"".join(_QUOTED_IN_ZSH.get(letter, letter) for letter in part)}"' for part in parts
        )


SHELLS: dict[str, type] = {
    "bash": Bash,
    "zsh": Zsh,
    "fish": classes.FishComplete,
    "powershell": classes.PowerShellComplete,
    "pwsh": classes.PowerShellComplete,
}


def register_shells() -> None:
    """Let these classes answer the shells, with explanations as they are."""
    classes._sanitize_help_text = lambda text: text
    shared._completion_scripts["zsh"] = _ZSH_SCRIPT
    for name, shell in SHELLS.items():
        add_completion_class(shell, name)
