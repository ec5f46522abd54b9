"""Who can do what now, with the commands to type, as the user gets them: with ``--as`` for
everybody else, where it is known who the user is (see :mod:`porto_cli.settings`).
"""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.message import command, option
from porto_cli.game import OVER, Move
from porto_cli.match.replay import LEFT, Replay, path_of, turn_of_a_bot
from porto_cli.match.replay import player_to_name as player_to_name_for
from porto_cli.settings import own_seat


def seat_of_user(replay: Replay) -> int | None:
    """Return the seat that the user plays now; ``None`` if there is none, or the user is unknown.

    Raises InvalidFileError, FileError.
    """
    return own_seat(replay.holders, replay.players)


def user_of(replay: Replay) -> int | None:
    """Return the seat that commands without ``--as`` are for; ``None`` if it is unknown.

    Who is called like a bot does not sit there. Raises InvalidFileError, FileError.
    """
    seat = seat_of_user(replay)
    return None if seat is None or seat in replay.bot_seats else seat


def seat_user_left(replay: Replay) -> int | None:
    """Return the seat of the user that somebody else plays now, or nobody; ``None`` if there is
    none. Raises InvalidFileError, FileError.
    """
    if not replay.has_sittings or seat_of_user(replay) in replay.people:
        return None
    from porto_cli.match.sitting import who_sits

    players, changed = replay.config.players, who_sits(replay.record, replay.declarations)
    seat = own_seat(players)
    return seat if seat is not None and players[seat] in changed else None


def who_types(replay: Replay) -> int | None:
    """Return whose commands are shown, as :func:`what_next` takes it: the seat of the user,
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


def what_next(replay: Replay, file: str | None = None, user: int | None = None) -> list[str]:
    """Say who can do what now, with the commands to type.

    ``file`` is how the commands call the record, if not as it was read; ``user`` the seat of who
    types them, if that is known, or ``LEFT``: for others they name the player.
    """
    found: list[str] = []
    if replay.sealed is not None:
        found, is_all = _sealed_next(replay, file)
        if is_all:
            return found
    waiting = turn_of_a_bot(replay, file) if replay.bot_seats else []
    if waiting:
        return [*found, *waiting]
    game, path = replay.game, path_of(replay, file)
    if replay.state.phase == OVER:
        return [*found, game.how_it_ended(replay), f"To see the final scores: porto score {path}"]
    named = player_to_name_for(replay, replay.state.seat, user)
    return [*found, *game.next_step(replay, path, named, user)]


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
