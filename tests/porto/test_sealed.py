"""Sealed games of Porto: what is said of them, and that nothing of it tells what is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

import pytest

from porto_cli.core import InvalidMoveError, enumerated
from porto_cli.core.chance import seeded_chance
from porto_cli.core.values import event_json
from porto_cli.games import game_of
from porto_cli.games.porto.engine import EMPTY, HIDDEN, PRIVATE
from porto_cli.games.porto.engine.cards import KEEP_SEALED, Draw, Keep, Revealed, may_keep
from porto_cli.games.porto.engine.play import PASS, apply, legal_moves, to_move, violations
from porto_cli.games.porto.engine.state import ACT, KEEP, SHOWN, State
from porto_cli.games.porto.engine.turn import GivenUp, finish, give_up, turn_up
from porto_cli.games.porto.notation import parse_move
from porto_cli.games.porto.options import moves
from porto_cli.games.porto.simulation import SIMULATION
from porto_cli.games.porto.view import standings, view
from porto_cli.match.match import Match, Open, new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import (
    above,
    log_json,
    news,
    score,
    score_json,
    story,
    table,
    table_html,
    table_svg,
)
from porto_cli.pages import log as history
from porto_cli.paper import lines, sentences
from porto_cli.paper.page import story_page
from porto_cli.seam import OVER, Step
from porto_cli.term import Line, Screen
from tests.conformance.kinds import GameKind
from tests.conformance.sealed import ALL, NOBODY, Looker, SealedGame, sealed
from tests.documents import validated

PORTO = game_of("porto")
THREE = GameKind("porto", 3, {})
SEATS = range(3)


def replay_of(played: SealedGame, looker: Looker, plies: int, *, waiting: bool = False) -> Replay:
    """Return the first plies of a game as somebody knows it; the record itself is another one."""
    record = new_game(played.kind.names, first=played.kind.names[0], seed="any").record
    steps = played.steps(looker, plies)
    state = played.plies[plies].before[looker] if plies < len(played.plies) else played.end[looker]
    if waiting:
        state = played.plies[plies - 1].between[looker]
        steps[-1] = steps[-1]._replace(after=state)
    return Match(record, Open(record), played.opening[looker], state, tuple(steps))


@cache
def game() -> SealedGame:
    """Return a sealed game of three, with a moment of each kind."""
    for seed in range(40):
        played = sealed(THREE, seed)
        if played.end[ALL].phase == OVER:
            return played
    raise AssertionError("no game ends")


def moments() -> Iterator[tuple[str, int, bool]]:
    """Return a moment of each kind: what it is, the plies before it, whether spaces are empty."""
    plies = game().plies
    revealing = next(n for n, ply in enumerate(plies) if ply.before[ALL].is_revealing)
    waiting = next(n for n, ply in enumerate(plies, start=1) if ply.between[ALL].is_waiting)
    contracts = next(
        n for n, p in enumerate(plies, start=1) if p.between[ALL].contracts.count(EMPTY)
    )
    yield "at first", 0, False
    yield "waiting", waiting, True
    yield "waiting for contracts", contracts, True
    yield "in the middle", len(plies) // 2, False
    yield "revealing", revealing, False
    yield "one has revealed", revealing + 1, False
    yield "over", len(plies), False


MOMENTS = [pytest.param(plies, waiting, id=name) for name, plies, waiting in moments()]
every_moment = pytest.mark.parametrize(("plies", "waiting"), MOMENTS)


def text_of(lines: list[Line]) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def everything(replay: Replay, seat: int | None) -> str:
    """Return all that is shown of a game to a seat, or a bystander."""
    parts = sentences(table(replay, seat))
    for width, color in ((60, False), (120, True)):
        screen = Screen(width=width, color=color, ascii=not color)
        parts.append(text_of(lines(table(replay, seat), screen)))
        scene = above(replay, seat, seat or 0)
        parts += [text_of(scene.lines(screen, rows)) for rows in (14, 40)]
        parts.append(text_of(lines(history(replay), Screen(width))))
        parts.append(text_of(lines(score(replay, seat), Screen(width))))
        parts += sentences(score(replay, seat))
    documents = {
        "show": PORTO.shown.table_json(replay, seat),
        "standings": score_json(replay, seat),
        "log": log_json(replay),
    }
    for name, document in documents.items():
        parts.append(json.dumps(validated(name, json.dumps(document) + "\n")))
    found = standings(replay, seat)
    picture = table_svg(replay, seat)
    ElementTree.fromstring(picture)
    parts += [picture, table_html(replay, seat)]
    if len(replay.steps) < 9 or found["over"]:
        parts.append(story_page(story(replay)))
    if seat is not None:
        parts += [move["move"] for move in moves(replay.state, seat)]
        validated("moves", json.dumps(PORTO.words.moves(replay.state, seat, {})) + "\n")
    return "\n".join(parts)


@pytest.mark.long
@every_moment
def test_what_is_shown_does_not_depend_on_what_is_hidden(plies: int, waiting: bool) -> None:
    """Whoever's program shows it: the player sees the own contracts, the others never."""
    for seat in (NOBODY, *SEATS):
        own = everything(replay_of(game(), seat, plies, waiting=waiting), seat)
        assert own == everything(replay_of(game(), ALL, plies, waiting=waiting), seat)


