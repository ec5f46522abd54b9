"""What is next in a game: what bots and orders do, and then who can do what, with the commands to
type. If the user is known (see :mod:`porto_cli.user`), only commands for others have ``--as``.

Everything follows from the legal moves of any game: an example for each verb, what players can
choose in secret before their turn, and at a real table the options for what comes up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from porto_cli.core import enumerated
from porto_cli.core.chance import Noted
from porto_cli.core.files import FROM_OUTSIDE
from porto_cli.core.shell import command, option
from porto_cli.match.record import TABLE
from porto_cli.match.replay import (
    Replay,
    path_of,
    turn_of_a_bot,
)
from porto_cli.seam import OVER, Advice, CommandOption, Move
from porto_cli.term import plain, remark
from porto_cli.user import who_types
from porto_cli.words import grouped

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.match.seats import BotTurn


def player_to_name(replay: Replay, seat: int, user: int | None) -> str | None:
    """Return the player that a command has to name for a move of a seat; ``None`` if the seat is
    to move and the ``user`` who types the command plays it or is unknown.
    """
    is_clear = seat == replay.state.seat and user in (None, seat)
    return None if is_clear else replay.holders[seat]


def commands(replay: Replay, moves: Iterable[Move], seat: int) -> list[str]:
    """Return the commands that make these moves of a seat, with its player named if necessary."""
    game, state = replay.game, replay.state
    path = path_of(replay)
    to_name = player_to_name(replay, seat, who_types(replay))
    typed = []
    for move in moves:
        player = replay.holders[seat] if game.is_secret(move) else to_name
        typed.append(command(game.format_move(move, state), path, player))
    return typed


def move_bots(match: Match) -> list[BotTurn]:
    """Let bots whose turn it is move, and orders decide; return what they have done.

    Loads nothing for a game without bots and orders. When interrupted, says that nothing was
    written.
    """
    if not match.goes_on_by_itself:
        return []
    from porto_cli.players.named import play_bots

    try:
        return play_bots(match)
    except FROM_OUTSIDE:
        with suppress(OSError):
            remark("Stopped while a bot was thinking: nothing was written to its game.")
        raise


def what_next(
    replay: Replay, file: str | None = None, user: int | None = None, *, result: bool = True
) -> list[Advice]:
    """Say who can do what now, with the commands to type; after a game also its ``result``.

    ``file`` is the record's name in the commands, by default as it was read. ``user`` is the seat
    of the user who types them, ``LEFT``, or ``None`` if unknown; commands for others name the
    player.
    """
    first: list[Advice] = []
    if replay.sealed is not None:
        first, is_all = _sealed_next(replay, file)
        if is_all:
            return first
    if replay.bot_seats and (waiting := turn_of_a_bot(replay, file)):
        return [*first, *waiting]
    game, path = replay.game, path_of(replay, file)
    if replay.state.phase == OVER:
        scores = Advice("To see the final scores", f"porto score {path}")
        return [*first, *(Advice(game.how_it_ended(replay)), scores) * result]
    return [*first, *_turn(replay, path, user), *_before_their_turn(replay, path, user)]


_ENOUGH = 200
"""The number of moves searched for an example of each verb."""


def _turn(replay: Replay, path: str, user: int | None) -> Iterator[Advice]:
    """Say whose turn it is, and what they can do."""
    game, state = replay.game, replay.state
    seat, player = state.seat, replay.holders[state.seat]
    legal = game.legal_moves(state, seat, _ENOUGH)
    if not legal:
        yield _unlisted(replay, path, user)
        return
    is_secret = all(map(game.is_secret, legal))
    named = player if is_secret else player_to_name(replay, seat, user)
    yield from _of_each_verb(replay, legal, path, named)
    yield from game.words.to_know(state, lambda move: command(move, path, named))
    if len(legal) > 1:
        yield Advice("To see the legal moves", command("moves", path, named))
    if is_secret:
        shows = f"porto show {path} {option('--as', player)}"
        yield Advice(f"To see what only {player} may see", shows)
    if replay.record.secrecy == TABLE:
        yield from _comes_up(replay, legal)


def _typed(replay: Replay, move: Move) -> str:
    """Return a move as its player types it. A sealed move, which others know only as sealed, is
    replaced by the example of its verb.
    """
    game = replay.game
    text = game.format_move(move, replay.state)
    if not _is_sealed(replay, move):
        return text
    verb = text.partition(" ")[0]
    return " ".join([verb, *game.commands.verbs[verb].example_words])


def _is_sealed(replay: Replay, move: Move) -> bool:
    """Return whether a move is a secret one in the form that everybody else knows."""
    sealing = replay.game.sealing
    return sealing is not None and sealing.is_sealed(move)


def _of_each_verb(
    replay: Replay, legal: Sequence[Move], path: str, named: str | None
) -> Iterator[Advice]:
    """Yield what each verb does, with one move as an example, in the order of the verbs."""
    game, state = replay.game, replay.state
    by_verb = grouped(legal, lambda move: game.format_move(move, state).partition(" ")[0])
    player, verbs = replay.holders[state.seat], game.meta.verbs
    for index, verb in enumerate(sorted(by_verb, key=verbs.index)):
        example = game.example(state, by_verb[verb])
        # A choice that only its player knows is listed as one move, which stands for all.
        is_example = len(by_verb[verb]) > 1 or _is_sealed(replay, example)
        whose = "" if index else f"It is {player}'s turn. "
        what = f"{whose}To {game.does(state, verb)}{', for example' * is_example}"
        yield Advice(what, command(_typed(replay, example), path, named))


def _unlisted(replay: Replay, path: str, user: int | None) -> Advice:
    """Say whose turn it is if not everybody knows what they can do."""
    game, state, holders = replay.game, replay.state, replay.holders
    if game.sealing is not None and game.sealing.is_waiting(state):
        player = holders[state.seat]
        shows = f"porto show {path} {option('--as', player)}"
        return Advice(f"It is {player}'s turn, and only {player} can see the refill", shows)
    movers = game.to_move(state)
    whose = f"It is the turn of {enumerated([holders[seat] for seat in movers])}."
    seat = user if user in movers else movers[0]
    options = game.words.options(state, seat)
    if not options:
        return Advice(whose)
    asked = plain(options[0].parts[0].label)
    return Advice(f"{whose} {asked}", command(options[0].verb, path, holders[seat]))


def _comes_up(replay: Replay, legal: Iterable[Move]) -> Iterator[Advice]:
    """Say how to add what a move of this turn can turn up on a real table."""
    game, state = replay.game, replay.state
    chance, own = Noted(), dict[CommandOption, None]()
    for move in legal:
        options = game.commands.verbs[game.format_move(move, state).partition(" ")[0]].options
        own |= dict.fromkeys(options)
        after, _ = game.apply(state, move, chance, state.seat)
        _, verb = game.follow_up(after) or ("", "")
        if any(one.is_word and one.name == verb for one in options):
            # The move that follows is typed in the same command.
            for then in game.legal_moves(after, after.seat, _ENOUGH):
                game.apply(after, then, chance, after.seat)
    like = [
        f"{one.flag} {f'{one.thing},{one.thing}' if one.many else one.thing}"
        for one in own
        if one.stream in chance.counts
    ]
    if like:
        yield Advice(f"Add what comes up on your table to the move, like: {' '.join(like)}")


def _before_their_turn(replay: Replay, path: str, user: int | None) -> Iterator[Advice]:
    """Say who else can choose in secret now, which saves a round of mails; bots choose by
    themselves.
    """
    game, state, holders = replay.game, replay.state, replay.holders
    movers = game.secret_movers(state)
    if state.seat in movers:
        return
    first = {
        seat: moves[0]
        for seat in movers
        if seat not in replay.bot_seats
        if (moves := game.legal_moves(state, seat, 1))
    }
    if first:
        seat = user if user in first else next(iter(first))
        text = _typed(replay, first[seat])
        does = game.commands.verbs[text.partition(" ")[0]].does
        who = enumerated([holders[one] for one in first])
        what = f"{who} can already {does or 'choose in secret'}, for example"
        yield Advice(what, command(text, path, holders[seat]))


def _sealed_next(replay: Replay, file: str | None) -> tuple[list[Advice], bool]:
    """Say what players can do now because the game is sealed, and whether that is all."""
    sealed = replay.sealed
    assert sealed is not None
    path, state, players = path_of(replay, file), replay.state, replay.config.players
    if sealed.stopped:
        lost = ", ".join(players[seat] for seat in sorted(sealed.given_up))
        ended = f"The game ended here: {lost} vanished, and no opponent is left."
        return [Advice(f"{ended} There is no ranking.")], True
    found: list[Advice] = []
    for seat, by in sorted(sealed.awaited.items()):
        gone, others = players[seat], ", ".join(players[one] for one in sealed.undecided(seat))
        sayers = ", ".join(players[one] for one in sorted(by))
        reveal = f"porto reveal {path} {option('--without', gone)}"
        what = (
            f"{sayers} said that {gone} has vanished. The game goes on without {gone} when all who "
            f"stay have said so; these have not said so yet: {others}. To do that"
            if others
            else f"All others said that {gone} has vanished, in an earlier version of porto. The "
            f"game goes on without {gone} when one of them says so again"
        )
        found.append(Advice(what, reveal))
    if state.phase == OVER:
        left = [
            players[seat]
            for seat, by in enumerate(sealed.order)
            if by not in sealed.revealed and seat not in sealed.given_up
        ]
        if left:
            what = (
                "So that everybody can check the game, these players still have to reveal their "
                f"random numbers: {', '.join(left)}. To do that"
            )
            found.append(Advice(what, f"porto reveal {path}"))
    elif sealed.is_played_out:
        names = ", ".join(players[seat] for seat in replay.game.to_move(state))
        what = (
            "The last turn is over. These players still have to reveal what they kept, each with "
            f"their own key: {names}. To do that"
        )
        found.append(Advice(what, f"porto reveal {path}"))
        return found, True
    return found, False
