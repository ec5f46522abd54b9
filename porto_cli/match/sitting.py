"""Who plays a seat after somebody has left: another person, the program or nobody; or who has come
back.

An item of the record says it. The seat keeps its name, so that nothing else in the record changes:

    - Rui: seat to Bea
    - Rui: seat bot level-3 version 1
    - Rui: seat out
    - Rui: seat back

It changes nothing on the table, but that the turns of a seat that is out are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from porto_cli.core import InvalidMoveError, refuse, shown
from porto_cli.game import OVER, State
from porto_cli.match import name_fault
from porto_cli.match.items import SEAT, Declaration, Past, table_without
from porto_cli.match.record import OPEN, SEALED, Record
from porto_cli.match.seats import Holder, is_a_bot, level_named, shortest

WORD = SEAT.strip()
FEWEST = 2
"""Seats that have to stay when one is left out: with fewer there is nobody to play against."""


# -- The item: its text, read and written


def read_seat(text: str, record: Record, seat: int) -> tuple[str, Holder]:
    """Return what the text of an item says of a seat, in canonical form, and who plays it then.

    Raises InvalidMoveError for what cannot be, whoever plays now.
    """
    if record.secrecy == SEALED:
        raise InvalidMoveError("In a sealed game no line says who plays a seat.")
    players, first = record.config.players, record.seats[seat]
    _, kind, *words = [*text.split(), ""]
    rest = " ".join(words).strip()
    match kind.lower(), bool(rest):
        case "to", True:
            is_own = rest == " ".join(players[seat].split())
            fault = _name_fault(rest, () if is_own else players, record)
            if fault:
                raise InvalidMoveError(fault)
            if is_own and not first.bot:
                return f"{SEAT}back", first
            return f"{SEAT}to {rest}", Holder(rest)
        case "bot", True:
            name, version = _bot(rest, record)
            return f"{SEAT}bot {name} version {version}", Holder(players[seat], name, version)
        case "out", False:
            return f"{SEAT}out", Holder(players[seat], out=True)
        case "back", False:
            return f"{SEAT}back", first
    raise InvalidMoveError(
        f"{shown(text)} does not say who plays the seat: it goes on with 'to NAME', 'bot "
        "LEVEL version NUMBER', 'out' or 'back'."
    )


def _name_fault(name: str, others: Iterable[str], record: Record) -> str | None:
    """Return why nobody of a name can take a seat beside others, if so."""
    meta = record.game.meta
    fault = name_fault(name, (), meta)
    if fault is None and name_fault(name, others, meta):
        return (
            f"{name} has a seat in this game already, and nobody can play two; name somebody else."
        )
    return fault


def _bot(text: str, record: Record) -> tuple[str, int]:
    """Return a player type and its version. Raises InvalidMoveError."""
    found = re.fullmatch(r"(.+) version (?!0+$)([0-9]{1,5})", text, re.IGNORECASE)
    meta, typed = record.game.meta, found[1] if found else text
    name = level_named(typed, meta.bots) or typed
    if found is None:
        raise InvalidMoveError(
            f"Name a version after the player type {shown(name)}, like: {SEAT}bot {name} version "
            f"{meta.bots_version}"
        )
    fault = bot_fault(name, record)
    if fault and name not in meta.former_bots:
        raise InvalidMoveError(fault)
    return name, int(found[2])


def bot_fault(name: str, record: Record) -> str | None:
    """Return why a bot cannot play on in a game, if it cannot."""
    if record.secrecy != OPEN:
        return (
            "A bot can take a seat only in a game with 'secrecy: open': it cannot type in "
            "what comes up."
        )
    meta = record.game.meta
    if not is_a_bot(name, meta):
        return (
            f"There is no player type {shown(name)} of {meta.title}; there are "
            f"{', '.join(map(shortest, meta.bots))}."
        )
    return None


def declared(
    text: str, past: Past, number: int, seat: int, state: State
) -> tuple[Declaration, State]:
    """Return what item ``number``, which comes next, says of a seat, and the table after it.

    Raises InvalidMoveError for what cannot be, and RefusedError for what cannot be now.
    """
    record, seats = past.record, past.seats_at()
    text, new = read_seat(text, record, seat)
    if state.phase == OVER:
        refuse("The game is over: nobody can take or leave a seat.")
    fault = _fault(new, record, seat, state, seats)
    if fault:
        refuse(fault)
    seats = (*seats[:seat], new._replace(turn=state.turn), *seats[seat + 1 :])
    entries = ((record.config.players[seat], text),)
    one = Declaration(number, seat, len(past.steps), entries, seats)
    return one, table_without(record, state, [one])


def _fault(
    new: Holder, record: Record, seat: int, state: State, held: Sequence[Holder]
) -> str | None:
    """Return why a seat cannot change hands like that now, ``held`` being who plays; ``None`` if it
    can.
    """
    game, player = record.game, record.config.players[seat]
    others = [one for nth, one in enumerate(held) if nth != seat]
    instead = "Somebody else can take over the seat (--to NAME), or a bot (--bot LEVEL)."
    fault = _name_fault(new.name, [one.name for one in others], record)
    if fault:
        return fault
    if all(one.bot or one.out for one in (*others, new)):
        return "Only bots would be playing; at least one player has to be a person."
    if held[seat].out == new.out:
        return None
    if game.leaving is None:
        return f"{game.meta.title} cannot go on without {player}. {instead}"
    if new.out and sum(not one.out for one in others) < FEWEST:
        return f"Without {player}, fewer than {FEWEST} players would be left. {instead}"
    return game.leaving.fault(state, seat) if new.out else None