@every_moment
def test_names_of_contracts_are_shown_to_their_players_only(plies: int, waiting: bool) -> None:
    knowing = replay_of(game(), ALL, plies, waiting=waiting)
    if knowing.state.phase == OVER:
        return
    shown = {seat: " ".join(sentences(table(knowing, seat))) for seat in (NOBODY, *SEATS)}
    for seat in SEATS:
        names = {PRIVATE[one].name for one in knowing.state.kept[seat] or knowing.state.dealt[seat]}
        assert all(name in shown[seat] for name in names)
        is_revealed = knowing.state.seals[seat] == SHOWN
        assert is_revealed or not any(name in shown[NOBODY] for name in names if "-" in name)


@every_moment
def test_a_picture_marks_the_spaces_that_wait(plies: int, waiting: bool) -> None:
    replay = replay_of(game(), NOBODY, plies, waiting=waiting)
    holes = [*replay.state.cards, *replay.state.contracts].count(EMPTY) if waiting else 0
    drawn = table_svg(replay, None)
    assert drawn.count(">?<") == holes
    assert holes or not waiting


@pytest.mark.long_for("waiting for contracts", "in the middle", "over")
@every_moment
def test_a_missing_key_is_reported(plies: int, waiting: bool) -> None:
    replay = replay_of(game(), NOBODY, plies, waiting=waiting)
    name = THREE.names[1]
    said = everything(replay, 1)
    over = replay.state.phase == OVER
    assert (f"The private contracts of {name} are sealed" in said) == (not over)
    document = PORTO.shown.table_json(replay, 1)["sealed"]
    assert document["key_missing"] == ([] if over else [name])  # type: ignore[index]


@every_moment
def test_a_game_is_simulated_and_cut_out_from_what_is_known(plies: int, waiting: bool) -> None:
    from porto_cli.games.porto.position import describe_position, without_secrets

    for looker in (NOBODY, 0):
        state = replay_of(game(), looker, plies, waiting=waiting).state
        for known in (None, 0):
            dealt = SIMULATION.redeal(state, known, seeded_chance("redeal"))
            assert not dealt.unrevealed
            assert not dealt.is_waiting
            assert not any(HIDDEN in hand for hand in (*dealt.dealt, *dealt.kept))
        assert "private" not in describe_position(without_secrets(state))
        assert finish(state)[0].phase == OVER


# --- what waits for the next player ------------------------------------------------------------


def waiting_table() -> State:
    """Return a table in which two cards were taken, and nobody has seen what comes up."""
    state = begun(1)
    for seat in range(2):
        state, _ = apply(state, KEEP_SEALED, None, seat)
    draw = Draw((1, 2))
    state, _ = apply(state, Draw((1,)) if violations(state, draw) else draw, None, 0)
    return state


