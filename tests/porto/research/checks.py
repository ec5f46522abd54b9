"""What both adapters have to get right, and the tests of the libraries do not look at.

Each check plays a game and raises AssertionError; ``test_adapters`` also sees that it does when
something is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import porto_cli
from porto_cli.games.porto.engine.play import legal_moves
from porto_cli.games.porto.engine.state import KEEP, OVER
from porto_cli.games.porto.research import tree
from tests.porto.research.drivers import Driver
from tests.research import random_action

Make = Callable[..., Driver]


def same_game(make: Make, players: int, seed: str) -> None:
    """A game is that of the record with its seed, with all its moves and nothing else.

    It is played beside a record, of which the engine says what is legal and what comes up.
    """
    game = make(players, seed)
    names = [*tree.config_of(players).players]
    match = porto_cli.new_game(names, seed=seed, first=names[0])
    rng = random.Random(seed)
    while not match.over:
        assert not game.over
        assert game.table == match.state
        assert game.player == match.state.seat
        legal = {tree.encode(move): move for move in legal_moves(match.state)}
        assert game.legal() == sorted({encoded[0] for encoded in legal})
        first = random_action(tree, game.legal(), rng)
        game.play(first)
        rest = {encoded[1:]: move for encoded, move in legal.items() if encoded[0] == first}
        if len(rest) == 1:
            # Where a roof is the only one for the token it is not asked for.
            match.play(*rest.values(), player=match.state.seat)
            continue
        assert game.player == match.state.seat
        assert game.legal() == sorted(roof for (roof,) in rest)
        second = rng.choice(game.legal())
        game.play(second)
        match.play(rest[second,], player=match.state.seat)
    assert game.over
    assert game.table == match.state


def nothing_leaks(make: Make, players: int, seed: str) -> None:
    """Who looks sees the same, whatever private contracts the others were dealt and keep.

    Everything that a player observes is compared until the game is over, the own contracts too.
    """
    rng = random.Random(seed)
    config = tree.config_of(players)
    deck = list(config.private_deck())
    rng.shuffle(deck)
    looks = rng.randrange(players)
    own = deck[:5]
    hidden = [deck[5 + 5 * nth : 10 + 5 * nth] for nth in range((len(deck) - 5) // 5)]

    def dealt(mine: list[int], others: list[list[int]]) -> bytes:
        hands = [*others[:looks], mine, *others[looks:]][:players]
        return bytes(contract for hand in hands for contract in hand)

    one = make(players, seed, dealt(own, hidden))
    other = make(players, seed, dealt(own, hidden[::-1]))
    mine = make(players, seed, dealt(hidden[-1], hidden))
    assert mine.table.dealt[looks] != one.table.dealt[looks]
    assert mine.seen(looks) != one.seen(looks)
    differs = False
    while not one.over:
        assert one.seen(looks) == other.seen(looks)
        differs |= one.table.kept != other.table.kept
        action = another = random_action(tree, one.legal(), rng)
        if one.table.phase == KEEP and one.player != looks:
            another = rng.choice(other.legal())
        one.play(action)
        other.play(another)
    assert differs
    assert one.table.phase == OVER


def winner_wins(make: Make, players: int, seed: str, seat_first: bool = False) -> None:
    """Who wins is who has most VP; a tie is broken, so that somebody always does (P-RANK-1)."""
    game = make(players, seed, seat_first=seat_first)
    rng = random.Random(seed)
    while not game.over:
        assert game.returns() == [0] * players
        game.play(random_action(tree, game.legal(), rng))
    table = game.table

    def strength(seat: int) -> tuple[int, int, int]:
        ties = (seat, table.fulfilled[seat]) if seat_first else (table.fulfilled[seat], seat)
        return (table.scores[seat], *ties)

    winner = max(range(players), key=strength)
    won = game.returns()
    assert won[winner] == 1
    assert [one for seat, one in enumerate(won) if seat != winner] == [-1 / (players - 1)] * (
        players - 1
    )
    assert abs(sum(won)) < 1e-9
