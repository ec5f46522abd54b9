"""Commands and their parameters as Typer has them, those of games among them; completion by shells.

Everything that Typer does not promise to keep is used here and nowhere else, so that a new version
of it is a matter of this module. ``tests/test_parser.py`` names what is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer._click.exceptions import BadOptionUsage, MissingParameter, NoSuchOption
from typer._click.globals import get_current_context
from typer._click.shell_completion import CompletionItem, add_completion_class
from typer._completion_classes import BashComplete, FishComplete, PowerShellComplete, ZshComplete
from typer._completion_shared import _completion_scripts
from typer.core import TyperCommand
from typer.exceptions import TyperException
from typer.models import TyperPath

from porto_cli.cli import complete
from porto_cli.commands import Option, Word, commands_of
from porto_cli.core.message import shown, usage
from porto_cli.game import GAMES

SETTINGS = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command with a plain usage line, and whose words are known while a shell completes one."""

    games: Iterable[str] = GAMES
    """The games that add to its help."""
    examples: Callable[[], list[str]] = list
    """Returns command lines, for the help and for errors."""

    def _whole_help(self) -> str | None:
        """Return the help, with what each game adds to it; put together when it is read."""
        added = {game: commands_of(game).help.get(str(self.name)) for game in self.games}
        by_game = [f"{GAMES[game].title}: {text}" for game, text in added.items() if text]
        return "\n\n".join([self._help, *by_game]) if self._help else None

    def _set_help(self, text: str | None) -> None:
        self._help = text

    help = property(_whole_help, _set_help)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; an option at the end that has no value yet would spoil them all."""
        if ctx.resilient_parsing and args and self.takes_a_value(args[-1]):
            args = args[:-1]
        try:
            return super().parse_args(ctx, args)
        except BadOptionUsage as error:
            error.ctx = ctx
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the required words as they are, and only the others in brackets."""
        pieces = [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]
        return [piece for piece in pieces if piece != "[]"]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on a line that can be copied."""
        found = self.examples()
        if found:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in found))

    def takes_a_value(self, word: str) -> bool:
        """Return whether a word is an option that is followed by a value."""
        return any(
            word in param.opts and not getattr(param, "is_flag", False) for param in self.params
        )


def wrong_usage(error: TyperException, typed: Sequence[str]) -> tuple[str, list[str]]:
    """Return what is wrong with a command line that Typer cannot parse, and what would be right.

    Not every error knows its command, which is the first word that was ``typed``.
    """
    context: Any = getattr(error, "ctx", None)
    words = context.command_path.split(" ")[1:] if context else list(typed[:1])
    command = context.command if context else None
    name, helps = " ".join(["porto", *words]), [" ".join(["porto", "help", *words])]
    message = error.format_message()
    extra = _TOO_MUCH.fullmatch(message)
    if isinstance(error, MissingParameter) and error.param and isinstance(command, Command):
        what = error.param.get_error_hint(context).strip("'")
        meaning = getattr(error.param, "help", None) or ""
        return (
            f"After '{name}', {what} is missing. {what}: {meaning}",
            _examples_here(command) + helps,
        )
    lacking = _NO_VALUE.fullmatch(message)
    if lacking and isinstance(command, Command):
        option = next(one for one in command.params if lacking[1] in one.opts)
        what, meaning = option.make_metavar(context), getattr(option, "help", None) or ""
        return f"After '{lacking[1]}', {what} is missing. {lacking[1]}: {meaning}", helps
    if isinstance(error, NoSuchOption):
        near = ", ".join(sorted(error.possibilities or ()))
        meant = f"; did you mean {near}?" if near else "."
        return f"'{name}' has no option {error.option_name}{meant}", helps
    if extra:
        return f"'{name}' does not take {shown(extra[1])}.", helps
    return f"{message}", helps


def _examples_here(command: Command) -> list[str]:
    """Return the examples of a command; those that read a record with the one record of this
    folder, where it can be typed like that: with a move of its game, and for one of its players.
    """
    from porto_cli.core.characters import file_word, option
    from porto_cli.core.message import PortoError
    from porto_cli.match.match import load
    from porto_cli.match.record_files import the_record

    name = str(command.name)
    record = None if name in _MAKES_RECORDS else the_record()
    if record is None:
        return command.examples()
    try:
        match = load(record)
    except PortoError:
        return command.examples()
    game, lines = match.game.meta.id, command.examples()
    if any(name in meta.verbs for meta in GAMES.values()):
        if name not in GAMES[game].verbs or game not in command.games:
            return lines
        mark = f"  # {GAMES[game].title}"
        lines = [line.removesuffix(mark) for line in lines if mark in line or "  # " not in line]
    player = option("--as", match.replay.holders[match.people[0]])
    here = file_word(record.name)
    return [
        _AS.sub(lambda _: player, line).replace(_EXAMPLE, here, 1) if _EXAMPLE in line else line
        for line in lines
    ]


_EXAMPLE = "friday.yaml"
"""The record of examples."""
_AS = re.compile(r"--as \S+")
_MAKES_RECORDS = ("new", "join", "play")
"""Commands whose examples are not about a record that exists, or not about any."""
_NO_VALUE = re.compile(r"Option '(.*)' requires an argument\.")
_TOO_MUCH = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.DOTALL)


def command_of(name: str, function: Callable[..., None]) -> Command:
    """Return the command that Typer makes of a function."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Command, context_settings=SETTINGS)(function)
    command = typer.main.get_command(app)
    assert isinstance(command, Command)
    for param in command.params:
        if isinstance(param.type, TyperPath):
            # A file that cannot be read has an exit code of its own.
            param.type.readable = False
    return command


