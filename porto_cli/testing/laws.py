"""What holds for every game behind the seam: for its moves and records, and for what is hidden."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from inspect import signature
from random import Random
from typing import Any

import pytest

import porto_cli
from porto_cli.cli import WORDS, turn
from porto_cli.cli.commands import COMMANDS, MOVES
from porto_cli.core import InvalidMoveError
from porto_cli.core.chance import TypedChance, first_of_pile, seeded_chance
from porto_cli.core.yaml import read
from porto_cli.fields import lines_of
from porto_cli.games import commands_of, game_of
from porto_cli.match import FINGERPRINT, RESULT
from porto_cli.match.items import IllegalMoveError, preview
from porto_cli.match.match import Match
from porto_cli.players import choose
from porto_cli.players.named import Observer, players_of
from porto_cli.seam import OVER, Move, Observation, Step, View
from porto_cli.testing.games import LISTED, GameKind, Playthrough, Ply, Spot, played

Law = Callable[[Any, Random], None]
"""What holds at a place of a game: the place, and random numbers that are the same every time."""


def at_every_place(law: Law) -> Callable[[GameKind, int], None]:
    """Return the test that a law holds at every place of a game that is looked at."""
    return _named(law, lambda game: game.looked_at())


def at_every_table(law: Law) -> Callable[[GameKind, int], None]:
    """Return the test that a law holds at these places, and at tables that were only laid."""
    return _named(law, lambda game: game.tables())


def _named(
    law: Law, places: Callable[[Playthrough], Iterable[tuple[object, Random]]]
) -> Callable[[GameKind, int], None]:
    """Return a test that says where a law is broken: its traceback ends with the kind of game, the
    seed, the turn and the move.
    """

    def test(kind: GameKind, seed: int) -> None:
        for place, rnd in places(played(kind, seed)):
            try:
                law(place, rnd)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"{kind} seed {seed} {place}")
                raise

    test.__name__, test.__doc__ = law.__name__, law.__doc__
    return test


# --- moves are commands of the game ------------------------------------------------------------


def test_its_verbs_are_commands_of_its_own(kind: GameKind, seed: int) -> None:
    """A verb that is called like a command of every game could not be typed."""
    own = game_of(kind.game).meta.verbs
    assert "undo" in own
    assert [verb for verb in own if COMMANDS.get(verb, MOVES) != MOVES] == []


def test_its_options_are_not_those_of_all_games(kind: GameKind, seed: int) -> None:
    """An option of a move that is called like one of all moves could not be typed."""
    of_all = set(signature(turn.move).parameters) | {WORDS}
    own = commands_of(kind.game)
    for options in (own.moves, *(verb.options for verb in own.verbs.values())):
        names = [option.name for option in options]
        assert len(set(names)) == len(names)
        assert of_all.isdisjoint(names)
        assert {"--as", "--format"}.isdisjoint(option.flag for option in options)


# --- what is listed is what is allowed ---------------------------------------------------------


@at_every_table
def test_the_moves_that_are_listed_are_those_that_are_allowed(table: Spot, rnd: Random) -> None:
    """Both ways: also of moves that are almost those, or that no text says, of any player."""
    game, state = table.game, table.state
    kept = pickle.dumps(state)
    others = [*near(table, rnd), *table.registered.candidates(state, rnd)]
    for seat in table.seats:
        count = game.count_moves(state, seat)
        listed = game.legal_moves(state, seat, LISTED)
        assert len(set(listed)) == len(listed)
        for move in listed:
            assert game.violations(state, move, seat) == [], game.format_move(move, state)
        assert len(game.legal_moves(state, seat, 3)) >= min(3, count)
        if count > LISTED:
            assert len(listed) >= LISTED
            continue
        assert len(listed) == count
        legal = set(listed)
        assert set(game.legal_moves(state, seat)) == legal
        for move in others:
            if refused(table, move, seat):
                assert move not in legal, move
            else:
                assert game.canonical_move(state, move) in legal, move
    assert state == pickle.loads(kept)


def refused(table: Spot, move: Move, seat: int) -> bool:
    """Return whether a move is against a rule, or has things in it that are not in the box."""
    try:
        return bool(table.game.violations(table.state, move, seat))
    except ValueError:
        return True


def near(ply: Spot, rnd: Random) -> Iterator[Move]:
    """Return the moves, legal or not, among texts that are almost those of legal moves."""
    for text in texts_near(ply, rnd):
        with suppress(InvalidMoveError):
            yield ply.game.parse_move(text, ply.state, ply.seat)


def texts_near(ply: Spot, rnd: Random) -> Iterator[str]:
    """Return texts that are almost those of legal moves, now or in other turns."""
    game, state = ply.game, ply.state
    listed = game.legal_moves(state, ply.seat, LISTED)
    texts = [game.format_move(move, state) for move in rnd.sample(listed, min(20, len(listed)))]
    texts += [
        game.format_move(move, step.before) for step in ply.earlier[-60:] for move in step.moves
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


@at_every_table
def test_who_is_to_move_can_move(table: Spot, rnd: Random) -> None:
    to_move = table.game.to_move(table.state)
    assert table.state.seat == to_move[0]
    assert all(table.game.count_moves(table.state, seat) for seat in to_move)


def test_after_the_end_nobody_can_move(kind: GameKind, seed: int) -> None:
    end = played(kind, seed).end
    if end.state.phase == OVER:
        assert end.game.to_move(end.state) == ()
        for seat in range(kind.players):
            assert end.game.legal_moves(end.state, seat) == []
            assert end.game.count_moves(end.state, seat) == 0


# --- a move and its text -----------------------------------------------------------------------


@at_every_table
def test_a_move_is_its_text(ply: Spot, rnd: Random) -> None:
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


@at_every_table
def test_a_text_is_a_move_or_none(ply: Spot, rnd: Random) -> None:
    """However it is read, it is the same move, and what is written of it is that move again."""
    game, state, seat = ply.game, ply.state, ply.seat
    for text in texts_near(ply, rnd):
        try:
            move = game.parse_move(text, state, seat)
        except InvalidMoveError:
            with pytest.raises(InvalidMoveError):
                game.read_move(text, state, seat)
            continue
        written = game.format_move(move, state)
        broken = game.violations(state, move, seat)
        assert game.read_move(text, state, seat) == (move, written, broken)
        if not broken:
            assert game.parse_move(written, state, seat) == move
            assert game.format_move(game.parse_move(written, state, seat), state) == written


# --- moves, events and tables are values -------------------------------------------------------


@at_every_place
def test_making_a_move_changes_nothing_but_makes_a_new_table(ply: Ply, rnd: Random) -> None:
    game, state = ply.game, ply.state
    kept = pickle.dumps(state)
    chance = seeded_chance(ply.before.record.seed or "")
    for move in {ply.move, *game.legal_moves(state, ply.seat, 9)}:
        once = game.apply(state, move, chance, ply.seat)
        assert once == game.apply(state, move, chance, ply.seat)
        assert once[0] != state
        if move == ply.move:
            assert once[0] == ply.after.state
    assert state == pickle.loads(kept)


@at_every_place
def test_moves_and_events_are_values(ply: Ply, rnd: Random) -> None:
    for thing in (*ply.game.legal_moves(ply.state, ply.seat, 9), *ply.events):
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing
        assert hash(again) == hash(thing)
        assert thing
        facts = getattr(thing, "_fields", getattr(thing, "__dict__", ()))
        for name in ("anything", *facts):
            with pytest.raises((AttributeError, TypeError)):
                setattr(thing, name, None)
            with pytest.raises((AttributeError, TypeError)):
                delattr(thing, name)


@at_every_place
def test_what_is_no_move_is_an_error(ply: Ply, rnd: Random) -> None:
    """Above all it must not be a pass."""
    for thing in (None, "pass", "", 5, (), ("pass",), object()):
        with pytest.raises((TypeError, ValueError)):
            ply.game.violations(ply.state, thing, ply.seat)
        with pytest.raises((TypeError, ValueError, AttributeError)):
            ply.game.apply(ply.state, thing, seeded_chance("x"), ply.seat)


# --- a record and its table are the same thing -------------------------------------------------


@at_every_place
def test_a_text_alone_is_the_game(ply: Ply, rnd: Random) -> None:
    again = porto_cli.loads(ply.after.record.text)
    assert again.players == ply.after.config.players
    lines = ply.game.config_lines
    assert lines(again.config) == lines(ply.after.config)
    assert again.record.deal == ply.after.record.deal
    assert again.state == ply.after.state
    assert again.digest == ply.after.digest
    assert again.replay.steps == ply.after.steps


@at_every_table
def test_a_table_can_be_written_down(table: Spot, rnd: Random) -> None:
    """As the position of a scenario, without secrets; it is possible, and read back as it was."""
    positions = table.game.positions
    if positions is None:
        return
    states = [table.state]
    if isinstance(table, Ply) and table.after.state.phase == OVER:
        states.append(table.after.state)
    for known in map(positions.without_secrets, states):
        keys = positions.describe_position(known, ())
        text = yaml_of("position", lines_of(keys))
        node = read(text, "table")["position"]
        again = positions.read_position(node, known.config, unchecked=False).state
        assert positions.describe_position(again, ()) == keys
        other = table.registered.other_secrets(known, None, rnd)
        for key, field in positions.FIELDS.items():
            if field.find is None:
                continue
            value = field.of(known)
            secret = known.phase == OVER or field.of(other) != value
            if key in node or not secret:
                assert field.of(again) == value, key
        if known.phase != OVER:
            assert table.game.to_move(again) == table.game.to_move(known)
            for seat in table.game.to_move(known):
                legal = table.game.legal_moves(known, seat, LISTED)
                assert table.game.legal_moves(again, seat, LISTED) == legal
                assert table.game.count_moves(again, seat) == table.game.count_moves(known, seat)


def yaml_of(key: str, lines: list[str]) -> str:
    """Return a key with these lines below it."""
    return "\n".join([f"{key}:", *(f"  {line}" for line in lines or ["{}"]), ""])


@at_every_place
def test_a_turn_can_be_taken_back(ply: Ply, rnd: Random) -> None:
    """What comes up is then the same as before."""
    if ply.after.state.phase == OVER:
        return
    match = ply.after.replay
    step = match.last_step()
    assert step is not None
    match.undo(ply.seat)
    assert match.state == step.before
    assert porto_cli.loads(match.record.text).state == step.before
    match.play(*step.moves, player=ply.seat)
    assert match.state == ply.after.state
    assert porto_cli.loads(match.record.text).replay.steps == match.replay.steps
    for other in {*ply.seats} - {ply.seat}:
        with pytest.raises(IllegalMoveError):
            match.undo(other)


def test_turns_are_counted(kind: GameKind, seed: int) -> None:
    """A move ends a turn or goes on with one."""
    for ply in played(kind, seed).plies:
        assert ply.after.state.turn - ply.state.turn in (0, 1), str(ply)


def test_a_game_ends_with_its_result(kind: GameKind, seed: int) -> None:
    game = played(kind, seed)
    for ply in game.plies:
        assert ply.game.outcome(ply.state) is None
    end = game.end
    keys = [key for item in end.record.items for key, _ in item.entries]
    if end.state.phase != OVER:
        assert RESULT not in keys
        return
    outcome = end.game.outcome(end.state)
    assert outcome is not None
    assert {len(part) for part in outcome} == {len(kind.names)}
    assert min(outcome.places) == 1
    for seat, place in enumerate(outcome.places):
        better = [other for other in outcome.places if other < place]
        assert place == len(better) + 1
        assert outcome.won[seat] <= (place == 1)
        for other, score in enumerate(outcome.scores):
            assert outcome.places[other] <= place or score <= outcome.scores[seat]
    assert result_of(game) == dict(zip(end.config.players, outcome.scores, strict=True))
    assert keys.count(RESULT) == 1
    assert keys[-1] == FINGERPRINT


def result_of(game: Playthrough) -> dict[str, int]:
    (text,) = (
        text for item in game.end.record.items for key, text in item.entries if key == RESULT
    )
    root = read(f"{RESULT}: {text}\n", "result")
    return {name: int(value.text()) for name, value in root[RESULT].mapping().items()}


# --- a real table ------------------------------------------------------------------------------


def test_what_is_typed_at_a_real_table_gives_the_same_game(kind: GameKind, seed: int) -> None:
    """The moves and what came up, taken from the record of a seeded game."""
    game = played(kind, seed)
    registered = game.plies[0].registered
    seeded = game.end
    match = porto_cli.new_game(
        seeded.config.players,
        game=kind.game,
        first=seeded.config.players[0],
        setup=registered.at_a_table(seeded.record.deal),
        **kind.options,
    )
    same = match.state == seeded.opening
    for step in seeded.steps:
        if any(map(match.game.is_secret, step.moves)):
            continue
        match.play(*step.moves, player=step.seat, came_up=came_up(match, step))
        if same:
            assert match.state == step.after
    while match.game.to_move(match.state) and seeded.state.phase == OVER:
        seat = match.game.to_move(match.state)[0]
        match.play(registered.revealed(match.state, seeded.state, seat), player=seat)
    assert match.game.outcome(match.state) == seeded.game.outcome(seeded.state)
    assert "seed:" not in match.record.text
    again = porto_cli.loads(match.record.text)
    assert again.state == match.state
    assert again.digest == match.digest


def came_up(match: Match, step: Step) -> TypedChance:
    """Return what came up by a step's item, shuffled where the order does not matter."""
    rnd = Random(step.item)
    streams: dict[str, bytes] = {}
    for key, text in step.entries[1:]:
        entry = match.game.read_chance(key, text)
        if entry:
            stream, things = entry
            if stream in match.game.meta.unordered:
                things = bytes(rnd.sample(things, len(things)))
            streams[stream] = streams.get(stream, b"") + things
    return TypedChance(match.game.meta.unordered, **streams)


