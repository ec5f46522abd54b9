"""Who can do what now, and the command to type: every command ends with it."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import command, option
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.engine.keep import may_keep
from porto_cli.games.porto.engine.names import PUBLIC_NAMES
from porto_cli.games.porto.engine.play import legal_moves
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.notation import format_move
from porto_cli.match.record import TABLE
from porto_cli.match.replay import LEFT
from porto_cli.seam import SoFar
from porto_cli.words import examples


def next_sentences(
    played: SoFar, path: str, named: str | None = None, user: int | None = None
) -> list[str]:
    """Return who can do what now, in one to three sentences with the commands to type, see
    :meth:`porto_cli.game.Game.next_step`.
    """
    state, player = played.state, played.holders[played.state.seat]
    if state.phase == KEEP:
        return _keep(played, path, user)
    if state.is_waiting:
        shows = f"porto show {path} {option('--as', player)}"
        sentences = [f"{player} is to move and sees the refill first: {shows}"]
    elif state.phase == CONTRACTS:
        names = [PUBLIC_NAMES[state.contracts[space]] for space in state.claimable]
        fulfills = command(" ".join(["contract", *names]), path, named)
        sentences = [
            f"{player} has built and can now fulfill {', '.join(names)}: {fulfills}",
            f"To fulfill none of them: {command('contract none', path, named)}",
        ]
    else:
        texts = [format_move(move, state) for move in legal_moves(state)]
        sentences = [*examples(player, texts, lambda words: command(words, path, named))]
    if state.phase == TIMER:
        drawn = " and ".join(CARDS[card] for card in state.turned)
        sentences[0] = f"The timer has drawn {drawn}. {sentences[0]}"
    if played.record.secrecy == TABLE:
        sentences.append(_revealed(state))
    return [*sentences, *_others_keep(played, path, user)]


def _revealed(state: State) -> str:
    """Say how to add what a move leads to on a real table; the command asks for what it lacks."""
    options = ["--refill-contracts CONTRACT,CONTRACT"]
    if state.phase != CONTRACTS:
        options = ["--refill CARD,CARD", *(options if state.phase == TIMER else ())]
    if state.config.timer and state.phase != TIMER:
        options.append("--timer CARD,CARD")
    return f"Add what was revealed on your table to the move, like: {' '.join(options)}"


def _keep(played: SoFar, path: str, user: int | None) -> list[str]:
    """P-SETUP-5; with real cards also at the end, when they are revealed (P-END-2).

    At the end of a sealed game too.
    """
    state, players = played.state, played.holders
    if state.is_revealing and state.seals:
        names = [players[seat] for seat in state.unrevealed]
        reveals = f"porto reveal {path} {option('--as', _who_types(players, names, user))}"
    elif not state.dealt:
        names = [name for seat, name in enumerate(players) if may_keep(state, seat)]
        reveals = command("keep NAME NAME NAME", path, _who_types(players, names, user))
    else:
        player = players[state.seat]
        own = option("--as", player)
        return [
            f"{player} is to move and must first keep three of five private contracts. To see "
            f"them: porto show {path} {own}",
            f"To keep, for example, the first three: porto keep {path} 1 2 3 {own}",
        ]
    return [
        "The last turn is over. These players still have to reveal their three private contracts: "
        f"{', '.join(names)}. To do that: {reveals}"
    ]


def _who_types(players: Sequence[str], names: Sequence[str], user: int | None) -> str:
    """Return whose command is shown of several players that can make a move: the user's, if that
    is one of them.
    """
    own = "" if user is None or user == LEFT else players[user]
    return own if own in names else names[0]


def _others_keep(played: SoFar, path: str, user: int | None) -> list[str]:
    """Keeping early saves a game by mail a whole round. Bots do it by themselves."""
    state, bots, players = played.state, played.bot_seats, played.holders
    waiting = [
        name
        for seat, name in enumerate(players)
        if state.dealt and state.phase == ACT and may_keep(state, seat) and seat not in bots
    ]
    if not waiting:
        return []
    player = _who_types(players, waiting, user)
    return [
        "These players still have to keep private contracts before their first turn: "
        f"{', '.join(waiting)}. {player} can do that now: {command('keep 1 2 3', path, player)}"
    ]
