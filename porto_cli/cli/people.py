"""The people at the tables: the commands for the user's own name and for the others' addresses."""

from __future__ import annotations

import os
from collections.abc import Iterable

from porto_cli.cli import Format, FormatOption, arg, opt
from porto_cli.cli.output import answer
from porto_cli.core import PortoError, cited, usage
from porto_cli.core.shell import quoted
from porto_cli.mail.addresses import AddressBook, Entry, address_book, mailbox, save
from porto_cli.mail.addresses import path as address_file
from porto_cli.match import name_fault
from porto_cli.settings import settings, settings_file, write_me
from porto_cli.term import tell
from porto_cli.user import PLAYER
from porto_cli.user import me as user


def me(
    names: list[str] | None = arg(
        None,
        "NAME…",
        "Your name as a player. More names are for games in which you have another one.",
    ),
    none: bool = opt(False, "--none", "Forget your name; commands need --as again."),
    output: FormatOption = Format.text,
) -> None:
    """Store who you are, or show it.

    Then you see what is private to you, and make your moves, without --as; a move for another
    player needs --as. In a game in which no player has your name, it has no effect.

    Examples:
      porto me Ana
    """
    if none and names:
        usage("--none forgets your name; leave out either --none or the names.")
    for name in names or ():
        _demand_name(name)
    if none or names:
        write_me(list(dict.fromkeys(names or ())))
    found, source = user()
    kind = "environment" if source == PLAYER else "settings" if source else None
    fields = {"names": list(found), "source": kind, "settings": str(settings_file())}
    answer(output, fields, *_who(found, source, is_new=bool(names)))


def _demand_name(name: str) -> None:
    """Exit with 2 if a name cannot be a player's."""
    fault = name_fault(name)
    if fault:
        usage(fault)


def _who(names: tuple[str, ...], source: str, *, is_new: bool = False) -> list[str]:
    """Return who the user is, and where that is set, or has just been set."""
    variable = os.environ.get(PLAYER)
    if names:
        first, *others = names
        besides = f", and {' or '.join(others)} in games without {first}" if others else ""
        where = "; this is saved in" if is_new and not variable else ", according to"
        lines = [f"You are {first}{besides}{where} {source}."]
    elif variable is None:
        lines = ["Your name is not set. To set it: porto me NAME"]
    else:
        lines = [f"{PLAYER} is empty, so no player is taken to be you."]
    written = settings().me
    if variable is not None and written:
        lines.append(f"Without {PLAYER} you would be {' or '.join(written)}, by {settings_file()}.")
    return lines


# -- The addresses of the others.


def names(incomplete: str) -> list[str]:
    """Complete the names of players with a stored address."""
    try:
        known = address_book().entries
    except PortoError:
        return []
    return [name for name in known if name.casefold().startswith(incomplete.casefold())]


def address(
    name: str | None = arg(
        None, "[NAME]", "The player's name as in the records.", autocompletion=names
    ),
    where: str | None = arg(
        None, "[ADDRESS]", "The player's e-mail address, like rui@example.org."
    ),
    remove: bool = opt(False, "--remove", "Remove the address of the player."),
    program: bool | None = opt(
        None,
        "--program/--no-program",
        "Whether the player has porto. Mail to a player without it has moves to click and the "
        "player's own secrets, and no commands.",
    ),
    html: bool | None = opt(
        None, "--html/--no-html", "Whether mail to the player is HTML, too, or text alone."
    ),
    output: FormatOption = Format.text,
) -> None:
    """Store the e-mail addresses of players.

    With a name and an address it stores the address, with a name alone it prints the address, with
    nothing it lists all. They are kept on this computer, in addresses.yaml, and are in no record.

    Examples:
      porto address Rui rui@example.org
    """
    book = address_book()
    changes = {what: has for what, has in (("program", program), ("html", html)) if has is not None}
    if changes and (name is None or remove):
        usage("The options are for one player: porto address NAME --no-program")
    if name is None:
        if remove:
            usage("Name the player whose address to remove: porto address NAME --remove")
        if output is Format.text and not book.entries:
            tell("No addresses are stored. To store one: porto address NAME ADDRESS")
        _show(book, book.entries, output)
        return
    if remove and where is not None:
        usage(f"With --remove the name is enough; leave out {cited(where)}.")
    if where is not None and "@" in name and "@" not in where:
        usage("The name comes first, then the address: porto address NAME ADDRESS")
    _demand_name(name)
    known = book.name_of(name)
    if where is None:
        if known is None:
            usage(
                f"No e-mail address is stored for {name}.",
                suggestions=[] if remove else [f"porto address {quoted(name)} ADDRESS"],
            )
        if not remove and not changes:
            _show(book, [known], output)
            return
        name, where = known, book.entries[known].address
    if remove:
        save(book.without(name))
        if output is Format.text:
            tell(f"The address of {name} was removed from {address_file()}; it was {where}.")
        _show(book, [], output)
    else:
        entry = book.entry(name)._replace(address=mailbox(where).address, **changes)
        save(book.with_entry(name, entry))
        if output is Format.text:
            tell(f"Mail to {name} goes to {entry.address}.")
        if output is Format.json or _without(entry):
            _show(address_book(), [name], output)


def _show(book: AddressBook, players: Iterable[str], output: Format) -> None:
    """Print players with their addresses, and what mail to them does without."""
    found = {player: book.entries[player] for player in players}
    fields = {
        "addresses": {player: entry.address for player, entry in found.items()},
        "without_program": [player for player, entry in found.items() if not entry.program],
        "text_alone": [player for player, entry in found.items() if not entry.html],
    }
    lines = (f"{player}: {entry.address}{_without(entry)}" for player, entry in found.items())
    answer(output, fields, *lines)


def _without(entry: Entry) -> str:
    """Return in parentheses what mail to a player does without, if anything."""
    parts = {"without the program": entry.program, "text alone": entry.html}
    without = ", ".join(what for what, has in parts.items() if not has)
    return f" ({without})" if without else ""
