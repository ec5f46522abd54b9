"""The commands that make a move: one table says what each is called, takes and explains.

The words behind the record are those of the notation. What is done with them is the same for
all: :func:`porto_cli.cli.turn.perform`.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any, NamedTuple

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import AsPlayer, Format, RecordFile
from porto_cli.cli.turn import perform


class Word(NamedTuple):
    """A word of a move by its position, or all the words from there on."""

    metavar: str
    help: str = ""
    many: bool = False
    hidden: bool = False


class Option(NamedTuple):
    """An option that moves have: its annotation for the parser, and what it is if left out."""

    annotation: object
    default: object = None


class Verb(NamedTuple):
    """A command that makes a move."""

    help: str
    words: tuple[Word, ...]
    options: tuple[str, ...] = ()
    """Its own options, besides those of all moves."""


_OPTIONS = {
    "token": Option(
        Annotated[
            str | None,
            typer.Option(
                metavar="HOUSE",
                help="The same as the word token: the house whose empty roof gets the token.",
                show_default=False,
                autocompletion=complete.roofs,
            ),
        ]
    ),
    "contract": Option(
        Annotated[
            list[str] | None,
            typer.Option(
                metavar="CONTRACT",
                help="A public contract to fulfill with this build, or none. Can be repeated.",
                show_default=False,
                autocompletion=complete.contracts_of_build,
            ),
        ]
    ),
    "player": Option(AsPlayer),
    "dry_run": Option(
        Annotated[
            bool, typer.Option("--dry-run", "-n", help="Say what would happen, write nothing.")
        ],
        False,
    ),
    "quiet": Option(
        Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")],
        False,
    ),
    "output": Option(
        Annotated[Format, typer.Option("--format", help="Print sentences, or the events as JSON.")],
        Format.text,
    ),
    "expect": Option(
        Annotated[
            str | None,
            typer.Option(
                metavar="FINGERPRINT",
                help="Refuse any other version of the record; its digest begins with these 8 to 64 "
                "digits.",
                show_default=False,
                autocompletion=complete.fingerprint,
            ),
        ]
    ),
    "refill": Option(
        Annotated[
            list[str] | None,
            typer.Option(
                metavar="CARDS",
                help="Real table: the construction cards that came up, lowest empty space first.",
                show_default=False,
                autocompletion=complete.face_down_cards,
            ),
        ]
    ),
    "refill_contracts": Option(
        Annotated[
            list[str] | None,
            typer.Option(
                metavar="CONTRACTS",
                help="Real table: the public contracts that came up, lowest empty space first.",
                show_default=False,
                autocompletion=complete.face_down_contracts,
            ),
        ]
    ),
    "timer": Option(
        Annotated[
            list[str] | None,
            typer.Option(
                metavar="CARDS",
                help="Real table, solo game: the two timer cards that were turned up.",
                show_default=False,
                autocompletion=complete.face_down_cards,
            ),
        ]
    ),
}
_OF_ALL = ("player", "dry_run", "quiet", "output", "expect")
_TURNS_UP = ("refill", "refill_contracts", "timer")

_NO_WORDS = (Word("", many=True, hidden=True),)
"""Nothing but the verb itself, which may be repeated behind the record."""

VERBS = {
    "keep": Verb(
        """Keep three of the five private contracts that you were dealt.

        Any time before your own first turn, so a game by mail needs no extra round. On a real
        table name the three at the end of the game, to reveal them.
        """,
        (
            Word(
                "CONTRACT…",
                "Three of your five private contracts: their numbers in 'porto show', or names.",
                many=True,
            ),
        ),
    ),
    "draw": Verb(
        """Take face-up construction cards.

        blue-1@4 takes the one in space 4 where equal cards lie open.
        """,
        (
            Word(
                "CARD…",
                "One to three face-up cards with a total value of at most 3, like: blue-1 red-2.",
                many=True,
            ),
        ),
        _TURNS_UP,
    ),
    "build": Verb(
        """Build floors with two cards of your hand, or with the two timer cards of a solo game.

        The first card says how many floors, the second in which color.
        """,
        (
            Word("NUMBER-CARD", "The card that says how many floors, like red-3."),
            Word("COLOR-CARD", "The card that says in which color, like blue-1."),
            Word("HOUSE", "The house, like L4."),
            Word(
                "[token HOUSE]",
                "Where the ground floor is built: the word token, and the house whose empty roof "
                "gets its token. Then 'contract' and what the build fulfills can follow.",
                many=True,
            ),
        ),
        ("token", "contract", *_TURNS_UP),
    ),
    "contract": Verb(
        """Fulfill public contracts after building, or say that you fulfill none.""",
        (
            Word(
                "CONTRACT…",
                "Public contracts that the build meets, like blue+red, or their spaces; or none.",
                many=True,
            ),
        ),
        _TURNS_UP,
    ),
    "pass": Verb(
        """Pass, which is allowed only if you can neither draw nor build.""", _NO_WORDS, _TURNS_UP
    ),
    "undo": Verb(
        """Take back your last turn, as long as nobody else has moved.

        The record keeps both the turn and the undo.
        """,
        _NO_WORDS,
    ),
}


def function_of(name: str) -> Callable[..., None]:
    """Return the function of a verb's command, with the parameters that its row asks for."""
    verb = VERBS[name]
    positions = [f"word_{nth}" for nth, _ in enumerate(verb.words, start=1)]

    def command(**given: Any) -> None:
        words: list[str] = []
        for position in positions:
            typed: str | list[str] = given.pop(position) or []
            words += [typed] if isinstance(typed, str) else typed
        perform(name, given.pop("file"), words, **given)

    parameters = [_parameter("file", RecordFile, Parameter.empty)]
    parameters += [
        _parameter(position, _annotation(word), None)
        for position, word in zip(positions, verb.words, strict=True)
    ]
    own = [option for option in verb.options if option not in _TURNS_UP]
    rest = [option for option in verb.options if option in _TURNS_UP]
    parameters += [_parameter(option, *_OPTIONS[option]) for option in (*own, *_OF_ALL, *rest)]
    command.__doc__ = verb.help
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return command


def _annotation(word: Word) -> object:
    argument = typer.Argument(
        metavar=word.metavar,
        help=word.help,
        show_default=False,
        hidden=word.hidden,
        autocompletion=complete.words_of_a_move,
    )
    kind = list[str] if word.many else str
    return Annotated[kind | None, argument]


def _parameter(name: str, annotation: object, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
