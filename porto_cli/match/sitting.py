"""Who plays a seat after somebody has left: another person, the program or nobody; or who has come
back.

An item of the record says it. The seat keeps its name, so that nothing else in the record changes:

    - Rui: seat to Bea
    - Rui: seat bot level-3 version 1
    - Rui: seat out
    - Rui: seat back

In a signed game each of them is a signed step, and who takes a seat is named with the key that
signs for it from the next step on. It is said by who has the key of the seat, or by all others:

    - Rui: seat to Bea porto1…
    - Ana: seat of Rui out

It changes nothing on the table, but that the turns of a seat that is out are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from porto_cli.core.characters import option, quoted
from porto_cli.core.message import InvalidMoveError, Sentence, say
from porto_cli.game import OVER, Game, State, Step
from porto_cli.match.declarations import SEAT, Declaration, begins_with, held_at
from porto_cli.match.record import OPEN, SEALED, Record
from porto_cli.match.seats import Bots, in_words, is_a_bot, level_named, name_fault, shortest

WORD = SEAT.strip()
_TO, _BOT, _OUT, _BACK, _OF, _VERSION = "to", "bot", "out", "back", "of", " version "
FEWEST = 2
"""Seats that have to stay when one is left out: with fewer there is nobody to play against. So many
others have to agree before they give a seat of a signed game to somebody else: one alone would play
against themselves.
"""


class Sitting(NamedTuple):
    """What an item says: that a person, a bot or nobody plays a seat from here on; without any of
    them it is as at the beginning.

    ``to``       the name of the person
    ``bot``      the player type, of ``version``
    ``of``       the player whose seat it is, if another one says it
    ``key``      in a signed game, the public key of the person, as text
    """

    to: str = ""
    bot: str = ""
    version: int = 0
    out: bool = False
    of: str = ""
    key: str = ""

    def text(self) -> str:
        """Return it in canonical form, with the word ``seat``."""
        about = f"{SEAT}{_OF} {self.of} " if self.of else SEAT
        if self.to:
            return f"{about}{_TO} {self.to} {self.key}".rstrip()
        if self.bot:
            return f"{about}{_BOT} {self.bot}{_VERSION}{self.version}"
        return f"{about}{_OUT if self.out else _BACK}"


class Holder(NamedTuple):
    """Who plays a seat: a person called ``name``, or with that name a bot, or nobody.

    ``turn``  how many turns were over when that began, 0 from the start
    ``key``   the public key of who took the seat in a signed game, as text
    """

    name: str
    bot: str = ""
    version: int = 0
    out: bool = False
    turn: int = 0
    key: str = ""


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
    return Holder(what.to, key=what.key) if what.to else beginning(record, seat)


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
        raise InvalidMoveError(say("In a sealed game no line says who plays a seat."))
    if record.signed:
        players = record.config.players
        what = read_signed(text, players[seat], players)
        return _to(what, record, players.index(what.of or players[seat])) if what.to else what
    kind, rest = (words[1].lower() if words[1:] else ""), " ".join(words[2:])
    if kind == _TO and rest:
        return _to(Sitting(to=rest), record, seat)
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


def read_signed(text: str, player: str, players: Sequence[str]) -> Sitting:
    """Return what an item of a player says in a signed game. Raises InvalidMoveError.

    Names can contain what stands between them: an item that can be read in two ways says nothing.
    """
    found = {one for of, words in _about(text, player, players) if (one := _form(of, words))}
    if len(found) == 1:
        return found.pop()
    raise InvalidMoveError(
        say(
            "In a signed game a line about a seat goes on with 'out', 'back' or 'to NAME KEY', or, "
            "about that of another player, with 'of NAME out' or 'of NAME to NAME KEY'."
        )
    )


def _about(text: str, player: str, players: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Return whose seat an item may be about, by the players, and the words after that."""
    words = text.split()[1:]
    yield "", words
    rest = " ".join(words[1:])
    for other in players if words[:1] and words[0].lower() == _OF else ():
        # An item has single blanks.
        name = " ".join(other.split()) + " "
        if other != player and rest.startswith(name):
            yield other, rest[len(name) :].split()


def _form(of: str, words: Sequence[str]) -> Sitting | None:
    typed = [word.lower() for word in words]
    if typed == [_OUT] or (typed == [_BACK] and not of):
        return Sitting(out=typed == [_OUT], of=of)
    if len(typed) > 2 and typed[0] == _TO and (key := canonical_key(words[-1])):
        return Sitting(to=" ".join(words[1:-1]), of=of, key=key)
    return None


def canonical_key(text: str) -> str:
    """Return a public key as it is written; empty if it is none."""
    from porto_cli.crypto import IdentityError
    from porto_cli.crypto.identity import public_from_text, public_text

    try:
        return public_text(public_from_text(text))
    except IdentityError:
        return ""