def begun(known: int | None = None, players: int = 2, **options: object) -> State:
    config = PORTO.new_config(THREE.names[:players], **options)
    deal = PORTO.sealed.deal_sealed(config, seeded_chance("tram"))
    if known is not None:
        deal = PORTO.sealed.with_hand(deal, known, config.private_deck[10:15])
    state: State = PORTO.initial_state(config, deal)
    return state


def test_an_empty_space_says_who_sees_first_what_comes_up() -> None:
    state = waiting_table()
    assert state.is_waiting
    space = state.cards.index(EMPTY)
    (violation,) = violations(state, Draw((space,)), 1)
    assert violation.rule == "P-DRAW-2"
    assert str(violation.sentence) == (
        f"Space {space + 1} is still empty; Joana sees the refill first."
    )
    after, _ = turn_up(state, seeded_chance("x"))
    assert not after.is_waiting
    assert violations(after, Draw((space,)), 1) == []


def test_a_pass_cannot_be_known_before_anything_has_come_up() -> None:
    state = waiting_table().copy()
    state.cards = bytes([EMPTY]) * 5
    state.hands = (b"", b"")
    assert legal_moves(state) == []
    (violation,) = violations(state, PASS)
    assert violation.rule == "P-PASS-1"
    assert "Joana has not seen the refill yet" in str(violation.sentence)


def test_spaces_that_stay_empty_wait_for_nobody() -> None:
    state = waiting_table().copy()
    state.deck = b""
    assert not state.is_waiting
    open_game = new_game(THREE.names[:2], seed="tram").state.copy()
    open_game.cards = bytes([EMPTY]) * 5
    assert not open_game.is_waiting


def test_after_the_last_turn_nothing_comes_up() -> None:
    played = game()
    last = next(ply for ply in played.plies if ply.between[ALL].is_revealing)
    state = last.between[ALL]
    assert EMPTY in state.cards + state.contracts or not last.came_up
    assert turn_up(state, seeded_chance("x")) == (state, [])


def test_a_simulation_begins_with_what_comes_up() -> None:
    state = begun(private_contracts=False)
    state, _ = apply(state, Draw((0,)), None, 0)
    assert state.is_waiting
    assert not SIMULATION.redeal(state, None, seeded_chance("x")).is_waiting


# --- keeping and revealing ---------------------------------------------------------------------


def test_numbers_are_for_who_has_the_key() -> None:
    state = begun(known=1)
    (violation,) = violations(state, parse_move("keep 1 2 5", state, 0), 0)
    assert violation.rule == "P-SETUP-5"
    assert str(violation.sentence) == (
        "Inês's private contracts are sealed: only Inês's key can choose three."
    )
    assert violations(state, parse_move("keep 1 2 5", state, 1), 1) == []
    assert violations(state, KEEP_SEALED, 1) == []
    assert legal_moves(state, 0) == [KEEP_SEALED]
    assert len(legal_moves(state, 1)) == 10
    names = " ".join(PRIVATE[one].name for one in state.dealt[1][:3])
    assert parse_move(f"keep {names}", state, 1) == Keep((0, 1, 2))


def test_only_a_sealed_game_keeps_sealed() -> None:
    state = new_game(THREE.names[:2], seed="tram").state
    with pytest.raises(InvalidMoveError):
        parse_move("keep sealed", state, 0)
    (violation,) = violations(state, KEEP_SEALED, 0)
    assert "not sealed" in str(violation.sentence)
    first_game = begun(private_contracts=False)
    assert first_game.phase == ACT
    assert [v.rule for v in violations(first_game, KEEP_SEALED, 0)] == ["P-SETUP-6"]


def test_contracts_are_kept_once_and_in_time() -> None:
    state, _ = apply(begun(known=1), KEEP_SEALED, None, 0)
    assert [v.rule for v in violations(state, KEEP_SEALED, 0)] == ["P-SETUP-5"]
    state, _ = apply(state, Draw((0,)), None, 0)
    assert state.phase == KEEP
    assert may_keep(state, 1)
    state, _ = apply(state, Keep((0, 1, 2)), None, 1)
    assert state.kept[1] == bytes(sorted(state.dealt[1][:3]))
    assert not may_keep(state, 1)