# --- what is hidden stays hidden, from people who look and from programs that play -------------


PREVIEWED = 6
"""Moves that are previewed at each place."""


@at_every_place
def test_an_observation_does_not_depend_on_what_is_hidden(ply: Ply, rnd: Random) -> None:
    """Now, and in the turns that led there."""
    steps = ply.before.turns()
    for seat in (None, *ply.seats):
        seen = ply.game.observe(ply.state, seat, steps)
        assert ply.before.observe(seat) == seen
        other = ply.registered.otherwise(ply.state, seat, rnd)
        others = [
            step._replace(
                before=ply.registered.otherwise(step.before, seat, rnd),
                after=ply.registered.otherwise(step.after, seat, rnd),
            )
            for step in steps[-5:]
        ]
        assert ply.game.observe(other, seat, [*steps[:-5], *others]) == seen


@at_every_place
def test_a_glance_does_not_depend_on_what_is_hidden(ply: Ply, rnd: Random) -> None:
    """The scores in a list of games are those that the seat may know; at the end all are."""
    for seat in (None, *ply.seats):
        seen = ply.game.glance(ply.state, seat)
        other = ply.registered.otherwise(ply.state, seat, rnd)
        assert ply.game.glance(other, seat) == seen
        assert len(seen.scores) == len(ply.seats)
    outcome = ply.game.outcome(ply.after.state)
    if outcome:
        assert ply.game.glance(ply.after.state, None).scores == outcome.scores