def _to(what: Sitting, record: Record, seat: int) -> Sitting:
    players = record.config.players
    is_own = what.to == " ".join(players[seat].split())
    fault = _name_fault(what.to, () if is_own else players, record)
    if fault:
        raise InvalidMoveError(fault)
    if is_own and not what.key and not beginning(record, seat).bot:
        return Sitting()
    return what


def _name_fault(name: str, others: Iterable[str], record: Record) -> Sentence | None:
    """Return why nobody of a name can take a seat beside others, if so."""
    meta = record.game.meta
    fault = name_fault(name, (), meta)
    if fault is None and name_fault(name, others, meta):
        return say(
            "{name} has a seat in this game already, and nobody can play two; name somebody else.",
            name=name,
        )
    return fault


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
    if fault and name not in meta.former_bots:
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
            names=", ".join(map(shortest, meta.bots)),
        )
    return None


class Agreements:
    """Whose seats change hands in a signed game, item by item.

    ``said`` is what others say of a player who has done nothing since, by that player and by them;
    they play their seats still.
    """

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.out: set[str] = set()
        self.said: dict[str, dict[str, Sitting]] = {}

    def note(self, player: str, text: str) -> tuple[str, Sitting] | None:
        """Note the next item; return whose seat changes hands by it, and how.

        Raises InvalidMoveError for an item about a seat that says nothing.
        """
        self.said.pop(player, None)
        if not begins_with(text, SEAT):
            return None
        what = read_signed(text, player, self.players)
        if what.of:
            self.said.setdefault(what.of, {})[player] = what
            if self.waiting(what):
                return None
            del self.said[what.of]
        whose = what.of or player
        for said in self.said.values():
            said.pop(whose, None)
        self.out = self.out | {whose} if what.out else self.out - {whose}
        return whose, what

    def waiting(self, what: Sitting) -> list[str]:
        """Return who has still to say something of a player: all others that play."""
        said = self.said.get(what.of, {})
        return [
            one
            for one in self.players
            if one != what.of and one not in self.out and said.get(one) != what
        ]


def agreements_in(record: Record) -> Agreements:
    """Return what the items of a signed record say of its seats."""
    agreements = Agreements(record.config.players)
    for item in record.items:
        agreements.note(*item.entries[0])
    return agreements


def declared(
    what: Sitting,
    record: Record,
    number: int,
    seat: int,
    state: State,
    steps: Sequence[Step],
    declarations: Sequence[Declaration],
    *,
    is_agreed: bool,
) -> tuple[Declaration, State] | Sentence:
    """Return what item ``number`` of a seat says, and the table after it; or why it cannot be said
    now. Without ``is_agreed`` others have still to say it before it counts.
    """
    players = record.config.players
    if state.phase == OVER:
        return say("The game is over: nobody can take or leave a seat.")
    whose, held = players.index(what.of) if what.of else seat, holders(record, declarations)
    if is_agreed or what.to or record.game.leaving is None:
        fault = sitting_fault(what, record, whose, state, held)
        if fault:
            return fault
    if is_agreed:
        new = _after(record, whose, what)._replace(turn=state.turn)
        held = (*held[:whose], new, *held[whose + 1 :])
    entries, effect = ((players[seat], what.text()),), whose if is_agreed else -1
    one = Declaration(number, seat, len(steps), entries, what, state.turn, effect, held)
    return one, table_without(record.game, state, held)


def sitting_fault(
    what: Sitting, record: Record, seat: int, state: State, held: Sequence[Holder]
) -> Sentence | None:
    """Return why a seat cannot change hands like that now, ``held`` being who plays; ``None`` if it
    can.
    """
    new, game = _after(record, seat, what), record.game
    others = [one for nth, one in enumerate(held) if nth != seat]
    playing = sum(not one.out for one in others)
    facts = {"game": game.meta.title, "player": record.config.players[seat], "fewest": FEWEST}
    if what.to:
        fault = _name_fault(what.to, [one.name for one in others], record)
        if fault:
            return fault
        if what.of and playing < FEWEST:
            return say(
                "Only {player} can hand over that seat: for others to do it, {fewest} of them have "
                "to agree.",
                **facts,
            )
    if not any(not one.bot and not one.out for one in (*others, new)):
        return say("Nobody but programs would play; at least one has to be a person.")
    if held[seat].out == new.out:
        return say("{player} has left already.", **facts) if what.of and new.out else None
    if game.leaving is None:
        return say(_CANNOT_BEAR_IT[record.signed], **facts)
    if new.out and playing < FEWEST:
        return say(_TOO_FEW[record.signed], **facts)
    return game.leaving.fault(state, seat) if new.out else None


