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

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from porto_cli.core.message import InvalidMoveError, shown
from porto_cli.game import OVER, Game, State, Step
from porto_cli.match.declarations import SEAT, Declaration, held_at
from porto_cli.match.record import OPEN, SEALED, Record
from porto_cli.match.seats import Bots, in_words, is_a_bot, level_named, name_fault, shortest

WORD = SEAT.strip()
_TO, _BOT, _OUT, _BACK, _VERSION = "to", "bot", "out", "back", " version "
FEWEST = 2
"""Seats that have to stay when one is left out: with fewer there is nobody to play against."""


class Sitting(NamedTuple):
    """What an item says: that a person, a bot or nobody plays a seat from here on; without any of
    them it is as at the beginning.

    ``to``       the name of the person
    ``bot``      the player type, of ``version``
    """

    to: str = ""
    bot: str = ""
    version: int = 0
    out: bool = False

    def text(self) -> str:
        """Return it in canonical form, with the word ``seat``."""
        if self.to:
            return f"{SEAT}{_TO} {self.to}"
        if self.bot:
            return f"{SEAT}{_BOT} {self.bot}{_VERSION}{self.version}"
        return f"{SEAT}{_OUT if self.out else _BACK}"


class Holder(NamedTuple):
    """Who plays a seat: a person called ``name``, or with that name a bot, or nobody.

    ``turn``  how many turns were over when that began, 0 from the start
    """

    name: str
    bot: str = ""
    version: int = 0
    out: bool = False
    turn: int = 0


# -- Who plays


def holders(
    record: Record, declarations: Sequence[Declaration], place: int | None = None
) -> tuple[Holder, ...]:
    """Return who plays each seat before the step at a place, by default now."""
    held: tuple[Holder, ...] = held_at(declarations, place)
    if held:
        return held
    return tuple(beginning(record, seat) for seat in range(len(record.config.players)))


def beginning(record: Record, seat: int) -> Holder:
    """Return who plays a seat by the header of the record."""
    name, bots = record.config.players[seat], record.bots
    if bots is None or seat not in bots.seats:
        return Holder(name)
    return Holder(name, bots.seats[seat], bots.version)


def _after(record: Record, seat: int, what: Sitting) -> Holder:
    name = record.config.players[seat]
    if what.bot or what.out:
        return Holder(name, what.bot, what.version, what.out)
    return Holder(what.to) if what.to else beginning(record, seat)


def bots_among(held: Sequence[Holder]) -> Bots | None:
    """Return the bots among those who play; ``None`` if there are none.

    Their version is that of the first one; those of all are in :class:`Holder`.
    """
    bots = {seat: one for seat, one in enumerate(held) if one.bot}
    if not bots:
        return None
    first = next(iter(bots.values()))
    return Bots({seat: one.bot for seat, one in bots.items()}, first.version)


def versions_of_bots(record: Record, declarations: Sequence[Declaration]) -> dict[int, set[int]]:
    """Return of which versions the bots are that play a seat, or have played it, by the seats."""
    found: dict[int, set[int]] = {}
    for held in (holders(record, ()), *(one.held for one in declarations)):
        for seat, one in enumerate(held):
            if one.bot:
                found.setdefault(seat, set()).add(one.version)
    return dict(sorted(found.items()))


def table_without(game: Game, state: State, held: Iterable[Holder]) -> State:
    """Return a table on which exactly the seats that nobody plays are left out."""
    out = frozenset(seat for seat, one in enumerate(held) if one.out)
    return state if game.leaving is None else game.leaving.without(state, out)


# -- An item


def read_sitting(text: str, record: Record, seat: int) -> Sitting:
    """Return what the text of an item says of a seat. Raises InvalidMoveError for what cannot be,
    whoever plays now.
    """
    words = text.split()
    if record.secrecy == SEALED:
        raise InvalidMoveError("In a sealed game no line says who plays a seat.")
    kind, rest = (words[1].lower() if words[1:] else ""), " ".join(words[2:])
    if kind == _TO and rest:
        return _to(rest, record, seat)
    if kind == _BOT and rest:
        return _to_a_bot(rest, record)
    if kind in (_OUT, _BACK) and not rest:
        return Sitting(out=kind == _OUT)
    raise InvalidMoveError(
        f"{shown(text)} does not say who plays the seat: it goes on with 'to NAME', 'bot "
        "LEVEL version NUMBER', 'out' or 'back'."
    )


def _to(name: str, record: Record, seat: int) -> Sitting:
    players = record.config.players
    is_own = name == " ".join(players[seat].split())
    fault = _name_fault(name, () if is_own else players, record)
    if fault:
        raise InvalidMoveError(fault)
    if is_own and not beginning(record, seat).bot:
        return Sitting()
    return Sitting(to=name)


def _name_fault(name: str, others: Iterable[str], record: Record) -> str | None:
    """Return why nobody of a name can take a seat beside others, if so."""
    meta = record.game.meta
    fault = name_fault(name, (), meta)
    if fault is None and name_fault(name, others, meta):
        return (
            f"{name} has a seat in this game already, and nobody can play two; name somebody else."
        )
    return fault


