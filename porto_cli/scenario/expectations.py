"""What a case of any game can ask, and where a table differs from it."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.game import Game, Move, State
from porto_cli.match.undoing import UNDO, check_undo
from porto_cli.scenario.positions import Answer, Played, Text, compare, positions_of

MOST_LISTED = 200
"""Legal moves that are listed, if a game can have too many."""


class WrittenMove(NamedTuple):
    """A move as it stands in the file; ``player`` is empty for the one to move."""

    player: str
    text: str
    place: Place

    def __str__(self) -> str:
        return f"{self.player}: {self.text}" if self.player else self.text

    def seat(self, state: State) -> int:
        """Return who makes it."""
        seat: int = state.config.players.index(self.player) if self.player else state.seat
        return seat

    def parse(self, game: Game, state: State) -> Move:
        """Return the move as the table stands. Raises InvalidFileError."""
        try:
            return game.parse_move(self.text, state, self.seat(state))
        except InvalidMoveError as error:
            raise InvalidFileError(self.place, error.sentence) from None


def is_missing(game: Game, state: State, move: Move, seat: int) -> bool:
    """Tell whether a legal move is not among the legal moves, as it has to be.

    Of a list that is cut short, or of a secret that the program does not know either, nobody can
    tell.
    """
    moves = game.legal_moves(state, seat, MOST_LISTED)
    if game.canonical_move(state, move) in moves or (game.is_secret(move) and not moves):
        return False
    return not _is_cut_short(game, state, moves, seat)


def _is_cut_short(game: Game, state: State, moves: list[Move], seat: int) -> bool:
    return len(moves) >= MOST_LISTED and game.count_moves(state, seat) > len(moves)


class Then(NamedTuple):
    """Some keys of the position that the moves lead to."""

    values: dict[str, Text]

    def evaluate(self, played: Played) -> Answer:
        """Compare these keys, and of mappings only what is named."""
        positions = positions_of(played.game.meta.id)
        rows: list[tuple[str, str, str]] = []
        for key, expected in self.values.items():
            actual = positions.value_of(played.state, key)
            if isinstance(expected, dict):
                assert isinstance(actual, dict)
                rows += (
                    (f"{key} {name}", text, actual.get(name, "none"))
                    for name, text in expected.items()
                )
            else:
                rows.append((key, _words(expected), _words(actual)))
        return compare(rows)


class Refused(NamedTuple):
    """A move that breaks these rulings and no others."""

    move: WrittenMove
    because: tuple[str, ...]

    def evaluate(self, played: Played) -> Answer:
        """Compare the rulings that are broken; the move must not be listed either."""
        game, state, what = played.game, played.state, f"refuse {self.move}"
        violations = self.violations(played)
        broken = sorted({violation.rule for violation in violations})
        rows = [(what, " ".join(sorted(self.because)), " ".join(broken) or "it is legal")]
        if violations and not self._is_undo(played):
            listed = game.legal_moves(state, self.move.seat(state), MOST_LISTED)
            if self.move.parse(game, state) in listed:
                rows.append((what, "not among the legal moves", "among them"))
        return compare(rows, map(str, violations))

    def violations(self, played: Played) -> list[Violation]:
        """Return the rules that the move breaks. Raises InvalidFileError if it is no move."""
        game, state, replay = played.game, played.state, played.start.replay
        seat = self.move.seat(state)
        if replay and self._is_undo(played):
            return check_undo(replay.record, replay.steps, seat)
        return game.violations(state, self.move.parse(game, state), seat)

    def _is_undo(self, played: Played) -> bool:
        """Tell whether it takes back a turn, which only a record has."""
        return played.start.replay is not None and self.move.text.lower() == UNDO


class Unreadable(NamedTuple):
    """A text that is no move."""

    move: WrittenMove

    def evaluate(self, played: Played) -> Answer:
        """Try to read it."""
        try:
            played.game.parse_move(self.move.text, played.state, self.move.seat(played.state))
        except InvalidMoveError as error:
            return Answer(remarks=(str(error.sentence),))
        return compare([(f"unreadable {self.move}", "no move at all", "a move")])


class Legal(NamedTuple):
    """All legal moves of the player to move."""

    moves: tuple[WrittenMove, ...]
    place: Place

    def evaluate(self, played: Played) -> Answer:
        """Compare the two lists, whatever their order."""
        game, state = played.game, played.state
        moves = game.legal_moves(state, state.seat, MOST_LISTED)
        if _is_cut_short(game, state, moves, state.seat):
            raise InvalidFileError(
                self.place,
                say(
                    "There are {count} legal moves, too many to be listed: ask for their number "
                    "with 'legal-count'.",
                    count=game.count_moves(state, state.seat),
                ),
            )
        actual = {game.format_move(move, state) for move in moves}
        expected = {
            game.format_move(game.canonical_move(state, move.parse(game, state)), state)
            for move in self.moves
        }
        return compare(
            [
                ("legal, but not listed", "none", ", ".join(sorted(actual - expected)) or "none"),
                ("listed, but not legal", "none", ", ".join(sorted(expected - actual)) or "none"),
            ]
        )


class LegalCount(NamedTuple):
    """The number of legal moves of the player to move."""

    moves: int

    def evaluate(self, played: Played) -> Answer:
        """Compare the numbers."""
        state = played.state
        count = played.game.count_moves(state, state.seat)
        return compare([("legal-count", str(self.moves), str(count))])


def _words(text: Text) -> str:
    return " ".join(text) if isinstance(text, tuple) else str(text)