@at_every_place
def test_a_preview_does_not_depend_on_what_is_hidden(ply: Ply, rnd: Random) -> None:
    """The last moves of a game are looked at as well, which reveal what was kept secret."""
    game, state, seat = ply.game, ply.state, ply.seat
    other = ply.registered.otherwise(state, seat, rnd)
    listed = game.legal_moves(other, seat, 60)
    assert listed == game.legal_moves(state, seat, 60)
    for move in (ply.move, *rnd.sample(listed, min(PREVIEWED, len(listed)))):
        foreseen = preview(game, state, [move], seat)
        assert preview(game, other, [move], seat) == foreseen
        assert not any(map(game.is_hidden, foreseen.events))


@at_every_place
def test_a_preview_foresees_what_can_be_foreseen(ply: Ply, rnd: Random) -> None:
    """It leaves out what comes up and what is revealed, and nothing else."""
    happened = []
    for event in ply.events:
        if ply.game.stops_foresight(event):
            break
        happened.append(event)
    foreseen = preview(ply.game, ply.state, [ply.move], ply.seat)
    assert list(foreseen.events) == [e for e in happened if not ply.game.is_hidden(e)]
    if foreseen.phase is not None:
        assert foreseen.phase == ply.after.state.phase
        names = ply.after.config.players
        assert foreseen.to_move == tuple(names[s] for s in ply.game.to_move(ply.after.state))