_CANNOT_BEAR_IT = {
    False: "{game} cannot be played on without {player}. Somebody else can play the seat (--to "
    "NAME), or the program (--bot LEVEL).",
    True: "{game} cannot be played on without {player}. Somebody else can play the seat (--to NAME "
    "--key KEY).",
}
_TOO_FEW = {
    False: "Without {player} fewer than {fewest} players would be left. Somebody else can play "
    "the seat (--to NAME), or the program (--bot LEVEL).",
    True: "Without {player} fewer than {fewest} players would be left. {player} can let somebody "
    "else play the seat (--to NAME --key KEY).",
}
"""Both for games that are not signed, and that are."""


# -- In words


_NOW = {
    _OUT: "{player} has left; the game goes on without {player}.",
    _BOT: "A bot ({level}) plays for {player}.",
    _TO: "{other} plays for {player}.",
    _BACK: "{player} plays.",
}
_SINCE = {
    _OUT: "{player} has left the game at turn {turn}.",
    _BOT: "{player}: played by a bot ({level}) since turn {turn}.",
    _TO: "{player}: played by {other} since turn {turn}.",
    _BACK: "{player}: played by {other} since turn {turn}.",
}
_NEWS = {
    _OUT: "{player} leaves; the game goes on without {player}.",
    _BOT: "A bot ({level}) plays on for {player}.",
    _TO: "{other} plays on for {player}.",
    _BACK: "{player} is back.",
}


def _in_words(templates: Mapping[str, str], player: str, one: Holder) -> Sentence:
    as_ever = _BACK if one.name == player else _TO
    return say(
        templates[_OUT if one.out else _BOT if one.bot else as_ever],
        player=player,
        other=one.name,
        level=in_words(one.bot),
        turn=one.turn + 1,
    )


def plays(player: str, one: Holder) -> Sentence:
    """Say who plays the seat of a player."""
    return _in_words(_NOW, player, one)


def in_a_sentence(record: Record, declarations: Sequence[Declaration], seat: int) -> Sentence:
    """Say who plays a seat now."""
    return plays(record.config.players[seat], holders(record, declarations)[seat])


def who_sits(record: Record, declarations: Sequence[Declaration]) -> dict[str, Sentence]:
    """Say of each seat that is not played as at the beginning who plays it, by its player."""
    held = zip(record.config.players, holders(record, declarations), strict=True)
    return {
        player: _in_words(_SINCE, player, one)
        for seat, (player, one) in enumerate(held)
        if one._replace(turn=0, key="") != beginning(record, seat)
    }


def not_agreed(
    record: Record, declarations: Sequence[Declaration], path: str
) -> dict[str, list[Sentence]]:
    """Say what some say of another one's seat, and who has still to say so, by its player."""
    if not record.signed:
        return {}
    agreements, held = agreements_in(record), holders(record, declarations)
    names = dict(zip(record.config.players, (one.name for one in held), strict=True))
    return {
        of: [
            say(
                _OTHERS_TO[bool(what.to)],
                player=of,
                new=what.to,
                # Who had still to say it may have left.
                others=", ".join(names[one] for one in agreements.waiting(what) or said),
                command=" ".join([f"porto {WORD} {path} {quoted(of)}", *options(what)]),
            )
            for what in dict.fromkeys(said.values())
        ]
        for of, said in agreements.said.items()
    }


_OTHERS_TO = {
    False: "The game goes on without {player} when these players have said so, too: {others}. To "
    "do that: {command}",
    True: "{new} plays on for {player} when these players have said so, too: {others}. To do that, "
    "once you know that the key is that of {new}: {command}",
}
"""To leave a seat out, and to give it to somebody else."""


def options(what: Sitting) -> list[str]:
    """Return the options with which a player of a signed game says something of a seat."""
    return [option("--to", what.to), option("--key", what.key)] if what.to else [f"--{_OUT}"]


def with_sittings(
    steps: Sequence[Step], record: Record, declarations: Sequence[Declaration]
) -> tuple[Step, ...]:
    """Return steps that say which seats have changed hands after them."""
    news: dict[int, list[Sentence]] = {}
    players, held = record.config.players, holders(record, ())
    for one in (one for one in declarations if one.sits):
        if one.whose < 0:
            facts = {"player": held[one.seat].name, "new": one.what.to, "other": one.what.of}
            sentence = say(_WISH[bool(one.what.to)], **facts)
        else:
            player, new = players[one.whose], one.held[one.whose]
            sentence = _in_words(_NEWS, player, new)
            if held[one.whose].bot and new.name == player and not (new.bot or new.out):
                sentence = say("{player} plays on in place of the bot.", player=player)
        held = one.held
        news.setdefault(max(one.place - 1, 0), []).append(sentence)
    return tuple(
        step._replace(said=(*step.said, *news.get(place, ()))) for place, step in enumerate(steps)
    )


_WISH = {
    False: "{player} wants to go on without {other}.",
    True: "{player} wants {new} to play on for {other}.",
}
"""As above."""
