"""What holds for the moves of every game behind the seam."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import pytest

from porto_cli.cli.command_table import COMMANDS
from porto_cli.core.chance import seeded_chance
from porto_cli.core.errors import InvalidMoveError
from porto_cli.game import OVER, Move, game_of
from porto_cli.testing.games import LISTED, Ply, played
from porto_cli.testing.kinds import Kind


def test_its_verbs_are_commands_of_its_own(kind: Kind, seed: int) -> None:
    """A verb that is called like a command of every game could not be typed."""
    verbs = game_of(kind.game).meta.verbs
    assert "undo" in verbs
    assert [verb for verb in verbs if COMMANDS.get(verb, "verbs") != "verbs"] == []


# --- what is listed is what is allowed ---------------------------------------------------------


def test_the_moves_that_are_listed_are_those_that_are_allowed(kind: Kind, seed: int) -> None:
    """Both ways: also of moves that are almost those, of any player."""
    for ply, rnd in played(kind, seed).looked_at():
        game, state = ply.game, ply.state
        others = [move for _, move in near(ply, rnd)]
        for seat in range(len(kind.names)):
            count = game.count_moves(state, seat)
            listed = game.legal_moves(state, seat, LISTED)
            assert len(set(listed)) == len(listed)
            for move in listed:
                assert game.violations(state, move, seat) == [], game.format_move(move, state)
            if count > LISTED:
                assert len(listed) >= LISTED
                continue
            assert len(listed) == count
            assert set(game.legal_moves(state, seat)) == set(listed)
            assert len(game.legal_moves(state, seat, 3)) >= min(3, count)
            for move in others:
                text = game.format_move(move, state)
                if game.violations(state, move, seat):
                    assert move not in listed, text
                else:
                    assert game.canonical_move(state, move) in listed, text


def near(ply: Ply, rnd: random.Random) -> Iterator[tuple[str, Move]]:
    """Return texts that are almost those of legal moves, now or in other turns, as far as they are
    moves at all, and the moves.
    """
    game, state = ply.game, ply.state
    for text in texts_near(ply, rnd):
        try:
            yield text, game.parse_move(text, state, ply.seat)
        except InvalidMoveError:
            continue


def texts_near(ply: Ply, rnd: random.Random) -> Iterator[str]:
    game, state = ply.game, ply.state
    listed = game.legal_moves(state, ply.seat, LISTED)
    texts = [game.format_move(move, state) for move in rnd.sample(listed, min(20, len(listed)))]
    texts += [
        game.format_move(move, step.before)
        for step in ply.before.steps[-60:]
        for move in step.moves
    ]
    words = sorted({word for text in texts for word in text.split()})
    for text in rnd.sample(texts, min(30, len(texts))):
        yield text
        parts = text.split()
        one, other = rnd.randrange(len(parts)), rnd.randrange(len(parts))
        yield " ".join([*parts[:one], rnd.choice(words), *parts[one + 1 :]])
        yield " ".join([*parts[:one], *parts[one + 1 :]])
        yield " ".join([*parts, rnd.choice(words)])
        parts[one], parts[other] = parts[other], parts[one]
        yield " ".join(parts)


def test_who_is_to_move_can_move(kind: Kind, seed: int) -> None:
    for ply, _ in played(kind, seed).looked_at():
        to_move = ply.game.to_move(ply.state)
        assert ply.state.seat == to_move[0]
        assert all(ply.game.count_moves(ply.state, seat) for seat in to_move)
    end = played(kind, seed).end
    if end.state.phase == OVER:
        assert end.game.to_move(end.state) == ()
        for seat in range(len(kind.names)):
            assert end.game.legal_moves(end.state, seat) == []
            assert end.game.count_moves(end.state, seat) == 0


# --- a move and its text -----------------------------------------------------------------------


def test_a_move_is_its_text(kind: Kind, seed: int) -> None:
    for ply, _ in played(kind, seed).looked_at():
        game, state, seat = ply.game, ply.state, ply.seat
        listed = game.legal_moves(state, seat, LISTED)
        texts = [game.format_move(move, state) for move in listed]
        assert len(set(texts)) == len(listed), "two moves have one text"
        for move, text in zip(listed, texts, strict=True):
            assert text == " ".join(text.split())
            assert text.split()[0] in game.meta.verbs
            assert game.parse_move(text, state, seat) == move
            assert game.parse_move(f"  {text.upper()} ", state, seat) == move
            assert game.read_move(text, state, seat) == (move, text, [])
            assert game.canonical_move(state, move) == move


def test_a_text_is_a_move_or_none(kind: Kind, seed: int) -> None:
    """However it is read, it is the same move, and what is written of it is that move again."""
    for ply, rnd in played(kind, seed).looked_at():
        game, state, seat = ply.game, ply.state, ply.seat
        understood = dict(near(ply, rnd))
        for text in texts_near(ply, rnd):
            if text not in understood and not parses(ply, text):
                with pytest.raises(InvalidMoveError):
                    game.read_move(text, state, seat)
                continue
            move = game.parse_move(text, state, seat)
            written = game.format_move(move, state)
            broken = game.violations(state, move, seat)
            assert game.read_move(text, state, seat) == (move, written, broken)
            if not broken:
                assert game.parse_move(written, state, seat) == move
                assert game.format_move(game.parse_move(written, state, seat), state) == written


def parses(ply: Ply, text: str) -> bool:
    try:
        ply.game.parse_move(text, ply.state, ply.seat)
    except InvalidMoveError:
        return False
    return True


# --- moves, events and tables are values -------------------------------------------------------


def test_making_a_move_changes_nothing_but_makes_a_new_table(kind: Kind, seed: int) -> None:
    chance = seeded_chance(f"conformance-{seed}")
    for ply, _ in played(kind, seed).looked_at():
        game, state = ply.game, ply.state
        kept = pickle.dumps(state)
        for move in {ply.move, *game.legal_moves(state, ply.seat, 9)}:
            once = game.apply(state, move, chance, ply.seat)
            assert once == game.apply(state, move, chance, ply.seat)
            assert once[0] != state
            if move == ply.move:
                assert once[0] == ply.after.state
        assert state == pickle.loads(kept)


def test_moves_and_events_are_values(kind: Kind, seed: int) -> None:
    for ply, _ in played(kind, seed).looked_at():
        for thing in (*ply.game.legal_moves(ply.state, ply.seat, 9), *ply.events):
            again = pickle.loads(pickle.dumps(thing))
            assert again == thing
            assert hash(again) == hash(thing)
            assert thing
            for name in ("anything", *getattr(thing, "_fields", ())):
                with pytest.raises((AttributeError, TypeError)):
                    setattr(thing, name, None)


def test_what_is_no_move_is_an_error(kind: Kind, seed: int) -> None:
    """Above all it must not be a pass."""
    for ply, _ in played(kind, seed).looked_at():
        for thing in (None, "pass", "", 5, (), ("pass",), object()):
            with pytest.raises((TypeError, ValueError)):
                ply.game.violations(ply.state, thing, ply.seat)
            with pytest.raises((TypeError, ValueError, AttributeError)):
                ply.game.apply(ply.state, thing, seeded_chance("x"), ply.seat)
