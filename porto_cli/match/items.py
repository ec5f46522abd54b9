"""The items of a record, played: moves, undos, declarations (orders, and who plays a seat), and the
result.

There is one way to make a decision, :func:`with_decision`. Replaying a record makes the decisions
of each item and compares the resulting entries with those of the item; playing makes them and
writes the entries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import NamedTuple

from porto_cli.core import (
    InvalidMoveError,
    RefusedError,
    Violation,
    cited,
    refuse,
)
from porto_cli.core.chance import Noted, sha256
from porto_cli.core.yaml import InvalidFileError, Place, scalar
from porto_cli.games import Game
from porto_cli.match import FINGERPRINT, RESULT, name_fault
from porto_cli.match.record import OPEN, SEALED, Entries, Record, header_lines
from porto_cli.match.seats import Holder, is_a_bot, level_named, shortest
from porto_cli.seam import OVER, UNDO, Event, Move, State, Step, at

R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""
LONG, SHORT = 64, 8
"""Hexadecimal digits of a digest, and of a fingerprint, which is its beginning."""


class IllegalMoveError(RefusedError):
    """A move that breaks rules."""

    @property
    def violations(self) -> list[Violation]:
        """The rules that it breaks, each once."""
        return [*self.rulings]


def demand_legal(violations: list[Violation]) -> None:
    """Raise IllegalMoveError if a move breaks rules."""
    if violations:
        raise IllegalMoveError(violations)


# -- Decisions

Apply = Callable[[State, Move, int], tuple[State, Sequence[Event]]]
"""Makes a legal move of a seat: returns the table after it, and what happened."""


def begun(number: int, seat: int, state: State) -> Step:
    """Return item ``number``, of a seat, before its first decision."""
    return Step(number, seat, state, state, (), (), ())


def with_decision(game: Game, step: Step, entry: tuple[str, str], move: Move, apply: Apply) -> Step:
    """Return an item with one more decision, which has to be legal: its ``entry``, and the entries
    of what came up.
    """
    after, events = apply(step.after, move, step.seat)
    return step._replace(
        after=after,
        moves=(*step.moves, move),
        events=(*step.events, *events),
        entries=(*step.entries, entry, *game.chance_entries(step.after, events)),
    )


def read_decision(
    game: Game, state: State, seat: int, entry: tuple[str, str], *, later: bool
) -> tuple[Move, str]:
    """Return the legal move of an entry, and its canonical text.

    The first entry of an item begins with a verb, which ``later`` ones leave out. Raises
    InvalidMoveError, IllegalMoveError.
    """
    key, text = entry
    verb = ""
    if later:
        follow_up = game.follow_up(state)
        if follow_up is None or key != follow_up[0] or seat != state.seat:
            raise InvalidMoveError(f"The turn cannot continue with {cited(key)} here.")
        verb = f"{follow_up[1]} "
        if not text.lower().startswith(follow_up[1]):
            text = verb + text
    move, canonical, violations = game.read_move(text, state, seat)
    demand_legal(violations)
    return move, canonical.removeprefix(verb)


def made(
    game: Game,
    step: Step,
    rest: list[Move],
    player: str,
    apply: Apply,
    text_of: Callable[[Move, State], str],
) -> Step:
    """Return an item with the first of a player's moves added, as many as belong to it, and remove
    them from ``rest``. Raises IllegalMoveError, and what ``apply`` raises.
    """
    count = len(step.moves)
    while rest and (len(step.moves) == count or game.continues(step.after, rest[0], step.seat)):
        move, state = rest[0], step.after
        key, verb = (step.moves and game.follow_up(state)) or (player, "")
        demand_legal(game.violations(state, move, step.seat))
        text = text_of(move, state)
        step = with_decision(game, step, (key, text.removeprefix(f"{verb} ")), move, apply)
        rest.pop(0)
    return step


class Preview(NamedTuple):
    """What moves would lead to.

    ``events``     what would happen, without what nobody at the table can foresee
    ``phase``      the phase afterward; ``None`` if it depends on something unknown
    ``to_move``    the players who would be to move; ``None`` likewise
    ``certain``    nothing would come up, so only secrets are left out
    """

    events: tuple[Event, ...]
    phase: str | None
    to_move: tuple[str, ...] | None
    certain: bool


def preview(game: Game, state: State, moves: Iterable[Move], seat: int) -> Preview:
    """Return what moves of a seat would lead to, as far as everybody at the table can know it.

    Raises IllegalMoveError for an illegal move, and for one that comes after something unknown.
    """
    chance, events = Noted(), list[Event]()
    unknown: Violation | None = None
    for move in moves:
        demand_legal([unknown] if unknown else game.violations(state, move, seat))
        state, happened = game.apply(state, move, chance, seat)
        for event in happened:
            unknown = unknown or game.stops_foresight(event)
            if not unknown and not game.is_hidden(event):
                events.append(event)
    players = state.config.players
    return Preview(
        tuple(events),
        phase=None if unknown else state.phase,
        to_move=None if unknown else tuple(players[other] for other in game.to_move(state)),
        certain=not chance.counts,
    )


# -- Items other than turns: orders, and who plays a seat
#
# A player may leave, after which another person, a bot or nobody plays the seat, and may come
# back. The seat keeps its name, so nothing else in the record changes:
#
#     - Rui: seat to Bea
#     - Rui: seat bot level-3 version 1
#     - Rui: seat out
#     - Rui: seat back
#
# The only change on the table is that the turns of a seat that is out are skipped. What orders
# say and do is in ``porto_cli.match.orders``.

ORDERING, SEAT = "order ", "seat "
"""The beginnings of the texts of an order, and of an item about who plays a seat."""
WORD = SEAT.strip()
FEWEST = 2
"""Seats that have to stay when one is left out: with fewer there is nobody to play against."""


class Instruction(NamedTuple):
    """A choice of an order: a move or a policy, possibly on condition that another player has made
    a move since the order was given.
    """

    move: str
    seat: int = -1
    """The seat that has to have moved; -1 without a condition."""
    words: tuple[str, ...] = ()
    """The words that its move has to contain."""
    condition: str = ""
    """The condition as written in an order."""

    @property
    def text(self) -> str:
        """The choice as written in an order."""
        return f"{self.move} if {self.condition}" if self.condition else self.move


class Order(NamedTuple):
    """What one item orders. Without choices it takes back the order of its kind; without a kind all
    orders of its player.
    """

    text: str
    """The order in canonical form, without the word ``order``."""
    kind: str = ""
    choices: tuple[Instruction, ...] = ()
    always: bool = False
    unknown: bool = False
    """It is in the words of another version: it replaces earlier orders and does nothing."""
    then: Order | None = None
    """The order that takes over once one of the choices has been made."""

    @property
    def parts(self) -> tuple[Order, ...]:
        """The order itself, and those that follow it by ``then``."""
        return (self, *(self.then.parts if self.then else ()))

    @property
    def kinds(self) -> set[str]:
        """The kinds of decisions that the order and its later parts are for."""
        return {part.kind for part in self.parts}


class Declaration(NamedTuple):
    """An item other than a turn: an order of a player, or who plays a seat from here on.

    ``item``   its index in ``record.items``
    ``place``  how many steps come before it
    ``seats``  who plays each seat after it
    ``order``  what is ordered; ``None`` if it says who plays the seat
    """

    item: int
    seat: int
    place: int
    entries: Entries
    seats: tuple[Holder, ...]
    order: Order | None = None


Written = Step | Declaration
"""Any item of a record except its result."""


def begins_with(text: str, word: str) -> bool:
    """Return whether the text of an item begins with a word such as ``SEAT``, ignoring case."""
    return text[: len(word)].lower() == word


def seats_at(
    record: Record, declarations: Sequence[Declaration], place: int | None = None
) -> tuple[Holder, ...]:
    """Return who plays each seat before the step at a place, by default now.

    This is asked at every step, so each declaration has the answer.
    """
    last = len(declarations)
    if place is not None:
        last = bisect_right(declarations, place, key=attrgetter("place"))
    return declarations[last - 1].seats if last else record.seats


def table_without(record: Record, state: State, declarations: Sequence[Declaration]) -> State:
    """Return a table without exactly those seats that nobody plays after these declarations."""
    leaving = record.game.leaving
    if leaving is None or not declarations:
        return state
    seats = seats_at(record, declarations)
    return leaving.without(state, frozenset(seat for seat, one in enumerate(seats) if one.out))


def in_order(steps: Sequence[Step], declarations: Sequence[Declaration]) -> Sequence[Written]:
    """Return steps and declarations in the order of the record, as far as the steps go."""
    if not declarations:
        return steps
    known = (one for one in declarations if one.place <= len(steps))
    return sorted((*steps, *known), key=lambda one: one.item)


def read_seat(text: str, record: Record, seat: int) -> tuple[str, Holder]:
    """Return the canonical text of an item about a seat, and who plays the seat after it.

    Raises InvalidMoveError for a text that is never valid, whoever plays now.
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
        f"{cited(text)} does not say who plays the seat: 'seat' is followed by 'to NAME', 'bot "
        "LEVEL version NUMBER', 'out' or 'back'."
    )