def at_the_end(looker: Looker) -> State:
    return next(ply.before[looker] for ply in game().plies if ply.before[looker].is_revealing)


def test_a_reveal_names_what_was_kept() -> None:
    state = at_the_end(0)
    assert to_move(state) == (0, 1, 2)
    assert not any(
        contract and contract["can_be_met"] != "never"
        for contract in view(state)["public_contracts"]
    )
    kept, other = state.kept[0], [one for one in state.dealt[0] if one not in state.kept[0]]
    assert violations(state, Keep((), tuple(kept)), 0) == []
    for wrong, said in (
        (Keep((0, 1, 2)), "must name"),
        (KEEP_SEALED, "must name"),
        (Keep((), tuple(kept[:2])), "kept 3 private contracts, not 2"),
        (Keep((), tuple(sorted((kept[0], kept[1], other[0])))), "is not one of"),
        (Draw((0,)), "three private contracts to keep first"),
    ):
        found = violations(state, wrong, 0)
        assert any(said in str(violation.sentence) for violation in found), wrong
    with pytest.raises(InvalidMoveError, match="by their names"):
        parse_move("keep 1 2 3", state, 0)
    after, events = apply(state, Keep((), tuple(kept)), None, 0)
    assert events == [Revealed(0, kept)]
    assert events[0].told(state.config.players) == (
        f"Inês revealed three private contracts: {enumerated(PRIVATE[one].name for one in kept)}."
    )
    assert event_json(events[0], state.config)["contracts"] == [PRIVATE[one].name for one in kept]
    assert to_move(after) == (1, 2)
    assert "already revealed" in str(violations(after, Keep((), tuple(kept)), 0)[0].sentence)


def test_what_one_has_revealed_no_other_can_have_kept() -> None:
    """Unless there are more cards of it; what only one's own program knows makes no difference."""
    state = at_the_end(NOBODY)
    single = bytes(one for one, card in enumerate(PRIVATE) if card.copies == 1)[:3]
    assert violations(state, Keep((), tuple(single)), 1) == []
    state, _ = apply(state, Keep((), tuple(single)), None, 1)
    mine = at_the_end(0)
    assert violations(mine, Keep((), tuple(mine.kept[0])), 1) == []
    found = violations(state, Keep((), tuple(single)), 2)
    assert "There is only one" in str(found[0].sentence)


# --- who was given up --------------------------------------------------------------------------


def given_up(place: int, gone: int) -> Replay:
    """Return a game that ended without a player, who was given up at some place."""
    replay = replay_of(game(), ALL, place)
    before = replay.state
    state, events = give_up(before, [gone])
    players, other = before.config.players, 0 if gone else 1
    entry = (players[other], f"without {players[gone]}")
    step = Step(len(replay.steps), other, before, state, (), tuple(events), (entry,))
    replay = replay._replace(steps=(*replay.steps, step), state=state)
    hidden = {ply.seat: ply for ply in game().plies if ply.hidden}
    for nth in range(400):
        if state.phase == OVER:
            break
        if state.is_waiting:
            state, _ = turn_up(state, seeded_chance(f"{nth}"))
        seat = state.seat
        found = [move for move in moves(state, seat) if move["kind"] != "keep"]
        if found:
            move = parse_move(found[0]["move"], state, seat)
        else:
            keep = hidden[seat]
            move = PORTO.sealed.reveal(keep.hidden) if state.is_revealing else keep.move
        before, text = state, PORTO.format_move(move, state)
        state, happened = apply(state, move, None, seat)
        entries = ((state.config.players[seat], text),)
        last = replay.steps[-1]
        if before.built:
            more = last._replace(
                after=state,
                moves=(*last.moves, move),
                events=(*last.events, *happened),
                entries=(*last.entries, ("contract", text.removeprefix("contract "))),
            )
            replay = replay._replace(steps=(*replay.steps[:-1], more), state=state)
            continue
        step = Step(last.item + 1, seat, before, state, (move,), tuple(happened), entries)
        replay = replay._replace(steps=(*replay.steps, step), state=state)
    assert state.phase == OVER
    return replay