def parameter(name: str, annotation: object, default: object = Parameter.empty) -> Parameter:
    """Return a parameter of a command's function."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def with_parameters(
    function: Callable[..., None],
    behind: Mapping[str, Sequence[Parameter]],
    help_text: str | None = None,
) -> Callable[..., None]:
    """Return the function of a command, with more parameters than it was written with.

    They stand ``behind`` others, which are named; the function gets them as ``**options``. The
    parameters that a :func:`functools.partial` binds are not those of the command.
    """

    def command(**given: Any) -> None:
        function(**given)

    bound = getattr(function, "keywords", {})
    parameters = []
    for one in signature(function, eval_str=True).parameters.values():
        if one.name not in bound and one.kind is not Parameter.VAR_KEYWORD:
            parameters += [parameter(one.name, one.annotation, one.default)]
            parameters += behind.get(one.name, ())
    command.__doc__ = help_text or getattr(function, "func", function).__doc__
    command.__signature__ = signature(command).replace(  # type: ignore[attr-defined]
        parameters=parameters
    )
    return command


def is_typed(*parameters: str) -> bool:
    """Return whether one of these parameters of the running command was typed, even with its
    default value.
    """
    context = get_current_context(silent=True)
    sources = [context.get_parameter_source(name) for name in parameters] if context else []
    return any(source is not None and source.name == "COMMANDLINE" for source in sources)


def completions(words: Iterable[str]) -> list[CompletionItem]:
    """Return words as Typer offers them to a shell."""
    return [CompletionItem(word) for word in words]


# -- Parameters of several commands.


class Format(StrEnum):
    """How a result is printed."""

    text = "text"
    json = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="Text, or JSON for programs.")]

RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The record; '-' is standard input.",
        show_default=False,
        autocompletion=complete.records,
    ),
]
AsPlayer = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Which player you are; the beginning of the name is enough. If left out, the player "
        "who 'porto me' says you are.",
        show_default=False,
        autocompletion=complete.players,
    ),
]

Send = Annotated[
    bool,
    typer.Option("--send", help="Then send the game to the next player, as 'porto mail' does."),
]
Say = Annotated[
    str | None,
    typer.Option(
        "--say",
        metavar="TEXT",
        help="Words to the other players, for the next mails and the log.",
        show_default=False,
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing if the command succeeds.")
]
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples",
        metavar="N",
        min=1,
        help="With an analysis, how many games are simulated for each choice, or fewer once some "
        "moves are clearly worse; if left out, 500 for Porto and 200 for Puerto Rico.",
        show_default=False,
    ),
]

Seed = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="The same seed plays the same games; random if left out.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        metavar="N",
        min=1,
        help="Number of processes, 61 at most; one for each core if left out.",
        show_default=False,
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
    typer.Option(
        "--game",
        metavar="NAME",
        help="The game; porto if left out.",
        show_default=False,
        callback=known_game,
        autocompletion=lambda: list(GAMES),
    ),
]


# -- Options and words that belong to games, as parameters. A command has those of all games that
# know it; which of them are meant is decided when the game is known. An option of another game is
# refused then, with the name of that game.

OptionsOf = Mapping[str, Sequence[Option]]
"""The options that each game adds to a command, by the id of the game."""


def option_parameters(of_games: OptionsOf) -> list[Parameter]:
    """Return the parameters for the options of all games, each of them once."""
    by_name: dict[str, dict[str, Option]] = {}
    for game, own in of_games.items():
        for option in own:
            by_name.setdefault(option.name, {})[game] = option
    return [
        _option(
            next(iter(meant.values())),
            by_game({game: one.help for game, one in meant.items()}, among=of_games),
        )
        for meant in by_name.values()
    ]


def with_options(
    function: Callable[..., None], of_games: OptionsOf, *, behind: str
) -> Callable[..., None]:
    """Return the function of a command with the options of games ``behind`` a parameter of its own.

    The function gets ``of_games``, for :func:`typed_options`.
    """
    return with_parameters(
        partial(function, of_games=of_games), {behind: option_parameters(of_games)}
    )


def _option(option: Option, help_text: str) -> Parameter:
    default: object = option.default
    facts: dict[str, Any] = {"help": help_text, "metavar": option.metavar or None}
    kind: Any
    if default is None:
        facts["show_default"] = False
        kind = list[str] | None if option.many else str | None
    elif option.choices:
        values = [(one.replace("-", "_"), one) for one in option.choices]
        known = StrEnum(option.name, values)  # type: ignore[misc]
        kind, default = known, known(str(default))
    else:
        kind = type(default)
    if option.completion:
        facts["autocompletion"] = complete.values_of(option)
    # Without its name a truth value would have an option for each of its two values.
    typed = typer.Option(option.flag, **facts)
    return parameter(option.name, Annotated[kind, typed], default)


def word_parameters(of_games: Mapping[str, Sequence[Word]]) -> list[Parameter]:
    """Return the parameters for the words of a move: those of the one game that knows the verb,
    or any words where several games do.
    """
    first, *others = of_games.values()
    if not any((first, *others)):
        return [_words(Word("", many=True), "word_1", hidden=True)]
    if others:
        texts = {
            game: own[0].help if len(own) == 1 else f"{' '.join(word.metavar for word in own)}."
            for game, own in of_games.items()
            if own
        }
        first = (Word("WORD…", by_game(texts, among=of_games), many=True),)
    return [_words(word, f"word_{nth}") for nth, word in enumerate(first, start=1)]


def _words(word: Word, name: str, *, hidden: bool = False) -> Parameter:
    argument = typer.Argument(
        metavar=word.metavar,
        help=word.help,
        show_default=False,
        hidden=hidden,
        autocompletion=complete.words_of_a_move,
    )
    kind: Any = list[str] if word.many else str
    return parameter(name, Annotated[kind | None, argument], None)


def by_game(texts: Mapping[str, str], *, among: Iterable[str], heading: str = "") -> str:
    """Return help for several games as one text, with the names of the games where they differ.

    With a ``heading`` each game has a paragraph below it.
    """
    texts = {game: cleandoc(text) for game, text in texts.items()}
    if set(texts) == set(among) and len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    named = [f"{GAMES[game].title}: {text}" for game, text in texts.items()]
    return "\n\n".join([heading, *named]) if heading else " ".join(named)


def typed_options(ctx: typer.Context, game: str, of_games: OptionsOf) -> dict[str, Any]:
    """Return the options of a game that were typed; exits with 2 if one is of another game."""
    own = {option.name for option in of_games.get(game, ())}
    for other, options_of_other in of_games.items():
        for option in options_of_other:
            if option.name not in own and is_typed(option.name):
                usage(
                    f"{option.flag} is an option of {GAMES[other].title}, and this game "
                    f"is {GAMES[game].title}; leave it out."
                )
    return {name: ctx.params[name] for name in own if is_typed(name)}


# -- How completions are handed to the shells. Typer does that as well, but renders each explanation
# with rich, which takes longer than all the rest, and leaves names with blanks to fall apart in
# bash.

_QUOTED_IN_BASH = frozenset(" \t\"'\\$`&|;<>()*?[]#~!{}")

_ZSH_SCRIPT = """
#compdef %(prog_name)s