def _to_a_bot(text: str, record: Record) -> Sitting:
    typed, _, number = text.lower().rpartition(_VERSION)
    meta = record.game.meta
    name = level_named(text[: len(typed)], meta.bots) or text[: len(typed)]
    version = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
    if not version:
        raise InvalidMoveError(
            f"Name a version after the player type {shown(name or text)}, like: "
            f"{Sitting(bot=name or text, version=meta.bots_version).text()}"
        )
    fault = bot_fault(name, record)
    if fault and name not in meta.former_bots:
        raise InvalidMoveError(fault)
    return Sitting(bot=name, version=version)


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
    what: Sitting,
    record: Record,
    number: int,
    seat: int,
    state: State,
    steps: Sequence[Step],
    declarations: Sequence[Declaration],
) -> tuple[Declaration, State] | str:
    """Return what item ``number`` of a seat says, and the table after it; or why it cannot be said
    now.
    """
    if state.phase == OVER:
        return "The game is over: nobody can take or leave a seat."
    held = holders(record, declarations)
    fault = sitting_fault(what, record, seat, state, held)
    if fault:
        return fault
    new = _after(record, seat, what)._replace(turn=state.turn)
    held = (*held[:seat], new, *held[seat + 1 :])
    entries = ((record.config.players[seat], what.text()),)
    one = Declaration(number, seat, len(steps), entries, what, state.turn, held)
    return one, table_without(record.game, state, held)


def sitting_fault(
    what: Sitting, record: Record, seat: int, state: State, held: Sequence[Holder]
) -> str | None:
    """Return why a seat cannot change hands like that now, ``held`` being who plays; ``None`` if it
    can.
    """
    new, game = _after(record, seat, what), record.game
    others = [one for nth, one in enumerate(held) if nth != seat]
    playing = sum(not one.out for one in others)
    player = record.config.players[seat]
    instead = "Somebody else can take over the seat (--to NAME), or a bot (--bot LEVEL)."
    if what.to:
        fault = _name_fault(what.to, [one.name for one in others], record)
        if fault:
            return fault
    if not any(not one.bot and not one.out for one in (*others, new)):
        return "Only bots would be playing; at least one player has to be a person."
    if held[seat].out == new.out:
        return None
    if game.leaving is None:
        return f"{game.meta.title} cannot go on without {player}. {instead}"
    if new.out and playing < FEWEST:
        return f"Without {player}, fewer than {FEWEST} players would be left. {instead}"
    return game.leaving.fault(state, seat) if new.out else None


# -- In words


def plays(player: str, one: Holder) -> str:
    """Say who plays the seat of a player."""
    if one.out:
        return f"{player} has left; the game goes on without {player}."
    if one.bot:
        return f"A bot ({in_words(one.bot)}) plays for {player}."
    return f"{player} plays." if one.name == player else f"{one.name} plays for {player}."


def _since(player: str, one: Holder) -> str:
    """Say since when who plays the seat of a player."""
    if one.out:
        return f"{player} left the game at turn {one.turn + 1}."
    by = f"a bot ({in_words(one.bot)})" if one.bot else one.name
    return f"{player}: played by {by} since turn {one.turn + 1}."


def _news(player: str, one: Holder) -> str:
    """Say who plays the seat of a player from here on."""
    if one.out:
        return f"{player} leaves; the game goes on without {player}."
    if one.bot:
        return f"A bot ({in_words(one.bot)}) takes over for {player}."
    return f"{player} is back." if one.name == player else f"{one.name} takes over for {player}."


def in_a_sentence(record: Record, declarations: Sequence[Declaration], seat: int) -> str:
    """Say who plays a seat now."""
    return plays(record.config.players[seat], holders(record, declarations)[seat])


def who_sits(record: Record, declarations: Sequence[Declaration]) -> dict[str, str]:
    """Say of each seat that is not played as at the beginning who plays it, by its player."""
    held = zip(record.config.players, holders(record, declarations), strict=True)
    return {
        player: _since(player, one)
        for seat, (player, one) in enumerate(held)
        if one._replace(turn=0) != beginning(record, seat)
    }


def with_sittings(
    steps: Sequence[Step], record: Record, declarations: Sequence[Declaration]
) -> tuple[Step, ...]:
    """Return steps that say which seats have changed hands after them."""
    news: dict[int, list[str]] = {}
    players, held = record.config.players, holders(record, ())
    for one in (one for one in declarations if one.sits):
        player, new = players[one.seat], one.held[one.seat]
        sentence = _news(player, new)
        if held[one.seat].bot and new.name == player and not (new.bot or new.out):
            sentence = f"{player} takes over from the bot."
        held = one.held
        news.setdefault(max(one.place - 1, 0), []).append(sentence)
    return tuple(
        step._replace(said=(*step.said, *news.get(place, ()))) for place, step in enumerate(steps)
    )