@at_every_place
def test_a_view_has_nothing_that_is_hidden(ply: Ply, rnd: Random) -> None:
    """The whole value is the same whatever the others hide."""
    for seat in (None, *ply.seats):
        other = ply.registered.other_secrets(ply.state, seat, rnd)
        assert ply.game.view(other, seat) == ply.game.view(ply.state, seat)


def test_what_a_seat_does_not_know_a_bystander_does_not_know(kind: GameKind, seed: int) -> None:
    def changed(*seats: int | None) -> bool:
        return any(
            ply.registered.other_secrets(ply.state, seat, rnd) != ply.state
            for ply, rnd in played(kind, seed).looked_at()
            for seat in seats
        )

    assert changed(None, *range(kind.players)) == changed(None)


@at_every_place
def test_a_resampled_state_is_consistent_with_the_view(ply: Ply, rnd: Random) -> None:
    """It looks the same from the seat, and the seat has the same moves."""
    for seat in ply.seats:
        view = ply.game.view(ply.state, seat)
        rng = Random(rnd.random())
        state = ply.game.resample(view, rng)
        assert ply.game.view(state, seat) == view
        assert ply.game.to_move(state) == ply.game.to_move(ply.state)
        assert ply.game.observe(state, seat) == ply.game.observe(ply.state, seat)
        legal = ply.game.legal_moves(ply.state, seat, LISTED)
        assert ply.game.legal_moves(state, seat, LISTED) == legal


