"""What holds for every game that can be sealed: no seat is shown what is hidden from it."""

from __future__ import annotations

import random

import pytest

from porto_cli.core.chance import seeded_chance
from porto_cli.games import game_of
from porto_cli.seam import OVER, Outcome
from tests.conformance.games import HUNTS, KINDS, LISTED, LONGEST, marks_of
from tests.conformance.kinds import GameKind
from tests.conformance.sealed import ALL, NOBODY, SEALABLE, Looker, SealedGame, sealed
from tests.shares import for_each

every_sealed_kind = pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param(kind, seed, id=f"{kind}-{seed}", marks=marks_of(kind, seed))
        for kind in SEALABLE
        for seed in range(HUNTS)
    ],
)
LOOKED_AT = 6
"""Places of a game at which everything is looked at, besides its first and last ones."""


def places(count: int, seed: int) -> list[int]:
    """Return places to look at: all of them in long hunts."""
    if seed:
        return list(range(count))
    some = random.Random(count).sample(range(count), min(LOOKED_AT, count))
    return sorted({*some, *range(min(4, count)), *range(max(0, count - 4), count)})


@pytest.mark.long_for("porto-3p-edition=cramped-0")
@every_sealed_kind
def test_the_table_is_the_same_for_all_who_look(kind: GameKind, seed: int) -> None:
    """But for what they know: what is asked for and what comes up depends on nothing hidden."""
    played = sealed(kind, seed)
    game = played.game
    for ply in played.plies:
        for tables in (ply.between, ply.after):
            one = tables[NOBODY]
            for other in tables.values():
                assert (other.phase, other.seat, other.turn) == (one.phase, one.seat, one.turn)
                assert game.to_move(other) == game.to_move(one)
                assert game.secret_movers(other) == game.secret_movers(one)
                assert game.sealed.is_waiting(other) == game.sealed.is_waiting(one)
                assert game.sealed.unrevealed(other) == game.sealed.unrevealed(one)
    for place in places(len(played.plies), seed):
        ply = played.plies[place]
        for tables in (ply.before, ply.between):
            for seat in range(kind.players):
                seen = game.observe(tables[seat], seat)
                assert game.observe(tables[ALL], seat) == seen
            for looker in tables:
                assert game.observe(tables[looker], None) == game.observe(tables[NOBODY], None)


@every_sealed_kind
def test_who_knows_nothing_learns_nothing(kind: GameKind, seed: int) -> None:
    """A program without a key can replay everything, and holds nothing of what is hidden."""
    played = sealed(kind, seed)
    game = played.game
    for place in places(len(played.plies), seed):
        ply = played.plies[place]
        for looker, state in ply.before.items():
            mine = looker in (ALL, ply.seat)
            assert game.violations(state, ply.public, ply.seat) == []
            assert game.sealed.is_sealed(ply.public) == bool(ply.hidden)
            listed = game.legal_moves(state, ply.seat, LISTED)
            if mine:
                assert game.violations(state, ply.move, ply.seat) == []
                assert game.sealed.seal(state, ply.move, ply.seat) == (ply.public, ply.hidden)
                assert game.sealed.unseal(state, ply.public, ply.hidden, ply.seat) == ply.move
            elif ply.hidden:
                assert listed == [ply.public]
                assert game.violations(state, ply.move, ply.seat)
                with pytest.raises(ValueError, match="hand"):
                    game.sealed.unseal(state, ply.public, ply.hidden, ply.seat)
                with pytest.raises(ValueError, match="hand"):
                    game.sealed.seal(state, ply.move, ply.seat)


@every_sealed_kind
def test_a_public_move_is_its_text(kind: GameKind, seed: int) -> None:
    played = sealed(kind, seed)
    game = played.game
    for ply in played.plies:
        for looker in (NOBODY, ALL, ply.seat):
            state = ply.before[looker]
            text = game.format_move(ply.public, state)
            assert text.split()[0] in game.meta.verbs
            assert game.parse_move(text, state, ply.seat) == ply.public
            assert game.parse_move(f"  {text.upper()} ", state, ply.seat) == ply.public
            assert game.read_move(text, state, ply.seat) == (ply.public, text, [])


@every_sealed_kind
def test_what_comes_up_is_told_in_the_turn_before(kind: GameKind, seed: int) -> None:
    """As entries that could be read at a real table, and would lead to the same."""
    played = sealed(kind, seed)
    game = played.game
    result = 0
    for ply in played.plies:
        state = ply.between[NOBODY]
        if not game.sealed.is_waiting(state):
            assert not ply.came_up
            continue
        entries = game.chance_entries(state, ply.came_up)
        assert entries
        streams = [game.read_chance(key, text) for key, text in entries]
        assert all(streams)
        assert all(key in game.meta.item_keys for key, _ in entries)
        result += 1
        again, more = game.sealed.turn_up(ply.after[NOBODY], seeded_chance("other"))
        assert (again, more) == (ply.after[NOBODY], [])
    assert result


