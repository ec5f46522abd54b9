"""The people at the tables: the command that stores who the user is, and the one for the addresses
of the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli.output import write_json
from porto_cli.cli.parameters import Format, FormatOption
from porto_cli.core.characters import quoted
from porto_cli.core.documents import document
from porto_cli.core.message import shown, usage
from porto_cli.match.seats import name_fault
from porto_cli.settings import PLAYER, path, settings
from porto_cli.settings import me as user
from porto_cli.term.tell import remark, tell

if TYPE_CHECKING:
    from porto_cli.mail.addresses import AddressBook


def me(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME…",
            help="Your name as a player. More names are for games in which you have another one.",
            show_default=False,
        ),
    ] = None,
    none: Annotated[
        bool, typer.Option("--none", help="Forget your name; commands need --as again.")
    ] = False,
    output: FormatOption = Format.text,
) -> None:
    """Store who you are, or show it.

    Then you see what is private to you, and make your moves, without --as; a move for another
    player needs --as. In a game in which no player has your name, it has no effect.
    """
    from porto_cli.settings import write_me

    if none and names:
        usage("--none forgets your name; leave out either --none or the names.")
    if none or names:
        remark(*write_me(_checked(names or ())))
    if output is Format.json:
        _print_json()
        return
    tell(*_who())


def _checked(names: list[str] | tuple[()]) -> list[str]:
    """Return the names, each once; exits with 2 if one of them cannot be a player's."""
    found: list[str] = []
    for name in names:
        fault = name_fault(name)
        if fault:
            usage(fault)
        if name not in found:
            found.append(name)
    return found


def _who() -> list[str]:
    """Say who the user is, and where that is set."""
    variable = os.environ.get(PLAYER)
    names, source = user()
    if names:
        lines = [_you_are(names, source)]
    elif variable is None:
        lines = ["Your name is not set. To set it: porto me NAME"]
    else:
        lines = [f"{PLAYER} is empty, so no player is taken to be you."]
    written = settings().me
    if variable is not None and written:
        lines.append(f"Without {PLAYER} you would be {' or '.join(written)}, by {path()}.")
    return lines


def _you_are(names: tuple[str, ...], source: str) -> str:
    first, *others = names
    if others:
        return (
            f"You are {first}, and {' or '.join(others)} in games without {first}, according "
            f"to {source}."
        )
    return f"You are {first}, according to {source}."


def _print_json() -> None:
    from porto_cli.core.documents import document

    names, source = user()
    kind = "environment" if source == PLAYER else "settings" if source else None
    write_json(document(names=list(names), source=kind, settings=str(path())))


# -- The addresses of the others.


def names(incomplete: str) -> list[str]:
    """Offer the players whose addresses are known."""
    from porto_cli.core.message import PortoError
    from porto_cli.mail.addresses import address_book

    try:
        known = address_book().entries
    except PortoError:
        return []
    return [name for name in known if name.casefold().startswith(incomplete.casefold())]


def address(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The player's name as in the records.",
            show_default=False,
            autocompletion=names,
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]",
            help="The player's e-mail address, like rui@example.org.",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the address of the player.")
    ] = False,
    program: Annotated[
        bool | None,
        typer.Option(
            "--program/--no-program",
            help="Whether the player has porto. Mail to a player without it has moves to click and "
            "the player's own secrets, and no commands.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        bool | None,
        typer.Option(
            "--html/--no-html",
            help="Whether mail to the player is HTML, too, or text alone.",
            show_default=False,
        ),
    ] = None,
    output: FormatOption = Format.text,
) -> None:
    """Store the e-mail addresses of players.

    With a name and an address it stores the address, with a name alone it prints the address, with
    nothing it lists all. They are kept on this computer, in addresses.yaml, and are in no record.
    """
    from porto_cli.mail.addresses import HTML, PROGRAM, address_book, mailbox, path, save

    book = address_book()
    changes = {PROGRAM: program, HTML: html}
    changed = any(change is not None for change in changes.values())
    if changed and (name is None or remove):
        usage("The options are for one player: porto address NAME --no-program")
    if name is None:
        if remove:
            usage("Name the player whose address to remove: porto address NAME --remove")
        if output is Format.json:
            write_json(_document(book, book.entries))
        elif book.entries:
            for player in book.entries:
                tell(_entry(book, player))
        else:
            tell("No addresses are stored. To store one: porto address NAME ADDRESS")
        return
    known = book.name_of(name)
    if where is None and known is None:
        usage(
            f"No e-mail address is stored for {name}.",
            suggestions=[] if remove else [f"porto address {quoted(name)} ADDRESS"],
        )
    if remove:
        if where is not None:
            usage(f"With --remove the name is enough; leave out {shown(where)}.")
        assert known is not None
        notices = save(book.without(known))
        if output is Format.json:
            write_json(document(addresses={}))
        else:
            tell(f"The address of {known} was removed from {path()}; it was {book.entries[known]}.")
    elif where is None and not changed:
        assert known is not None
        if output is Format.json:
            write_json(_document(book, [known]))
        else:
            tell(_entry(book, known))
        return
    else:
        if where is None:
            assert known is not None
            name, where = known, book.entries[known]
        _demand_a_name(name, where)
        kept = mailbox(where).address
        before = book.lacking.get(known or "", frozenset())
        lacking = [
            what
            for what, change in changes.items()
            if change is False or (change is None and what in before)
        ]
        notices = save(book.with_entry(name, kept, lacking))
        book = address_book()
        if output is Format.json:
            write_json(_document(book, [name]))
        else:
            tell(f"Mail to {name} goes to {kept}.")
            if lacking:
                tell(_entry(book, name))
    remark(*notices)


def _entry(book: AddressBook, player: str) -> str:
    """Return a player with the address, and what is particular to mail to this player."""
    without = [] if book.has(player, "program") else ["without the program"]
    particular = ", ".join([*without, *([] if book.has(player, "html") else ["text alone"])])
    return f"{player}: {book.entries[player]}{f' ({particular})' if particular else ''}"


def _document(book: AddressBook, players: Iterable[str]) -> dict[str, object]:
    players = list(players)
    return document(
        addresses={player: book.entries[player] for player in players},
        without_program=[player for player in players if not book.has(player, "program")],
        text_alone=[player for player in players if not book.has(player, "html")],
    )


def _demand_a_name(name: str, where: str) -> None:
    """Refuse what cannot be a player's name (exit code 2), like an address in the wrong place."""
    from porto_cli.match.seats import name_fault

    if "@" in name and "@" not in where:
        usage("The name comes first, then the address: porto address NAME ADDRESS")
    fault = name_fault(name)
    if fault:
        usage(fault)