@at_every_place
def test_a_resampled_state_can_be_played_to_its_end(ply: Ply, rnd: Random) -> None:
    game = ply.game
    state = game.resample(game.view(ply.state, ply.seat), Random(rnd.random()))
    for _ in range(400):
        if state.phase == OVER:
            break
        seat = game.to_move(state)[0]
        move = rnd.choice(game.legal_moves(state, seat, LISTED))
        state, _ = game.apply(state, move, first_of_pile, seat)
    assert state.phase == OVER or ply.kind.endless


@at_every_place
def test_what_is_hidden_makes_no_difference_to_a_choice(ply: Ply, rnd: Random) -> None:
    players = ply.registered.players()
    assert players.keys() == players_of(ply.kind.game).keys()
    other = ply.registered.other_secrets(ply.state, ply.seat, rnd)
    legal = ply.game.legal_moves(ply.state, ply.seat, LISTED)
    for player in dict.fromkeys(players.values()):  # Some have two names.
        view, hidden = (ply.game.view(state, ply.seat) for state in (ply.state, other))
        move = player(view, legal, Random(1))
        # Of a list that was cut short a player may know better moves.
        assert move in legal or len(legal) == LISTED
        assert not ply.game.violations(ply.state, move, ply.seat)
        assert ply.game.canonical_move(ply.state, move) == move
        assert player(hidden, legal, Random(1)) == move


@at_every_place
def test_the_moves_to_choose_among_are_all_that_are_legal(ply: Ply, rnd: Random) -> None:
    if len(ply.game.legal_moves(ply.state, ply.seat, LISTED)) < LISTED:
        given: list[Move] = []

        def first(view: View, moves: Sequence[Move], rng: Random) -> Move:
            given.extend(moves)
            return moves[0]

        choose(first, ply.game, ply.state, ply.seat, Random(1))
        assert given == ply.game.legal_moves(ply.state, ply.seat)


@at_every_place
def test_a_view_shows_what_the_table_shows(ply: Ply, rnd: Random) -> None:
    """So that a player can look at it with the eyes of a person."""
    for seat in ply.seats:
        view = ply.game.view(ply.state, seat)
        assert ply.game.observe(view.table, seat) == ply.game.observe(ply.state, seat)
        legal = ply.game.legal_moves(ply.state, seat, LISTED)
        assert ply.game.legal_moves(view.table, seat, LISTED) == legal


@at_every_place
def test_a_player_can_be_written_with_observations_and_texts(ply: Ply, rnd: Random) -> None:
    legal = ply.game.legal_moves(ply.state, ply.seat, LISTED)
    wanted = rnd.choice(legal)
    seen: list[Observation] = []
    text = ply.game.format_move(wanted, ply.state)

    def named(one: Observation) -> str:
        seen.append(one)
        return text

    observer = Observer(ply.kind.game, named)
    view = ply.game.view(ply.state, ply.seat)
    assert observer(view, legal, Random(1)) == wanted
    assert seen == [ply.game.observe(ply.state, ply.seat)]