def _name_fault(name: str, others: Iterable[str], record: Record) -> str | None:
    """Return why nobody with this name can take a seat beside others; ``None`` if they can."""
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
            f"Name a version after the player type {cited(name)}, like: {SEAT}bot {name} version "
            f"{meta.bots_version}"
        )
    fault = bot_fault(name, record)
    if fault and name not in meta.former_bots:
        raise InvalidMoveError(fault)
    return name, int(found[2])


def bot_fault(name: str, record: Record) -> str | None:
    """Return why a bot cannot take a seat in a game; ``None`` if it can."""
    if record.secrecy != OPEN:
        return (
            "A bot can take a seat only in a game with 'secrecy: open': it cannot enter what comes "
            "up."
        )
    meta = record.game.meta
    if not is_a_bot(name, meta):
        return (
            f"There is no player type {cited(name)} of {meta.title}; there are "
            f"{', '.join(map(shortest, meta.bots))}."
        )
    return None


def declared(
    past: Past, number: int, seat: int, text: str, state: State
) -> tuple[Declaration, State]:
    """Return the declaration of a seat that comes next, as item ``number``, and the table after it.

    Raises InvalidMoveError for a text that is never valid, RefusedError for one that is not valid
    now.
    """
    record, seats = past.record, past.seats_at()
    new: Holder | None = None
    order: Order | None = None
    if begins_with(text, ORDERING):
        # Only games with orders load the module that reads them, which imports this one.
        order = at("porto_cli.match.orders:recorded_order")(
            text[len(ORDERING) :], record.game, record.config
        )
        text = ORDERING + order.text
    else:
        text, new = read_seat(text, record, seat)
    if state.phase == OVER:
        refuse("The game is over: nothing can be ordered, and nobody can take or leave a seat.")
    if new is not None:
        fault = _fault(new, record, seat, state, seats)
        if fault:
            refuse(fault)
        seats = (*seats[:seat], new._replace(turn=state.turn), *seats[seat + 1 :])
    entries = ((record.config.players[seat], text),)
    declaration = Declaration(number, seat, len(past.steps), entries, seats, order)
    return declaration, table_without(record, state, [declaration])


