"""Games with a seed whose turns are signed: nobody rewrites a choice that others have."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from porto_cli.cli.session import Session, StoppedError
from porto_cli.core.message import PortoError
from porto_cli.match.match import Match, loads
from porto_cli.match.new_game import new_game
from porto_cli.match.replay import IllegalMoveError
from tests.porto.asking import Scripted
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    chain_of,
    human,
    keys,
    machine,
    moved,
    new_journals,
    played,
    refused,
    seen_by,
    signed_game,
    steps_of,
    with_step,
    with_steps,
)


@pytest.fixture(scope="module")
def running() -> str:
    new_journals()
    return played(signed_game(), 5)


def test_what_people_read_is_that_of_an_open_game_with_a_fact_in_its_head(running: str) -> None:
    plain = human(running).replace("signed: true\n", "", 1)
    opened = loads(plain, FILE)
    signed = loads(running, FILE, BYSTANDER)
    assert signed.state == opened.state
    assert signed.fingerprint != opened.fingerprint
    assert "signed: true\n" in human(running)


def test_a_key_is_added_with_the_first_own_turn() -> None:
    text = signed_game()
    assert chain_of(text).keys == {}
    text = moved(text, lambda match: match.play("keep 1 2 3", player="Ana"), "Ana")
    assert list(chain_of(text).keys) == [0]


@pytest.mark.long
def test_a_whole_game_is_played_to_its_end() -> None:
    text = played(signed_game(), 999)
    assert loads(text, FILE, BYSTANDER).over
    assert "\n- result: {" in human(text)
    result = next(line for line in human(text).splitlines() if line.startswith("- result"))
    refused(text.replace(result, "- result: {Ana: 1, Rui: 0}"))


@pytest.mark.long
def test_puerto_rico_is_signed_as_well() -> None:
    match = new_game(
        ["Ana", "Rui", "Bea"], game="puerto-rico", seed="x", signed=True, keys=BYSTANDER
    )
    text = match.record.text
    for _ in range(12):
        name = loads(text, FILE, BYSTANDER).to_move()[0]
        text = moved(text, lambda match: match.play(match.legal_moves()[0]), name)
    assert len(chain_of(text).keys) == 3
    lines = human(text).splitlines(keepends=True)
    refused("".join([*lines, lines[-1]]) + machine(text))
    refused("".join(lines[:-1]) + machine(text))


def test_a_changed_choice_is_noticed_although_the_seed_fits(running: str) -> None:
    """Whoever has the seed can make another move and write what it would have turned up."""
    match = seen_by(running, "Ana")
    last = match.replay.last_step()
    assert last is not None
    cut = human(running)[: human(running).rindex("\n- ") + 1].replace("signed: true\n", "")
    other = loads(cut, FILE)
    wanted = next(move for move in other.legal_moves() if move != last.moves[0])
    other.play(wanted)
    forged = other.record.text.replace("seed: tram\n", "seed: tram\nsigned: true\n")
    assert "has signed" in refused(forged + machine(running))


def test_a_key_once_seen_may_not_change(running: str) -> None:
    stranger = loads(running, FILE, keys("Eva"))
    with pytest.raises(PortoError, match="belongs to the key"):
        stranger.play(stranger.legal_moves()[0])
    name = stranger.to_move()[0]
    result = refused(with_step(running, name, {"kind": "join", "key": "A" * 43 + "="}))
    assert "may not change" in result


def test_a_seat_that_nobody_has_signed_for_can_be_played_by_any_key() -> None:
    """At one keyboard the turns of all are signed with one key, and it says so."""
    match = loads(signed_game(), FILE, keys("Ana"))
    match.play("keep 1 2 3", player="Ana")
    match.play(match.legal_moves()[0])
    match.play("keep 1 2 3", player="Rui")
    match.play(match.legal_moves()[0])
    match.read_back()
    chain = chain_of(match.record.text)
    assert chain.keys[0] == chain.keys[1]


def test_an_undo_is_signed_and_never_possible_after_somebody_else_moved(running: str) -> None:
    name = loads(running, FILE, BYSTANDER).to_move()[0]
    once = moved(running, lambda match: match.play(match.legal_moves()[0]))
    back = moved(once, lambda match: match.undo(name), name)
    assert steps_of(back)[-1]["content"]["entries"] == [[name, "undo"]]
    assert loads(back, FILE, BYSTANDER).state == loads(running, FILE, BYSTANDER).state
    further = played(once, 1)
    with pytest.raises(IllegalMoveError):
        seen_by(further, name).undo(name)


def test_a_turn_that_was_taken_back_is_redone_as_a_signed_turn(
    running: str, tmp_path: Path
) -> None:
    name = loads(running, FILE, BYSTANDER).to_move()[0]
    once = moved(running, lambda match: match.play(match.legal_moves()[0]))
    back = moved(once, lambda match: match.undo(name), name)

    def redo(match: Match) -> None:
        match.save(tmp_path / FILE)
        with suppress(StoppedError):
            Session(match, Scripted(f"Redo {name}'s turn", "Stop"), match.seat(name)).run()

    again = moved(back, redo, name)
    assert steps_of(again)[-1]["content"]["entries"] == steps_of(once)[-1]["content"]["entries"]
    assert loads(again, FILE, BYSTANDER).state == loads(once, FILE, BYSTANDER).state


def test_a_turn_of_somebody_else_cannot_be_signed(running: str) -> None:
    mover = loads(running, FILE, BYSTANDER).to_move()[0]
    other = "Rui" if mover == "Ana" else "Ana"
    content = {"kind": "turn", "entries": [[mover, "pass"]]}
    assert f"but {other} has signed it" in refused(with_step(running, other, content))


@pytest.mark.parametrize("kind", ["unlock", "reveal", "gone", "dance"])
def test_steps_of_sealed_games_have_no_place(running: str, kind: str) -> None:
    content = {
        "unlock": {"setup": {}},
        "reveal": {"seed": "A" * 43 + "="},
        "gone": {"without": [0], "entries": [["Rui", "without Ana"]]},
    }.get(kind, {})
    assert "tep" in refused(with_step(running, "Rui", {"kind": kind, **content}))


def test_the_head_cannot_be_changed(running: str) -> None:
    assert "head" in refused(running.replace("tie-break: contracts-first", "tie-break: seat-first"))
    assert "removed from its header" in refused(running.replace("signed: true\n", ""))
    assert "signed" in refused(running.replace("signed: true", "signed: false"))


def test_steps_are_neither_deleted_nor_swapped(running: str) -> None:
    steps = steps_of(running)
    for nth in range(len(steps) - 1):
        assert refused(with_steps(running, [*steps[:nth], *steps[nth + 1 :]]))
    assert "older copy" in refused(with_steps(running, steps[:-1]))


def test_a_real_table_is_not_signed() -> None:
    setup = new_game(["Ana", "Rui"], seed="a").record.deal
    with pytest.raises(ValueError, match="real table"):
        new_game(["Ana", "Rui"], setup=setup, signed=True)
