"""The command that keeps the addresses of players."""

from __future__ import annotations

from typing import Annotated

import typer

from porto_cli.cli.common import Format
from porto_cli.cli.output import write_json
from porto_cli.core.command_errors import usage
from porto_cli.core.documents import document
from porto_cli.core.message import say
from porto_cli.core.quoting import quoted
from porto_cli.term.tell import remark, tell


def names(incomplete: str) -> list[str]:
    """Offer the players whose addresses are known."""
    from porto_cli.core.errors import PortoError
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
            help="The player, called as in the records.",
            show_default=False,
            autocompletion=names,
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]",
            help="Where the player gets mail, like rui@example.org.",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Forget the address of the player.")
    ] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
) -> None:
    """Keep the addresses of players.

    With a name and an address it keeps the address, with a name alone it tells the address, with
    nothing it lists all. They are kept on this computer, in addresses.yaml, and stand in no record.
    """
    from porto_cli.mail.addresses import address_book, mailbox, path, save

    book = address_book()
    if name is None:
        if remove:
            usage(say("Whose address is to be forgotten? The name comes behind 'porto address'."))
        if output is Format.json:
            write_json(document(addresses=book.entries))
        elif book.entries:
            for player, kept in book.entries.items():
                print(f"{player}: {kept}")
        else:
            tell(say("No address is known. To tell one: porto address NAME ADDRESS"))
        return
    known = book.name_of(name)
    if where is None and known is None:
        usage(
            say("No address of {name} is known.", name=name),
            suggestions=[] if remove else [f"porto address {quoted(name)} ADDRESS"],
        )
    if remove:
        if where is not None:
            usage(say("With --remove the name is enough; leave out {address!r}.", address=where))
        assert known is not None
        notices = save(book.without(known))
        tell(
            say(
                "{file} no longer has the address of {name}, which was {address}.",
                file=path(),
                name=known,
                address=book.entries[known],
            )
        )
    elif where is None:
        assert known is not None
        if output is Format.json:
            write_json(document(addresses={known: book.entries[known]}))
        else:
            print(f"{known}: {book.entries[known]}")
        return
    else:
        _demand_a_name(name, where)
        kept = mailbox(where).address
        notices = save(book.with_entry(name, kept))
        tell(say("Mail to {name} goes to {address}.", name=name, address=kept))
    remark(*notices)


def _demand_a_name(name: str, where: str) -> None:
    """Refuse what no player can be called (exit code 2), like an address in the wrong place."""
    from porto_cli.match.record import name_fault

    if "@" in name and "@" not in where:
        usage(say("The name comes first, then the address: porto address NAME ADDRESS"))
    fault = name_fault(name)
    if fault:
        usage(fault)
