"""What if: moves tried on a copy of a game, as far as a player may know what they lead to.

What comes up is unknown, and so is what others hide. A trial therefore plays on many tables at
once, each of which could be the true one as far as the player knows: what happens on all of them is
certain. A move that is legal on only some of them is refused. The seed of the game is not used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from porto_cli.core import InvalidMoveError, PortoError, RefusedError, SentenceError
from porto_cli.core.chance import Chance
from porto_cli.match import with_player
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.record import TABLE
from porto_cli.match.replay import Replay
from porto_cli.seam import Event, Move, State

TABLES = 200
"""Tables of a trial. On half of them chance is one-sided, each in a different way: one kind of
thing comes up as long as there are any. So some table has everything that a single pile can turn
up (piles have at most 35 kinds). The others are random."""
LISTED = 1000
"""Maximum number of legal moves that are searched for those that are certainly legal."""


class UncertainMoveError(SentenceError):
    """A move that may or may not be legal, depending on what is unknown."""


class _OneSided(Random):
    """Returns the same number each time."""

    def __init__(self, share: float) -> None:
        super().__init__(0)
        self.share = share

    def random(self) -> float:
        """Return the number."""
        return self.share


class Tried(NamedTuple):
    """A move that was tried.

    ``move``     its text, as it was typed if it is not the same on all tables
    ``events``   what happens in any case
    ``unknown``  how many things come up at most, by the stream that they come from
    ``depends``  whether more happens, or something else, depending on what is unknown
    """

    seat: int
    move: str
    events: tuple[Event, ...]
    unknown: Mapping[str, int]
    depends: bool


class Trial:
    """A copy of a game to try moves on, with what a seat, or (``None``) a bystander, may know.

    Each of ``tables`` could be the true one; nothing that holds on only some may be shown.
    """

    def __init__(self, replay: Replay, seat: int | None) -> None:
        self.replay, self.game, self.seat = replay.known_to(seat), replay.game, seat
        # At a real table the record does not know what its players were dealt.
        self._own = None if replay.record.secrecy == TABLE else seat
        half = TABLES // 2
        self._random = [
            *(_OneSided((nth + 0.5) / half) for nth in range(half)),
            *(Random(f"trial/{nth}") for nth in range(half, TABLES)),
        ]
        view, sealing = self.game.view(self.replay.state, seat), self.game.sealing
        self.tables: list[State] = []
        for rng in self._random:
            table, chance = self.game.resample(view, rng), _chance(rng, Counter())
            if sealing is not None and sealing.is_waiting(table):
                table, _ = sealing.turn_up(table, chance)
            self.tables.append(self._with_secrets(table, chance))

    def to_move(self) -> tuple[int, ...] | None:
        """Return the seats to move; ``None`` if that depends on what is unknown."""
        found = {self.game.to_move(table) for table in self.tables}
        return found.pop() if len(found) == 1 else None

    def whose(self, typed: str) -> tuple[int, str]:
        """Return the seat and the move of a typed text like ``Bob: draw blue-3``.

        Without a name it is the seat that the trial is for, or for a bystander the seat to move.
        Raises InvalidMoveError.
        """
        seat, text = with_player(self.replay.holders, typed)
        if seat is None and ":" in typed and typed.split()[0] not in self.game.meta.verbs:
            seat = self.replay.seat_played_by(typed.rpartition(":")[0])
        if seat is not None:
            return seat, text
        waiting = self.to_move()
        if self.seat is None and waiting is None:
            raise InvalidMoveError("It is not known who moves next; put a name before the move.")
        return (waiting or (0,))[0] if self.seat is None else self.seat, typed

    def typed(self, seat: int, text: str) -> str:
        """Return a move as it is typed: after a name, unless the trial is for its player."""
        return text if self.seat in (None, seat) else f"{self.replay.holders[seat]}: {text}"

    def play(self, text: str, seat: int) -> Tried:
        """Make a move of a seat on all tables.

        Raises InvalidMoveError, IllegalMoveError with what is wrong on every table,
        UncertainMoveError, and RefusedError for a choice that only its player may know.
        """
        read = [self._read(table, text, seat) for table in self.tables]
        faults = [one for one in read if isinstance(one, PortoError)]
        if len(faults) == TABLES and len({str(one) for one in faults}) == 1:
            raise faults[0]
        if faults:
            raise UncertainMoveError(
                "This may or may not be legal: it depends on hidden information, either what is "
                "revealed before it or what others hide."
            )
        texts, happened, unknown = set[str](), [], Counter[str]()
        for nth, (table, move, rng) in enumerate(zip(self.tables, read, self._random, strict=True)):
            texts.add(self.game.format_move(move, table))
            came_up = Counter[str]()
            chance = _chance(rng, came_up)
            table, events = self.game.apply(table, move, chance, seat)
            self.tables[nth] = self._with_secrets(table, chance)
            happened.append([event for event in events if not self.game.is_hidden(event)])
            unknown |= came_up
        return Tried(
            seat,
            texts.pop() if len(texts) == 1 else " ".join(text.split()),
            tuple(event for event in happened[0] if all(event in one for one in happened)),
            unknown,
            depends=any(one != happened[0] for one in happened),
        )

    def listed(self, seat: int) -> Iterator[str]:
        """Yield the first :data:`LISTED` moves of a seat that are legal on one table, as texts;
        see :meth:`is_legal` for those that are legal in any case.
        """
        table = self.tables[0]
        for move in self.game.legal_moves(table, seat, LISTED):
            yield self.game.format_move(move, table)

    def is_legal(self, text: str, seat: int) -> bool:
        """Return whether a move is legal in any case."""
        return not any(isinstance(self._read(one, text, seat), PortoError) for one in self.tables)

    def possible(self) -> Iterator[str]:
        """Yield moves of the player to move that are legal in any case, as they are typed."""
        for seat in (self.to_move() or ())[:1]:
            for text in self.listed(seat):
                if self.is_legal(text, seat):
                    yield self.typed(seat, text)

    def words(self, begun: str) -> Iterator[str]:
        """Yield the beginning of a move with each word that can come next."""
        found = set[str]()
        for seat in self.to_move() or ():
            name = f"{self.replay.holders[seat]}: "
            if not begun or not name.lower().startswith(begun[: len(name)].lower()):
                name = self.typed(seat, "")
            words = begun[len(name) :].count(" ") + 1
            for text in self.listed(seat):
                typed = name + " ".join(text.split(" ")[:words])
                is_new = typed not in found and typed.lower().startswith(begun.lower())
                if is_new and self.is_legal(text, seat):
                    found.add(typed)
                    yield typed

    def _read(self, table: State, text: str, seat: int) -> Move | PortoError:
        """Return the move of a text, or the error if it cannot be made."""
        try:
            move, _, violations = self.game.read_move(text, table, seat)
        except InvalidMoveError as error:
            return error
        if seat != self._own and self.game.is_secret(move):
            player = self.replay.holders[seat]
            why = (
                f"Only {player} may know this choice, so it is assumed to be made and cannot be "
                "tried."
            )
            return RefusedError([why])
        return IllegalMoveError(violations) if violations else move

    def _with_secrets(self, table: State, chance: Chance) -> State:
        """Return a table on which others have made the secret choices that the game waits for;
        which ones they made does not show.
        """
        game = self.game
        for seat in game.to_move(table):
            if seat != self._own and seat in game.secret_movers(table):
                legal = game.legal_moves(table, seat, 1)
                if legal and game.is_secret(legal[0]):
                    table, _ = game.apply(table, legal[0], chance, seat)
        return table


def _chance(rng: Random, came_up: Counter[str]) -> Chance:
    """Return the chance of a table, which counts in ``came_up`` what comes up."""

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        came_up[stream] += 1
        kinds = sorted(set(pile))
        return pile.index(kinds[int(rng.random() * len(kinds))])

    return chance
