"""Who plays a seat after somebody has left: another person, the program or nobody; or who has come
back.

An item of the record says it. The seat keeps its name, so that nothing else in the record changes:

    - Rui: seat to Bea
    - Rui: seat bot level-3 version 1
    - Rui: seat out
    - Rui: seat back

In a signed game a seat can only be left out, by its player, or by all others, each of whom signs:

    - Ana: seat of Rui out

It changes nothing on the table, but that the turns of a seat that is out are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.characters import quoted
from porto_cli.core.message import InvalidMoveError, Sentence, say
from porto_cli.core.value import NamedTuple
from porto_cli.game import OVER, Game, State, Step
from porto_cli.match.declarations import SEAT, Declaration
from porto_cli.match.record import OPEN, SEALED, Record
from porto_cli.match.seats import Bots, in_words, is_a_bot, level_named, name_fault

WORD = SEAT.strip()
_TO, _BOT, _OUT, _BACK, _OF, _VERSION = "to", "bot", "out", "back", "of", " version "
FEWEST = 2
"""Seats that have to stay when one is left out: with fewer there is nobody to play against."""


class Sitting(NamedTuple):
    """What an item says: that a person, a bot or nobody plays a seat from here on; without any of
    them it is as at the beginning.

    ``to``       the name of the person
    ``bot``      the player type, of ``version``
    ``of``       the player whose seat it is, if another one says it
    """

    to: str = ""
    bot: str = ""
    version: int = 0
    out: bool = False
    of: str = ""

    def text(self) -> str:
        """Return it in canonical form, with the word ``seat``."""
        if self.of:
            return f"{SEAT}{_OF} {self.of} {_OUT}"
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
    record: Record, declarations: Iterable[Declaration], place: int | None = None
) -> tuple[Holder, ...]:
    """Return who plays each seat before the step at a place, by default now."""
    found = [beginning(record, seat) for seat in range(len(record.config.players))]
    for one in declarations:
        if one.whose >= 0 and (place is None or one.place <= place):
            found[one.whose] = _after(record, one.whose, one.what)._replace(turn=one.turn)
    return tuple(found)


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


def versions_of_bots(record: Record, declarations: Iterable[Declaration]) -> dict[int, set[int]]:
    """Return of which versions the bots are that play a seat, or have played it, by the seats."""
    begun = holders(record, ())
    found = {seat: {one.version} for seat, one in enumerate(begun) if one.bot}
    for one in declarations:
        if one.sits and one.what.bot:
            found.setdefault(one.seat, set()).add(one.what.version)
    return dict(sorted(found.items()))


def left_out(held: Iterable[Holder]) -> frozenset[int]:
    """Return the seats that nobody plays."""
    return frozenset(seat for seat, one in enumerate(held) if one.out)


def table_without(game: Game, state: State, held: Iterable[Holder]) -> State:
    """Return a table on which exactly the seats that nobody plays are left out."""
    return state if game.leaving is None else game.leaving.without(state, left_out(held))


# -- An item


def read_sitting(text: str, record: Record, seat: int) -> Sitting:
    """Return what the text of an item says of a seat. Raises InvalidMoveError for what cannot be,
    whoever plays now.
    """
    words = text.split()
    if record.secrecy == SEALED:
        raise InvalidMoveError(say("In a sealed game no line says who plays a seat."))
    if record.signed:
        return _signed(words[1:], record, seat)
    kind, rest = (words[1].lower() if words[1:] else ""), " ".join(words[2:])
    if kind == _TO and rest:
        return _to(rest, record, seat)
    if kind == _BOT and rest:
        return _to_a_bot(rest, record)
    if kind in (_OUT, _BACK) and not rest:
        return Sitting(out=kind == _OUT)
    raise InvalidMoveError(
        say(
            "{text!r} does not say who plays the seat: it goes on with 'to NAME', "
            "'bot LEVEL version NUMBER', 'out' or 'back'.",
            text=text,
        )
    )


def _signed(words: Sequence[str], record: Record, seat: int) -> Sitting:
    """Return what an item of a signed game says, in which a seat can only be left out."""
    typed, name = [word.lower() for word in words], " ".join(words[1:-1])
    if typed in ([_OUT], [_BACK]):
        return Sitting(out=typed == [_OUT])
    if len(typed) > 2 and (typed[0], typed[-1]) == (_OF, _OUT):
        for other, player in enumerate(record.config.players):
            if other != seat and " ".join(player.split()) == name:
                return Sitting(out=True, of=player)
    raise InvalidMoveError(
        say(
            "In a signed game a line about a seat goes on with 'out', 'back' or, about that of "
            "another player, 'of NAME out'."
        )
    )


def _to(name: str, record: Record, seat: int) -> Sitting:
    players, game = record.config.players, record.game
    # An item has single blanks.
    is_own = name == " ".join(players[seat].split())
    fault = name_fault(name, () if is_own else players, game.meta)
    if fault:
        raise InvalidMoveError(fault)
    if is_own and not beginning(record, seat).bot:
        return Sitting()
    return Sitting(to=name)


def _to_a_bot(text: str, record: Record) -> Sitting:
    typed, _, number = text.lower().rpartition(_VERSION)
    meta = record.game.meta
    name = level_named(text[: len(typed)], meta.bots) or text[: len(typed)]
    version = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
    if not version:
        raise InvalidMoveError(
            say(
                "After the player type {name!r} its version has to follow, like: {example}",
                name=name or text,
                example=Sitting(bot=name or text, version=meta.bots_version).text(),
            )
        )
    fault = bot_fault(name, record)
    if fault:
        raise InvalidMoveError(fault)
    return Sitting(bot=name, version=version)


def bot_fault(name: str, record: Record) -> Sentence | None:
    """Return why a bot cannot play on in a game, if it cannot."""
    if record.secrecy != OPEN:
        return say(
            "A bot can take a seat only in a game with 'secrecy: open' whose turns are not signed: "
            "it can neither type in what comes up nor sign."
        )
    meta = record.game.meta
    if not is_a_bot(name, meta):
        return say(
            "There is no player type {name!r} of {game}; there are {names}.",
            name=name,
            game=meta.title,
            names=", ".join(meta.bots),
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
) -> tuple[Declaration, State] | Sentence:
    """Return what item ``number`` of a seat says, and the table after it; or why it cannot be said
    now.
    """
    players, held = record.config.players, holders(record, declarations)
    whose = players.index(what.of) if what.of else seat
    if state.phase == OVER:
        return say("The game is over: nobody can take or leave a seat.")
    if what.of and held[whose].out:
        return say("{player} has left already.", player=what.of)
    if what.of and undecided(whose, record, steps, declarations) - {seat}:
        fault = None if record.game.leaving else sitting_fault(what, record, whose, state, held)
        effect = -1
    else:
        fault, effect = sitting_fault(what, record, whose, state, held), whose
    if fault:
        return fault
    entries = ((players[seat], what.text()),)
    one = Declaration(number, seat, len(steps), entries, what, state.turn, effect)
    return one, table_without(record.game, state, holders(record, (*declarations, one)))


def undecided(
    whose: int, record: Record, steps: Sequence[Step], declarations: Sequence[Declaration]
) -> set[int]:
    """Return the seats that have still to say that one of them is left out: all others that play.

    What was said before the last item of its player does not count any more.
    """
    items = [one.item for one in steps if one.seat == whose]
    last = max(items + [one.item for one in declarations if one.seat == whose], default=-1)
    of = record.config.players[whose]
    said = {one.seat for one in declarations if one.sits and one.what.of == of and one.item > last}
    playing = (seat for seat, one in enumerate(holders(record, declarations)) if not one.out)
    return {*playing} - said - {whose}


def sitting_fault(
    what: Sitting, record: Record, seat: int, state: State, held: Sequence[Holder]
) -> Sentence | None:
    """Return why a seat cannot change hands like that now, ``held`` being who plays; ``None`` if it
    can.
    """
    players = record.config.players
    new = _after(record, seat, what)
    others = [one for nth, one in enumerate(held) if nth != seat]
    if what.to:
        fault = name_fault(what.to, [one.name for one in others], record.game.meta)
        if fault:
            return fault
    if not any(not one.bot and not one.out for one in (*others, new)):
        return say("Nobody but programs would play; at least one has to be a person.")
    if held[seat].out == new.out:
        return None
    game = record.game
    facts = {"game": game.meta.title, "player": players[seat], "fewest": FEWEST}
    if game.leaving is None:
        return say(_CANNOT_BEAR_IT[record.signed], **facts)
    if new.out and sum(not one.out for one in others) < FEWEST:
        return say(_TOO_FEW[record.signed], **facts)
    return game.leaving.fault(state, seat) if new.out else None


_CANNOT_BEAR_IT = {
    False: "{game} cannot be played on without {player}. Somebody else can play the seat (--to "
    "NAME), or the program (--bot LEVEL).",
    True: "{game} cannot be played on without {player}.",
}
_TOO_FEW = {
    False: "Without {player} fewer than {fewest} players would be left. Somebody else can play "
    "the seat (--to NAME), or the program (--bot LEVEL).",
    True: "Without {player} fewer than {fewest} players would be left.",
}
"""Both for games that are not signed, and that are."""


# -- In words


def in_a_sentence(record: Record, declarations: Iterable[Declaration], seat: int) -> Sentence:
    """Say who plays a seat now."""
    return plays(record.config.players[seat], holders(record, declarations)[seat])


def plays(player: str, one: Holder) -> Sentence:
    """Say who plays the seat of a player."""
    facts = {"player": player, "other": one.name, "level": in_words(one.bot)}
    if one.out:
        return say("{player} has left; the game goes on without {player}.", **facts)
    if one.bot:
        return say("A bot ({level}) plays for {player}.", **facts)
    if one.name == player:
        return say("{player} plays.", **facts)
    return say("{other} plays for {player}.", **facts)


def who_sits(record: Record, declarations: Iterable[Declaration]) -> dict[str, Sentence]:
    """Say of each seat that is not played as at the beginning who plays it, by its player."""
    return {
        player: _since(player, one)
        for seat, (player, one) in enumerate(
            zip(record.config.players, holders(record, declarations), strict=True)
        )
        if one._replace(turn=0) != beginning(record, seat)
    }


def _since(player: str, one: Holder) -> Sentence:
    facts = {"player": player, "other": one.name, "level": in_words(one.bot), "turn": one.turn + 1}
    if one.out:
        return say("{player} has left the game at turn {turn}.", **facts)
    if one.bot:
        return say("{player}: played by a bot ({level}) since turn {turn}.", **facts)
    return say("{player}: played by {other} since turn {turn}.", **facts)


def not_agreed(
    record: Record, steps: Sequence[Step], declarations: Sequence[Declaration], path: str
) -> dict[int, Sentence]:
    """Say of each seat that some want to leave out who has still to say so, by the seats."""
    players, found = record.config.players, dict[int, Sentence]()
    held = holders(record, declarations)
    for whose in sorted({players.index(one.what.of) for one in declarations if _is_about(one)}):
        waiting = undecided(whose, record, steps, declarations)
        if held[whose].out or len(waiting) == sum(not one.out for one in held) - 1:
            continue
        found[whose] = say(
            "The game goes on without {player} when these players have said so, too: {others}. To "
            "do that: {command}",
            player=players[whose],
            others=", ".join(players[one] for one in sorted(waiting)),
            command=f"porto {WORD} {path} {quoted(players[whose])} --out",
        )
    return found


def _is_about(one: Declaration) -> bool:
    return one.sits and bool(one.what.of)


def with_sittings(
    steps: Sequence[Step], record: Record, declarations: Iterable[Declaration]
) -> tuple[Step, ...]:
    """Return steps that say which seats have changed hands after them."""
    news: dict[int, list[Sentence]] = {}
    held = holders(record, ())
    for one in declarations:
        if one.sits:
            sentence = _said(record.config.players[one.seat], one.what.of)
            if one.whose >= 0:
                new = _after(record, one.whose, one.what)
                sentence = _news(record.config.players[one.whose], held[one.whose], new)
                held = (*held[: one.whose], new, *held[one.whose + 1 :])
            news.setdefault(max(one.place - 1, 0), []).append(sentence)
    return tuple(
        step._replace(said=(*step.said, *news.get(place, ()))) for place, step in enumerate(steps)
    )


def _said(player: str, other: str) -> Sentence:
    return say("{player} wants to go on without {other}.", player=player, other=other)


def _news(player: str, old: Holder, new: Holder) -> Sentence:
    facts = {"player": player, "other": new.name, "level": in_words(new.bot)}
    if new.out:
        return say("{player} leaves; the game goes on without {player}.", **facts)
    if new.bot:
        return say("A bot ({level}) plays on for {player}.", **facts)
    if new.name == player and not old.bot:
        return say("{player} is back.", **facts)
    if new.name == player:
        return say("{player} plays on in place of the bot.", **facts)
    return say("{other} plays on for {player}.", **facts)