@pytest.mark.long
@pytest.mark.parametrize("when", ["at first", "after a build", "in the middle", "while revealing"])
def test_who_was_given_up_is_named_everywhere(when: str) -> None:
    plies = game().plies
    revealing = next(n for n, ply in enumerate(plies) if ply.before[ALL].is_revealing)
    built = next(n for n, ply in enumerate(plies) if ply.before[ALL].built)
    place = {
        "at first": 0,
        "after a build": built,
        "in the middle": len(plies) // 2,
        "while revealing": revealing,
    }[when]
    gone = plies[place].before[ALL].seat if place else 1
    replay = given_up(place, gone)
    name = THREE.names[gone]
    state = replay.state
    assert [seat for seat in SEATS if state.seals[seat] == 2] == [gone]
    assert f"{name}: unproven" in dict(PORTO.result_entries(state))["private"]
    sentence = f"{name} was given up"
    screen = Screen(width=100, color=False)
    for seat in (None, *SEATS):
        assert sentence in text_of(lines(table(replay, seat), screen))
        assert sentence in " ".join(sentences(table(replay, seat)))
        assert sentence in text_of(lines(score(replay, seat), screen))
        assert sentence in " ".join(sentences(score(replay, seat)))
        found = standings(replay, seat)
        assert found["given_up"] == [name]
        assert "Given up: private contracts unknown" in table_svg(replay, seat)
        assert sentence in table_html(replay, seat)
        assert sentence in story_page(story(replay))
        scores = next(one for one in found["players"] if one["name"] == name)
        assert scores["private"] is None
        assert scores["sources"]["private"] == 0
        document = validated("standings", json.dumps(score_json(replay, seat)) + "\n")
        assert document["given_up"] == [name]
        document = validated("show", json.dumps(PORTO.shown.table_json(replay, seat)) + "\n")
        assert document["sealed"]["given_up"] == [name]
        assert document["result"]["given_up"] == [name]
    assert f"The game goes on without {name}." in text_of(lines(history(replay), Screen(100)))
    step = next(step for step in replay.steps if not step.moves)
    one, *_ = news(replay._replace(steps=(step,), state=step.after), gone)
    said = [f"{state.config.players[step.seat]} said that you have vanished."]
    said.append("The game goes on without you.")
    assert [*one.full] == said == [text for text, *_ in one.short]
    turns = [turn for turn in log_json(replay)["turns"] if turn["turn"]]
    told = [turn["standing"] for turn in turns if not turn["undone"]]
    for frame, scores in zip(story(replay).frames[1:-1], told, strict=True):
        assert frame.numbers == [scores]
    log = validated("log", json.dumps(log_json(replay)) + "\n")
    assert [turn["kind"] for turn in log["turns"]].count("gone") == 1
    others = [player for player in THREE.names if player != name]
    assert {turn["player"] for turn in log["turns"][place + 1 :]} <= {*others}


def test_a_turn_that_was_going_on_ends_without_its_player() -> None:
    ply = next(ply for ply in game().plies if ply.before[ALL].built)
    state, events = give_up(ply.before[ALL], [ply.seat])
    assert state.built is None
    assert state.claimable == ()
    assert state.turn > ply.before[ALL].turn
    assert events == [GivenUp(ply.seat)]


def test_without_anybody_a_game_is_over() -> None:
    state, _ = give_up(begun(), [0, 1])
    assert state.phase == OVER
    assert state.scores == (0, 0)
    with pytest.raises(ValueError, match="not over"):
        give_up(state, [0])
    with pytest.raises(ValueError, match="sealed game"):
        give_up(new_game(THREE.names[:2], seed="x").state, [0])