def _fault(
    new: Holder, record: Record, seat: int, state: State, held: Sequence[Holder]
) -> str | None:
    """Return why a seat cannot go to a new holder now, ``held`` being those of all seats; ``None``
    if it can.
    """
    game, player = record.game, record.config.players[seat]
    others = [holder for other, holder in enumerate(held) if other != seat]
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


# -- Taking back (R-UNDO)


def stands(step: Step) -> bool:
    """Return whether a step is a move that was not taken back."""
    return not step.undone and step.takes_back is None


def standing(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without those taken back, and without the undos."""
    return [step for step in steps if stands(step)]


class Past:
    """The steps so far, for taking back: which moves stand, and which of them people made.

    ``steps`` and ``declared`` may grow. Each step is looked at once, when something is asked, so a
    game with many undos is not searched again at each of them.
    """

    def __init__(
        self, record: Record, steps: list[Step], declared: Sequence[Declaration] = ()
    ) -> None:
        self.record, self.steps, self._declared = record, steps, declared
        self._seen = 0
        self._standing: list[int] = []
        """The places of the moves that were not taken back."""
        self._by_people: list[int] = []
        """Those among them that people made."""
        self._of_people: list[int] = []

    @property
    def of_people(self) -> Sequence[int]:
        """The places of all steps that people made, taken back or not. An undo counts as made by
        the player whose move it takes back.
        """
        self._catch_up()
        return self._of_people

    @property
    def standing_of_people(self) -> Sequence[int]:
        """The places of the moves of people that were not taken back."""
        self._catch_up()
        return self._by_people

    @property
    def last(self) -> int:
        """The place of the last move that was not taken back, or -1."""
        self._catch_up()
        return _last(self._standing)

    def _catch_up(self) -> None:
        for place in range(self._seen, len(self.steps)):
            step = self.steps[place]
            made = place if step.takes_back is None else step.takes_back
            is_of_a_person = not self.seats_at(made)[step.seat].bot
            self._of_people += [place] * is_of_a_person
            if step.takes_back is None:
                self._standing.append(place)
                self._by_people += [place] * is_of_a_person
            else:
                self._standing.pop()
                if made == _last(self._by_people):
                    self._by_people.pop()
        self._seen = len(self.steps)

    def seats_at(self, place: int | None = None) -> tuple[Holder, ...]:
        """Return who plays the seats now, or played them at the step with this index."""
        return seats_at(self.record, self._declared, place)

    def take_back(self, number: int, seat: int) -> Step:
        """Mark the last move that stands as undone; append the undo, which has to be legal, as item
        ``number`` and return it.

        Seats that were left out since then stay out on the earlier table.
        """
        place, steps = self.last, self.steps
        taken = steps[place]
        steps[place] = taken._replace(undone=True)
        entries = ((self.record.config.players[seat], UNDO),)
        after = table_without(self.record, taken.before, self._declared)
        undo = Step(number, seat, steps[-1].after, after, (), (), entries, takes_back=place)
        steps.append(undo)
        return undo

    def check(self, seat: int) -> list[Violation]:
        """Return why this seat cannot undo now; nothing if it can.

        People take back their own last turn together with the bots' turns after it. In the record
        each turn is taken back by an item of its own, the last turn first.
        """
        last = self.last
        if last < 0:
            return _forbidden("There is no turn to take back.")
        person, owner = seat, self.steps[last].seat
        at = (None, last) if owner == seat else (None,)
        if any(self.seats_at(one)[seat].bot for one in at):
            person = self.steps[self._of_people[-1]].seat if self._of_people else seat
        broken = self._check_person(person)
        if broken or owner == seat:
            return broken
        player = self.record.config.players[owner]
        return _forbidden(f"The later turn of {player} has to be taken back first.")

    def check_whole(self, seat: int) -> list[Violation]:
        """Return why a player cannot take back a turn together with the bots' turns after it;
        nothing if they can.
        """
        if self.last < 0:
            return _forbidden("There is no turn to take back.")
        if self.seats_at()[seat].bot:
            return _forbidden(
                f"{self.record.config.players[seat]} is a bot: its turns are taken back together "
                "with the player's turn before them."
            )
        return self._check_person(seat)

    def _check_person(self, seat: int) -> list[Violation]:
        """Return why a person cannot take back a turn, regardless of the bots' turns since."""
        players = self.record.config.players
        place = _last(self._by_people)
        if place < 0:
            return _forbidden("There is no turn of a person to take back.")
        mover, owner = self.steps[self._of_people[-1]].seat, self.steps[place].seat
        if owner != mover:
            return _forbidden(
                f"{players[mover]}'s turn has already been taken back. The one before it is "
                f"{players[owner]}'s: only {players[owner]} could take it back, and only until "
                f"{players[mover]} moved."
            )
        if owner == seat and self.seats_at(place)[seat] != self.seats_at()[seat]:
            return _forbidden(
                f"The last turn of {players[seat]} cannot be taken back: since then the seat has "
                "changed hands."
            )
        if owner == seat:
            return []
        who = "person" if any(one.bot for one in self.seats_at()) else "player"
        return _forbidden(
            f"A turn can be taken back only by the {who} who moved last, and only until somebody "
            f"else moves; the last to move was {players[mover]}."
        )


def _last(places: Sequence[int]) -> int:
    return places[-1] if places else -1


def _forbidden(why: str) -> list[Violation]:
    return [Violation(R_UNDO, why)]


# -- Digests, and the result of a finished game


class Digester:
    """Computes digests of a growing record; each step is read once, however many digests."""

    def __init__(self, record: Record) -> None:
        self._hash = sha256("\n".join(header_lines(record)).encode())
        self._lead = {key: f"\n  {key}: " for key in record.game.meta.item_keys}
        self._lead |= {player: f"\n- {scalar(player)}: " for player in record.config.players}
        self._read = 0

    def digest(self, steps: Sequence[Written]) -> str:
        """Return the digest after these items, which have to begin with those of the last call."""
        self._add(steps[self._read :])
        self._read = len(steps)
        return self._hash.hexdigest()

    def digests(self, steps: Sequence[Written]) -> Iterator[str]:
        """Yield the digest before the first item, and after each one."""
        yield self._hash.hexdigest()
        for step in steps:
            self._add([step])
            yield self._hash.hexdigest()

    def _add(self, steps: Iterable[Written]) -> None:
        lines = [self._lead[key] + text for step in steps for key, text in step.entries]
        self._hash.update("".join(lines).encode())


def result_entries(
    record: Record, over: State, written: Sequence[Written], digester: Digester | None = None
) -> Entries:
    """Return the entries of the item that ends a finished game.

    Its fingerprint covers everything before it, so a later accidental change is noticed even where
    no seed contradicts it.
    """
    digest = (digester or Digester(record)).digest(written)
    return (*record.game.result_entries(over), (FINGERPRINT, digest[:SHORT]))


def check_result(
    record: Record,
    number: int,
    state: State,
    written: Sequence[Written],
    digester: Digester,
    *,
    due: bool,
) -> None:
    """Require that item ``number`` is the result of the game; ``due`` says that the game is over.

    ``written`` are all items before it, which lead to ``state``. Raises InvalidFileError without
    the right values, as these would help to make a changed record valid again.
    """
    item = record.items[number]
    key, _ = item.entries[0]
    if not due and key != RESULT:
        line, _ = item.places[0]
        raise InvalidFileError(
            Place(record.file, line, record.indent + 1),
            "A turn begins with the name of a player "
            f"({', '.join(record.config.players)}), not with {cited(key)}.",
        )
    if not due:
        record.fail("The result comes after the last turn; the game goes on.", number)
    right = result_entries(record, state, written, digester)
    for entry, (given, expected) in enumerate(zip_longest(item.entries, right)):
        if given and expected and given[0] == expected[0]:
            if given != expected:
                record.fail(_not_the_result(*given), number, entry)
            continue
        keys = ", ".join(key for key, _ in right)
        whole = f"The game is over; its result has to be here, with exactly the keys {keys}."
        record.fail(whole, number, min(entry, len(item.entries) - 1))


def _not_the_result(key: str, text: str) -> str:
    if key == FINGERPRINT:
        return (
            f"When the game ended, its fingerprint was {text}; now it is different: something "
            "above was changed afterward."
        )
    return (
        f"This is not how the turns above end: {cited(key)} cannot be {cited(text)}. Either "
        "it or one of them was changed."
    )


def fail_without_result(record: Record) -> None:
    """Raise InvalidFileError for a finished game without its result."""
    missing = (
        "The game is over with this turn; the item with the result has to follow. Take the "
        "turn out of the file and play it with the program, which writes the result."
    )
    record.fail(missing, len(record.items) - 1)
