"""Bots: programs that hold seats in ordinary games, beside people.

A record names the seats that they hold (:mod:`porto_cli.match.seats`), or gives them one later
(:mod:`porto_cli.match.sitting`). What they do follows from
it: a bot is given what its seat may know, the moves, and a generator of random numbers, seeded by
the seed, the seat and the number of its decisions that were not taken back. So a bot decides the
same again after an undo, independently of what comes up, and anybody can verify its moves.

>>> import porto_cli
>>> match = porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana", bots={"Rui": "level-3"})
>>> [(turn.player, turn.moves) for turn in porto_cli.play_bots(match)]
[('Rui', ('keep',))]
>>> _ = match.play("keep 1 2 3", player="Ana")
>>> _ = match.play("draw blue-1 red-2", player="Ana")
>>> [(turn.player, turn.moves) for turn in porto_cli.play_bots(match)]
[('Rui', ('draw purple-1 purple-2',))]
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.chance import NothingTypedError
from porto_cli.core.message import shown
from porto_cli.game import Event, Move, State
from porto_cli.match.items import seats_at
from porto_cli.match.replay import decisions as replayed
from porto_cli.match.replay import due
from porto_cli.players import Player
from porto_cli.players.named import UnknownPlayerError, added_player, players_of
from porto_cli.simulate.simulation import simulation_of

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay


class BotTurn(NamedTuple):
    """What a bot has done, or what an order of a player has.

    ``bot``    the player of the game's ``PLAYERS`` that it is; empty for an order
    ``moves``  as texts; of a secret one only the verb
    """

    player: str
    bot: str
    moves: tuple[str, ...]
    events: tuple[Event, ...]


def play_bots(match: Match) -> list[BotTurn]:
    """Let bots move, and orders decide, until a person has to decide or the game is over; return
    what they have done.

    Nothing is saved. There is nothing to do in a game without bots and orders.
    """
    played: list[BotTurn] = []
    while True:
        count = len(match.steps)
        turn = play_a_bot(match)
        if turn is None:
            return played
        if count == len(match.steps):
            first = played.pop() if played else turn._replace(moves=(), events=())
            turn = turn._replace(moves=first.moves + turn.moves, events=first.events + turn.events)
        played.append(turn)


def play_a_bot(match: Match) -> BotTurn | None:
    """Let the bot, or the order, make one decision whose turn it is; ``None`` if a person has to.

    At a real table an order makes no move after which something comes up.
    """
    seat = due(match)
    if seat is not None:
        return _play(match, seat)
    if not match.declarations:
        return None
    from porto_cli.match.ordered import MARK
    from porto_cli.match.ordered import due as ordered

    move, seat = ordered(match), int(match.state.seat)
    if move is None:
        return None
    try:
        events = match.make([move], seat, mark=MARK)
    except NothingTypedError:
        return None
    before = replayed(match, match.steps[-1])[-1].before
    return BotTurn(match.players[seat], "", (match.game.format_move(move, before),), tuple(events))


def _play(match: Match, seat: int) -> BotTurn:
    decided = sum(len(step.moves) for step in match.steps if step.seat == seat and not step.undone)
    move = choice(match, match.state, seat, decided)
    text = match.text(move)
    shown = text.split()[0] if match.game.is_secret(move) else text
    events = match.play(move, player=seat)
    return BotTurn(match.players[seat], match.bot_seats[seat], (shown,), tuple(events))


def seeded_rng(seed: str, seat: int, decided: int) -> Random:
    """Return the generator for a seat's next decision, given the number of decisions so far."""
    return Random(f"porto/1/{seed}/bot-{seat}/{decided}")


def choice(replay: Replay, state: State, seat: int, decided: int, bot: str = "") -> Move:
    """Return the move that a bot makes in a state of its game.

    ``decided`` is how many decisions of the seat came before it and were not taken back, those of
    people included. ``bot`` is the player type, by default that which holds the seat now.
    """
    game = replay.game
    bot = bot or replay.bot_seats[seat]
    simulation = simulation_of(game.meta.id)
    rng = seeded_rng(replay.record.seed, seat, decided)
    is_next = seat == state.seat
    moves = simulation.choices(state, rng) if is_next else game.legal_moves(state, seat)
    player = _player(bot, game.meta.id)
    return player(game.view(state, seat), moves, rng)


def _player(name: str, game_id: str) -> Player:
    """Return the player that holds a seat: one of the game's, of an installed package, or of the
    user's settings.
    """
    own = players_of(game_id).get(name)
    if own is not None:
        return own
    found = added_player(name, game_id)
    if found is None:
        raise UnknownPlayerError(
            f"There is no player {shown(name)} any more; 'porto seat' lets another one "
            "play in its place."
        )
    return found.player


class BotMove(NamedTuple):
    """A decision of a bot in a record: what it did, and what it could know before."""

    place: int
    """The place of its step in ``replay.steps``."""
    seat: int
    state: State
    move: Move
    decided: int
    bot: str
    """The player type, of ``version``."""
    version: int


def decisions(replay: Replay) -> Iterator[BotMove]:
    """Yield the decisions of all bots of a game, those included that were taken back."""
    if not replay.bot_versions:
        return
    decided = [0] * len(replay.config.players)
    for place, step in enumerate(replay.steps):
        seat = step.seat
        if step.takes_back is not None:
            decided[seat] -= len(replay.steps[step.takes_back].moves)
            continue
        held = seats_at(replay.record, replay.declarations, place)[seat]
        if not held.bot:
            decided[seat] += len(step.moves)
            continue
        for one in replayed(replay, step):
            yield BotMove(place, seat, one.before, one.move, decided[seat], held.bot, held.version)
            decided[seat] += 1


def expected(replay: Replay, one: BotMove) -> Move | None:
    """Return what a bot would have done instead; ``None`` if it has done that."""
    move = choice(replay, one.state, one.seat, one.decided, one.bot)
    canonical = replay.game.canonical_move
    same = canonical(one.state, move) == canonical(one.state, one.move)
    return None if same else move
