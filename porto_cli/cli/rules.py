"""``porto rules``: the reference card, and the ruling behind an id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from porto_cli.cli.common import Format
from porto_cli.cli.game import GameOption
from porto_cli.cli.output import write_json
from porto_cli.core.command_errors import usage
from porto_cli.core.documents import rulings_json
from porto_cli.core.message import say
from porto_cli.core.ruling import Ruling, Rulings
from porto_cli.game import DEFAULT, GAMES
from porto_cli.rulings import game_of_ruling, ruling, rulings_of
from porto_cli.term.screen import screen_of

_WIDEST = 80
"""Columns, even on a wide screen: longer lines are hard to read."""


def _ids_from(incomplete: str) -> list[tuple[str, str]]:
    known = {one.id: one.title for game_id in GAMES for one in rulings_of(game_id).all()}
    return [one for one in known.items() if one[0].startswith(incomplete.upper())]


def rules(
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|WORD]…",
            help="Ids of rulings, such as P-BUILD-2 or all of P-BUILD; or words, to find the "
            "rulings that have all of them.",
            show_default=False,
            autocompletion=_ids_from,
        ),
    ] = None,
    game: GameOption = None,
    format: Annotated[  # noqa: A002 - the name of the option
        Format,
        typer.Option("--format", help="The form of the output; JSON has no reference card."),
    ] = Format.text,
) -> None:
    """Tell the ruling behind an id, or show the reference card.

    Every refused move names the rulings that it breaks. Words are looked for in any order, and the
    terms of the printed rulebooks are understood as well: adjacent, roof tile, winner. Without an
    argument you see the rules on one card, and a list of all rulings.
    """
    words = about or []
    game_id = game or next(filter(None, map(game_of_ruling, words)), DEFAULT)
    rulings = rulings_of(game_id)
    found, mentions = _find(words, rulings) if words else (list(rulings.all()), [])
    if format is Format.json:
        write_json(rulings_json([*found, *mentions]))
    elif words:
        _print_rulings(found, mentions, rulings)
    else:
        _print_card(rulings, game_id)


def _find(about: list[str], rulings: Rulings) -> tuple[list[Ruling], list[Ruling]]:
    """Return the rulings that are asked for, and those that only mention the words."""
    try:
        return [ruling(word) for word in about], []
    except KeyError:
        pass
    words = " ".join(about)
    found, mentions = rulings.search(words)
    if found or mentions:
        return found, mentions
    near = [suggestion for word in about for suggestion in rulings.near(word)]
    if near:
        usage(
            say(
                "There is no ruling {words!r}; did you mean {near}?",
                words=words,
                near=", ".join(dict.fromkeys(near)),
            )
        )
    usage(
        say(
            "No ruling has to do with {words!r}; 'porto rules' lists all rulings.",
            words=words,
        )
    )


def _wrap(text: str, first: str = "", others: str = "") -> str:
    import textwrap

    return textwrap.fill(
        text,
        min(screen_of().width, _WIDEST),
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )


def _print_card(rulings: Rulings, game_id: str) -> None:
    for section in rulings.card():
        print(section.title)
        column = max(len(label) for label, _ in section.lines) + 2
        for label, text in section.lines:
            print(_wrap(text, f"  {label:{column}}", " " * (column + 2)))
        print()
    print("Rulings")
    _print_titles(rulings.all(), rulings)
    print()
    rule_id, two_words = rulings.examples
    command = "porto rules" if game_id == DEFAULT else f"porto rules --game {game_id}"
    print(
        _wrap(
            str(
                say(
                    "'porto rules {id}' tells a ruling, '{command} {words}' finds those that have "
                    "both words.",
                    id=rule_id,
                    command=command,
                    words=two_words,
                )
            )
        )
    )


def _print_titles(found: Iterable[Ruling], rulings: Rulings) -> None:
    column = max(len(one.id) for one in rulings.all()) + 2
    for one in found:
        print(_wrap(one.title, f"  {one.id:{column}}", " " * (column + 2)))


def _print_rulings(found: list[Ruling], mentions: list[Ruling], rulings: Rulings) -> None:
    for nth, one in enumerate(found):
        if nth:
            print()
        print(_wrap(one.title, f"{one.id}  ", " " * (len(one.id) + 2)))
        print(_wrap(one.text, "  ", "  "))
        if one.note:
            print()
            print(_wrap(one.note, "  Note: ", "  "))
    if mentions:
        if found:
            print()
        print("Mentioned in" if found else "Mentioned only in")
        _print_titles(mentions, rulings)
