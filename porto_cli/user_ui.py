"""The interface of a game as the user gets it: commands with ``--as`` for everybody else, where it
is known who the user is (see :mod:`porto_cli.settings`), and what only the seals of a sealed game
know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from porto_cli.core.characters import command, option
from porto_cli.game import OVER, Move, Step
from porto_cli.match.replay import LEFT, Replay, decisions, path_of
from porto_cli.match.replay import player_to_name as player_to_name_for
from porto_cli.match.said import ordered
from porto_cli.settings import own_seat
from porto_cli.ui import ui_of

if TYPE_CHECKING:
    from porto_cli.ui import Ui


def user_of(replay: Replay) -> int | None:
    """Return the seat that commands without ``--as`` are for; ``None`` if it is unknown.

    Who is called like a bot does not sit there. Raises InvalidFileError, FileError.
    """
    seat = own_seat(replay.holders)
    return None if seat is None or seat in replay.bots else seat


def seat_user_left(replay: Replay) -> int | None:
    """Return the seat of the user that somebody else plays now, or nobody; ``None`` if there is
    none. Raises InvalidFileError, FileError.
    """
    if not replay.has_sittings or own_seat(replay.holders) in replay.people:
        return None
    from porto_cli.match.sitting import who_sits

    players, changed = replay.config.players, who_sits(replay.record, replay.declarations)
    seat = own_seat(players)
    return seat if seat is not None and players[seat] in changed else None


def who_types(replay: Replay) -> int | None:
    """Return whose commands are shown, as :meth:`Ui.what_next` takes it: the seat of the user,
    ``LEFT`` if the user has left it; ``None`` if it is unknown.
    """
    return user_of(replay) if seat_user_left(replay) is None else LEFT


def player_to_name(replay: Replay, seat: int) -> str | None:
    """Return the player that a command has to name for a move of a seat, or None."""
    return player_to_name_for(replay, seat, who_types(replay))


def commands(replay: Replay, moves: Iterable[Move], seat: int) -> list[str]:
    """Return the commands that make these moves of a seat; its player is named where need be."""
    game, state = replay.game, replay.state
    path = path_of(replay)
    to_name = player_to_name(replay, seat)
    found = []
    for move in moves:
        player = replay.holders[seat] if game.is_secret(move) else to_name
        found.append(command(game.format_move(move, state), path, player))
    return found


def ui_for(replay: Replay) -> Ui:
    """Return the interface of the game that is played, sealed or not."""
    ui = ui_of(replay.game.meta.id)
    return ui if replay.sealed is None else cast("Ui", SealedUi(ui))


def step_in_words(replay: Replay, place: int) -> str:
    """Return a step as everybody may know it, and that it was ordered."""
    step, ui = replay.steps[place], ui_for(replay)
    if step.takes_back is not None:
        taken = ui.in_short(replay.steps[step.takes_back])
        player = replay.config.players[step.seat]
        return f"{player} takes back: {taken}."
    found = ui.last_turn(replay._replace(steps=replay.steps[: place + 1], state=step.after))
    return " ".join(map(str, (*found, *ordered(replay, place))))


def step_in_moves(replay: Replay, step: Step, since: int = 0) -> list[str]:
    """Return a step as the moves that everybody may know it by, or those since one of them: each
    spelled at the table at which it was made. What has come up then may lie where it has taken
    something from, and nobody has meant that.
    """
    if step.takes_back is not None:
        from porto_cli.match.undo import UNDO

        return [UNDO]
    game = replay.game
    if not step.moves or any(map(game.is_secret, step.moves)):
        return [ui_of(game.meta.id).in_short(step)]
    return [game.format_move(one.move, one.before) for one in decisions(replay, step)[since:]]


class SealedUi:
    """The interface of a game, and with it what only the seals of a sealed game know."""

    def __init__(self, ui: Ui) -> None:
        self._ui = ui

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ui, name)

    def what_next(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[str]:
        """Say who can do what now, with the commands to type."""
        found, is_all = _sealed_next(replay, file)
        return found if is_all else [*found, *self._ui.what_next(replay, file, user)]

    def last_turn(self, replay: Replay) -> list[str]:
        """Say what the last turn was, or whom its player has given up."""
        last = replay.last_step()
        if last is None or last.moves or last.takes_back is not None:
            return self._ui.last_turn(replay)
        from porto_cli.match.sealed_replay import WITHOUT

        gone = last.entries[0][1].removeprefix(f"{WITHOUT} ")
        found = [f"{replay.config.players[last.seat]} said that {gone} has vanished."]
        if last.after != last.before:
            found.append(f"The game goes on without {gone}.")
        return found


def _sealed_next(replay: Replay, file: str | None) -> tuple[list[str], bool]:
    """Say who can do what now where the game itself cannot know it, and whether that is all."""
    sealed = replay.sealed
    assert sealed is not None
    path, state, players = path_of(replay, file), replay.state, replay.config.players
    if sealed.stopped:
        lost = ", ".join(players[seat] for seat in sorted(sealed.given_up))
        ended = f"The game ended here: {lost} vanished, and no opponent is left."
        return [f"{ended} There is no ranking."], True
    found: list[str] = []
    for seat, by in sorted(sealed.awaited.items()):
        gone, others = players[seat], ", ".join(players[one] for one in sealed.undecided(seat))
        sayers = ", ".join(players[one] for one in sorted(by))
        reveal = f"porto reveal {path} {option('--without', gone)}"
        found.append(
            f"{sayers} said that {gone} has vanished. The game goes on without {gone} when all who "
            f"stay have said so; these have not said so yet: {others}. To do that: {reveal}"
            if others
            else f"All others said that {gone} has vanished, in an earlier version of porto. The "
            f"game goes on without {gone} when one of them says so again: {reveal}"
        )
    if state.phase == OVER:
        left = [
            players[seat]
            for seat, by in enumerate(sealed.order)
            if by not in sealed.revealed and seat not in sealed.given_up
        ]
        if left:
            found.append(
                "So everybody can check the whole game, these players still have to reveal their "
                f"random numbers: {', '.join(left)}. To do that: porto reveal {path}"
            )
    elif (
        set(replay.game.to_move(state)) <= set(replay.game.sealed.unrevealed(state))
        and sealed.revealed
    ):
        names = ", ".join(players[seat] for seat in replay.game.to_move(state))
        found.append(
            "The last turn is over. These players still have to reveal what they kept, each with "
            f"their own key: {names}. To do that: porto reveal {path}"
        )
        return found, True
    return found, False