@every_sealed_kind
def test_a_move_that_is_legal_before_anything_comes_up_stays_legal(
    kind: GameKind, seed: int
) -> None:
    played = sealed(kind, seed)
    game = played.game
    for place in places(len(played.plies), seed):
        ply = played.plies[place]
        between, after = ply.between[ALL], ply.after[ALL]
        for seat in range(kind.players):
            for move in game.legal_moves(between, seat, 60):
                assert game.violations(between, move, seat) == []
                assert game.violations(after, move, seat) == []


@every_sealed_kind
def test_a_sealed_game_is_the_open_one(kind: GameKind, seed: int) -> None:
    """With the same hands, moves and cards it ends alike; the order of revealing is free."""
    played = sealed(kind, seed)
    game = played.game
    config = played.opening[ALL].config
    deal = game.sealed.deal_sealed(config, seeded_chance(f"sealed-{seed}"))
    private = played.hands if any(played.hands) else ()
    state = game.initial_state(config, deal._replace(private=private, sealed=False))
    for nth, ply in enumerate(played.plies):
        if state.phase == OVER:
            assert game.sealed.revealed(ply.before[NOBODY], ply.public)
            continue
        assert not game.sealed.revealed(ply.before[NOBODY], ply.public)
        assert game.violations(state, ply.move, ply.seat) == []
        chance = seeded_chance(f"sealed-{seed}-{nth}")
        state, _ = game.apply(state, ply.move, chance, ply.seat)
    ends = played.end
    if ends[ALL].phase != OVER:
        return
    for end in ends.values():
        assert game.outcome(end) == game.outcome(state)
        assert game.result_entries(end) == game.result_entries(state)
        assert game.to_move(end) == game.sealed.unrevealed(end) == ()


@every_sealed_kind
def test_what_was_kept_is_revealed_and_nothing_else(kind: GameKind, seed: int) -> None:
    played = sealed(kind, seed)
    game = played.game
    hidden = {ply.seat: ply.hidden for ply in played.plies if ply.hidden}
    if played.end[ALL].phase != OVER or not hidden:
        return
    reveals = [ply for ply in played.plies if game.sealed.revealed(ply.before[NOBODY], ply.public)]
    assert sorted(ply.seat for ply in reveals) == list(range(kind.players))
    for ply in reveals:
        assert game.sealed.reveal(hidden[ply.seat]) == ply.public
        assert game.sealed.revealed(ply.before[NOBODY], ply.public) == hidden[ply.seat]
        for seat in game.to_move(ply.before[ALL]):
            assert game.legal_moves(ply.before[ALL], seat) == [game.sealed.reveal(hidden[seat])]
            for other in set(hidden) - {seat}:
                assert game.violations(ply.before[seat], game.sealed.reveal(hidden[other]), seat)


@every_sealed_kind
def test_the_others_can_go_on_without_a_player(kind: GameKind, seed: int) -> None:
    """At any time: whose turns are left out, and whose private contracts count nothing."""
    if kind.players < 2:
        return
    played = sealed(kind, seed)
    for place in (0, len(played.plies) // 2, len(played.plies) - 1):
        gone = played.plies[place].seat
        ends = [_goes_on(played, place, gone, looker) for looker in (NOBODY, ALL, gone)]
        assert ends[0] == ends[1] == ends[2]
        if kind.options.get("private_contracts", True):
            assert f"{kind.names[gone]}: unproven" in dict(ends[0][1])["private"]


def _goes_on(
    played: SealedGame, place: int, gone: int, looker: Looker
) -> tuple[Outcome | None, list[tuple[str, str]]]:
    """Play a game on after somebody was given up, and return how it ends."""
    game = played.game
    state, events = game.sealed.give_up(played.plies[place].before[looker], [gone])
    assert events
    with pytest.raises(ValueError, match="given up"):
        game.sealed.give_up(state, [gone])
    rng = random.Random(place)
    keeps = {ply.seat: ply for ply in played.plies if ply.hidden}
    for nth in range(LONGEST):
        if state.phase == OVER:
            break
        if game.sealed.is_waiting(state):
            state, _ = game.sealed.turn_up(state, seeded_chance(f"gone-{nth}"))
        seat = game.to_move(state)[0]
        assert gone not in game.to_move(state)
        assert gone not in game.secret_movers(state)
        assert game.legal_moves(state, gone) == []
        moves = [one for one in game.legal_moves(state, seat) if not game.is_secret(one)]
        if moves:
            move = rng.choice(moves)
        else:
            keep = keeps[seat]
            reveal = game.sealed.reveal(keep.hidden)
            may = not game.violations(state, reveal, seat)
            move = reveal if may else keep.move if looker == ALL else keep.public
        state, _ = game.apply(state, move, None, seat)
    return game.outcome(state), game.result_entries(state)


@for_each("kind", [kind for kind in KINDS if kind not in SEALABLE])
def test_a_game_that_cannot_be_sealed_says_why(kind: GameKind) -> None:
    game = game_of(kind.game)
    config = game.new_config(kind.names, **kind.options)
    why = game.sealed_pile(config)
    assert isinstance(why, str)
    assert str(why).endswith(".")
    assert "cannot be sealed" in str(why)


def test_some_games_can_be_sealed_and_some_cannot() -> None:
    assert {kind.game for kind in SEALABLE} == {"porto"}
    assert {kind.players for kind in SEALABLE} == {2, 3, 4}