%(complete_func)s() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" %(autocomplete_var)s=complete_zsh \\
    %(prog_name)s)
}

compdef %(complete_func)s %(prog_name)s

if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
fi
"""
"""Typer's script, which also answers the Tab at which zsh loads it from the user's folder."""


class Bash(BashComplete):
    """Bash takes a word as it is to stand on the line; it closes an open quote itself."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete. Bash makes three of ``--as=Inês``."""
        args, incomplete = super().get_completion_args()
        return (args[:-1] if args[-1:] == ["="] else args), incomplete

    def format_completion(self, item: Any) -> str:
        """Return a word with what the shell would read otherwise behind a backslash."""
        word = str(item.value)
        if self._in_quotes():
            return word
        return "".join(f"\\{letter}" if letter in _QUOTED_IN_BASH else letter for letter in word)

    def _in_quotes(self) -> bool:
        words = os.environ["COMP_WORDS"].split("\n")
        position = int(os.environ["COMP_CWORD"])
        return position < len(words) and words[position].startswith(("'", '"'))


class Zsh(ZshComplete):
    """Zsh takes words and explanations as the arguments of its own ``_arguments``."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: Any) -> str:
        """Return a word, with its explanation behind a colon."""
        word = f'"{_zsh(str(item.value))}"'
        return f'{word}:"{_zsh(item.help)}"' if item.help else word


class Fish(FishComplete):
    """Fish takes a word and its explanation with a tab between them."""

    def format_completion(self, item: Any) -> str:
        """Return a line for a word."""
        return f"{item.value}\t{' '.join(item.help.split())}" if item.help else str(item.value)


class PowerShell(PowerShellComplete):
    """PowerShell takes a word and its explanation with three colons between them."""

    def format_completion(self, item: Any) -> str:
        """Return a line for a word."""
        return f"{item.value}:::{item.help or ' '}"


def _zsh(text: str) -> str:
    """Escape a text for ``_describe``, within double quotes, within single quotes."""
    text = text.replace("\\", "\\\\").replace(":", "\\:")
    text = "".join(f"\\{letter}" if letter in '\\"$`' else letter for letter in text)
    return text.replace("'", "'\\''")


SHELLS: dict[str, type] = {
    "bash": Bash,
    "zsh": Zsh,
    "fish": Fish,
    "powershell": PowerShell,
    "pwsh": PowerShell,
}


def register_shells() -> None:
    """Let these classes answer the shells."""
    _completion_scripts["zsh"] = _ZSH_SCRIPT
    for name, shell in SHELLS.items():
        add_completion_class(shell, name)


def complete_for(ctx: Any, option: Any, shell: str) -> None:
    """Install or show the completion of a shell that is named, and exit.

    As options of Typer both find the shell by themselves, and take no name.
    """
    if shell not in SHELLS:
        usage(
            f"{shown(shell)} is not a shell whose completion is known; these are: "
            f"{', '.join(SHELLS)}."
        )
    option.callback(ctx, option, shell)
