"""What a cheater could do to a record; the honest program names the step and the signer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.core import PortoError
from porto_cli.match.match import loads
from porto_cli.sealed import copies as forks
from porto_cli.sealed import to_text
from porto_cli.sealed.steps import Head
from tests.sealed.people import sign
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    NAMES,
    chain_of,
    finished,
    human,
    identity,
    keys,
    machine,
    moved,
    mover,
    new_journals,
    played,
    played_out,
    refused,
    resigned,
    seen_by,
    set_up,
    stations,
    steps_of,
    taken_back,
    unrevealed,
    with_step,
    with_steps,
)

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def running() -> str:
    """A running game of two."""
    new_journals()
    return played(set_up(), 6)


def line_with(text: str, what: str) -> str:
    return next(line for line in human(text).splitlines() if what in line)


OPEN = {"private_contracts": False}
"""Without private contracts, so that the setup has no proofs and is quick."""


# -- What people read


def test_an_edited_turn_is_named_with_step_and_signer(running: str) -> None:
    line = line_with(running, "- Rui: draw")
    result = refused(running.replace(line, "- Rui: draw green-3 green-3", 1))
    found = "The record has 'Rui: draw green-3 green-3' here, but step "
    assert re.search(found + r"\d+, signed by Rui, leads to 'Rui: draw ", result)


def test_a_deleted_turn_is_named(running: str) -> None:
    lines = human(running).splitlines(keepends=True)
    nth = next(n for n, line in enumerate(lines) if line.startswith("- Rui: keep"))
    output = refused("".join(lines[:nth] + lines[nth + 1 :]) + machine(running))
    assert "signed by Rui, leads to 'Rui: keep sealed'" in output


def test_swapped_turns_are_named(running: str) -> None:
    lines = human(running).splitlines(keepends=True)
    nth = next(n for n, line in enumerate(lines) if line.startswith("- Rui: keep"))
    lines[nth], lines[nth + 1] = lines[nth + 1], lines[nth]
    assert "Rui" in refused("".join(lines) + machine(running))


def test_an_invented_turn_is_named(running: str) -> None:
    text = f"{human(running)}- {mover(running)}: draw blue-1\n{machine(running)}"
    assert "No signature covers 'Ana: draw blue-1' here" in refused(text)
    inserted = human(running).replace("turns:\n", "turns:\n- Rui: pass\n", 1) + machine(running)
    assert "The record has 'Rui: pass' here, but step " in refused(inserted)


def test_what_came_up_cannot_be_changed(running: str) -> None:
    line = line_with(running, "  refill: ")
    result = refused(running.replace(line, "  refill: blue-3", 1))
    steps = chain_of(running).steps
    decides = next(step.height for step in steps if "release" in step.content)
    signer = chain_of(running).by(decides)
    assert f"but step {decides}, signed by {signer}, leads to '{line.strip()}'" in result


def test_who_goes_on_decides_what_came_up_and_not_who_moved_before() -> None:
    """In one copy the next player goes on, in the other one all others go on without that player;
    what was drawn before is the same step in both.
    """
    text = played(set_up(3, which="two ways on", **OPEN), 1)
    drawer, gone = chain_of(text).by(len(steps_of(text))), mover(text)
    one, other = played(text, 1), text
    for name in sorted({*NAMES[:3]} - {gone}):
        other = moved(other, lambda match, name=name: match.give_up(gone, player=name), name)
    other = played(other, 1)
    for above, below in ((one, other), (other, one)):
        decides = len(steps_of(below))
        signer = chain_of(below).by(decides)
        result = refused(human(above) + machine(below))
        assert signer != drawer
        assert "The record has 'refill: " in result
        assert f"but step {decides}, signed by {signer}, leads to 'refill: " in result


def test_a_turn_that_was_split_or_merged_with_the_next_is_named(running: str) -> None:
    refill, keep = line_with(running, "  refill: "), line_with(running, "- Rui: keep")
    for line, first in ((refill, "- "), (keep, "  ")):
        entry = line[2:]
        result = refused(running.replace(line, first + entry, 1))
        assert f"The record has '{entry}' in another turn here, but step " in result
        assert f"leads to '{entry}'" in result


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tie-break: contracts-first", "tie-break: seat-first"),
        ("edition: mebo-2019\n", ""),
        ("players: [Ana, Rui]", "players: [Rui, Ana]"),
        ("players: [Ana, Rui]", "players: [Ana, Eva]"),
        ("secrecy: sealed", "secrecy: open\nseed: tram"),
        ("L3: ", "L4: "),
    ],
)
def test_the_head_cannot_be_changed(running: str, old: str, new: str) -> None:
    if new:
        refused(running.replace(old, new, 1))
    else:
        # Left out, the edition is this one anyway.
        loads(running.replace(old, new, 1), FILE, BYSTANDER)


def test_a_result_cannot_be_changed() -> None:
    text = finished()
    result = line_with(text, "- result:")
    refused(text.replace(result, "- result: {Ana: 99, Rui: 1}", 1))
    refused(text.replace(human(text)[human(text).index("- result") :], "", 1))


# -- The steps


def test_a_step_that_was_edited_is_named(running: str) -> None:
    steps = steps_of(running)
    steps[6] = {**steps[6], "content": {**steps[6]["content"], "entries": [["Ana", "pass"]]}}
    assert "does not have" in refused(with_steps(running, steps))


@pytest.mark.parametrize("nth", [0, 1, 4, 6])
def test_a_step_that_was_deleted_or_moved_is_noticed(running: str, nth: int) -> None:
    steps = steps_of(running)
    assert "step" in refused(with_steps(running, steps[:nth] + steps[nth + 1 :]))
    steps[nth], steps[nth + 1] = steps[nth + 1], steps[nth]
    assert "step" in refused(with_steps(running, steps))


def test_a_step_of_another_game_is_refused(running: str) -> None:
    other = played(stations(2)[-1], 6)
    steps = steps_of(running)
    for nth in (2, 7):
        mixed = [*steps[:nth], steps_of(other)[nth], *steps[nth + 1 :]]
        assert "another" in refused(with_steps(running, mixed))


def test_nobody_can_sign_for_another_player(running: str) -> None:
    chain = chain_of(running)
    other = "Rui" if mover(running) == "Ana" else "Ana"
    content = {
        "by": chain.players.index(mover(running)),
        "kind": "turn",
        "entries": [["Ana", "pass"]],
    }
    step = sign(chain.head, identity(other), content)
    result = refused(with_steps(running, [*steps_of(running), step.to_json()]))
    assert "A step does not have a valid signature of the player named in it" in result
    assert "signed by" not in result


@pytest.mark.parametrize("skipped", [0, 2, 200])
def test_an_invented_or_skipped_value_is_refused(running: str, skipped: int) -> None:
    name = mover(running)
    match = seen_by(running, name)
    sealed = match.replay.sealed
    assert sealed is not None
    by = chain_of(running).players.index(name)
    number = sealed.releases[by].number + skipped
    value = sealed.secrets[by].release(number) if skipped < 100 else bytes(32)
    result = refused(
        with_step(
            running,
            name,
            {
                "kind": "turn",
                "entries": [[name, match.text(match.legal_moves()[0])]],
                "release": to_text(value),
            },
        )
    )
    assert name in result
    assert "chain" in result


def test_a_turn_without_its_release_and_a_release_without_its_turn_are_refused(
    running: str,
) -> None:
    name = mover(running)
    match = seen_by(running, name)
    entries = [[name, match.text(match.legal_moves()[0])]]
    result = refused(with_step(running, name, {"kind": "turn", "entries": entries}))
    assert f"signed by {name}" in result
    assert "has to release" in result
    after = moved(running, lambda match: match.undo(), chain_of(running).by(len(steps_of(running))))
    back = mover(after)
    sealed = seen_by(after, back).replay.sealed
    assert sealed is not None
    by = chain_of(after).players.index(back)
    value = to_text(sealed.secrets[by].release(sealed.releases[by].number + 1))
    entries = [[back, seen_by(after, back).text(seen_by(after, back).legal_moves()[0])]]
    content = {"kind": "turn", "entries": entries, "release": value}
    assert "although nothing is to come up" in refused(with_step(after, back, content))
    for entries in ([["contract", "blue+yellow"]], [[mover(running), "pass"]]):
        content = {"kind": "turn", "entries": entries}
        nobodys = refused(with_step(after, back, content))
        assert "neither begins a turn of its player nor continues one" in nobodys


def test_an_illegal_move_does_not_become_legal_by_being_signed(running: str) -> None:
    name = mover(running)
    sealed = seen_by(running, name).replay.sealed
    assert sealed is not None
    by = chain_of(running).players.index(name)
    value = to_text(sealed.secrets[by].release(sealed.releases[by].number + 1))
    for move in ("pass", "draw blue-1 blue-1 blue-1", "keep 1 2 3", "keep sealed", "dance", "undo"):
        content = {"kind": "turn", "entries": [[name, move]], "release": value}
        assert f"signed by {name}" in refused(with_step(running, name, content))


def test_a_key_cannot_change_midway(running: str) -> None:
    content = {"kind": "join", "setup": {"key": to_text(identity("Eva").public)}}
    result = refused(with_step(running, "Rui", content))
    assert "may not change" in result
    assert "signed by Rui" in result
    forged_join = refused(forged(running, content, by=1))
    assert "does not have a valid signature" in forged_join
    assert "may not change" not in forged_join


def test_a_join_that_is_repeated_changes_no_key(running: str) -> None:
    steps = steps_of(running)
    for nth in (1, 2, 5, len(steps)):
        result = refused(with_steps(running, [*steps[:nth], steps[0], *steps[nth:]]))
        assert f"has the number 1, but {nth + 1} comes next" in result
        assert "may not change" not in result


def test_two_versions_of_a_step_are_found_and_proven(running: str) -> None:
    name = mover(running)
    moves = seen_by(running, name).legal_moves()
    one = moved(running, lambda match: match.play(moves[0]))
    new_journals()
    other = moved(running, lambda match: match.play(moves[1]))
    found = forks.two_versions(chain_of(one), chain_of(other))
    assert found is not None
    assert chain_of(one).players[found.by] == name
    assert found.height == len(steps_of(running)) + 1
    assert forks.two_versions(chain_of(one), chain_of(running)) is None


def test_the_program_signs_no_second_version(running: str) -> None:
    moves = seen_by(running, mover(running)).legal_moves()
    moved(running, lambda match: match.play(moves[0]))
    moved(running, lambda match: match.play(moves[0]))
    with pytest.raises(PortoError, match="another version"):
        moved(running, lambda match: match.play(moves[1]))


def test_who_has_lost_the_journal_is_told_and_still_signs_no_second_version(running: str) -> None:
    name = mover(running)
    further = moved(running, lambda match: match.play(match.legal_moves()[0]))
    new_journals()
    own = keys(name)
    match = loads(played(further, 1), FILE, own)
    with pytest.warns(UserWarning, match="journal was lost"):
        match.play(match.legal_moves()[0])
    # The old copy is refused from then on.
    old = loads(running, FILE, own)
    with pytest.raises(PortoError, match="another version"):
        old.play(old.legal_moves()[1])


# -- The set-up


def test_nobody_takes_part_twice_or_out_of_turn() -> None:
    texts = stations(2)
    steps = steps_of(texts[0])
    result = refused(with_steps(texts[0], [*steps, *steps]))
    assert "step" in result
    begun = chain_of(texts[0])
    content = {"by": 1, "kind": "turn", "entries": [["Rui", "pass"]]}
    step = sign(begun.head, identity("Rui"), content)
    refused(with_steps(texts[0], [*steps, step.to_json()]))


def test_who_is_next_in_a_setup_is_told_of_the_step_that_has_to_come() -> None:
    text = stations(2)[1]
    other = {"kind": "turn", "entries": [["Ana", "undo"]]}
    assert "the next step of the setup is this player's unlock" in refused(
        with_step(text, "Ana", other)
    )
    early = {"kind": "unlock", "setup": {}}
    assert "the next step of the setup is another player's unlock" in refused(
        with_step(text, "Rui", early)
    )


def test_a_shuffle_that_was_changed_is_refused_with_its_step() -> None:
    text = stations(2)[1]

    def other_base(content: dict) -> None:
        setup = dict(content["setup"])
        setup["base"] = chain_of(text).steps[0].content["setup"]["base"]
        content["setup"] = setup

    result = refused(resigned(text, 2, other_base))
    assert "shuffle is not proven" in result
    # The join names its key itself, so that anybody can have made it.
    assert result.endswith("This is in step 2.")


def test_a_set_up_cannot_be_played_by_adding_what_was_dealt() -> None:
    text = stations(2)[1]
    dealt = set_up()
    head = human(dealt)
    refused(head + machine(text))


def test_parts_of_different_copies_do_not_fit(running: str) -> None:
    older, newer = running, played(running, 3)
    assert "older copy" in refused(human(newer) + machine(older))
    assert "older copy" in refused(human(older) + machine(newer))
    refused(human(stations(2)[1]) + machine(set_up()))


# -- The end


def last_steps(text: str) -> tuple[str, int]:
    """Return who reveals last, and the height of that step."""
    chain = chain_of(text)
    return chain.by(len(chain.steps)), len(chain.steps)


def test_a_wrong_seed_is_refused() -> None:
    text = finished()
    name, height = last_steps(text)
    result = refused(
        resigned(text, height, lambda content: content.update(seed=to_text(bytes(32))))
    )
    assert f"signed by {name}" in result
    assert "not the seed" in result


def test_contracts_that_were_not_kept_or_not_dealt_cannot_be_revealed() -> None:
    text = finished()
    name, height = last_steps(text)
    match = seen_by(played_out(), name)
    seat = match.seat(name)
    dealt = match.state.dealt[seat]
    # What somebody else has shown would be refused for that.
    shown = b"".join(loads(text, FILE, BYSTANDER).state.kept)
    others = [c for c in match.config.private_deck if c not in dealt and c not in shown]
    unkept = bytes(sorted(set(dealt) - set(match.state.kept[seat])))
    for wrong in (bytes(others[:3]), bytes(sorted(match.state.kept[seat][:2] + unkept[:1]))):
        move = match.text(match.game.sealed.reveal(wrong))
        changed = resigned(
            text, height, lambda content, move=move: content.update(entries=[[name, move]])
        )
        result = refused(changed)
        assert f"signed by {name}" in result
        assert "dealt" in result or "committed to" in result


def test_nobody_reveals_twice_or_too_early(running: str) -> None:
    name = mover(running)
    sealed = seen_by(running, name).replay.sealed
    assert sealed is not None
    by = chain_of(running).players.index(name)
    seed = to_text(sealed.secrets[by].seed)
    assert name in refused(with_step(running, name, {"kind": "reveal", "seed": seed}))
    text = finished()
    chain = chain_of(text)
    again = dict(chain.steps[-1].content)
    assert "before" in refused(with_step(text, chain.by(len(chain.steps)), again))


def test_nobody_takes_back_the_last_turn_of_a_game() -> None:
    """Its player would know by then what others have revealed."""
    text = unrevealed(played_out())
    last = chain_of(text).by(len(steps_of(text)))
    before = played(set_up(which="played out"), 4)
    assert loads(taken_back(before), FILE, BYSTANDER).steps[-1].takes_back is not None
    result = refused(taken_back(text))
    assert "none once the last turn is over" in result
    assert f"signed by {last}" in result


def test_nobody_is_given_up_by_one_alone() -> None:
    text = played(set_up(3), 4)
    text = moved(text, lambda match: match.give_up("Bea", player="Ana"), "Ana")
    sealed = loads(text, FILE, BYSTANDER).replay.sealed
    assert sealed is not None
    assert not sealed.given_up
    for content in (
        {"kind": "gone", "without": [1], "entries": [["Rui", "without Rui"]]},
        {"kind": "gone", "without": [], "entries": [["Rui", "without "]]},
        {"kind": "gone", "without": [7], "entries": [["Rui", "without Eva"]]},
        {"kind": "gone", "without": [2, 7], "entries": [["Rui", "without Bea"]]},
        {"kind": "gone", "without": [2], "entries": [["Rui", "without Ana"]]},
    ):
        result = refused(with_step(text, "Rui", content))
        assert "signed by Rui" in result
        names = "The step names nobody, or somebody who does not play."
        assert (names in result) == (not content["without"] or 7 in content["without"])
    undo = {"kind": "turn", "entries": [["Ana", "undo"]]}
    assert "Only turns can be taken back" in refused(with_step(text, "Ana", undo))


# -- The form of the machine part

DAMAGE: dict[str, Callable[[str], str]] = {
    "cut off in a step": lambda part: part[: len(part) * 2 // 3],
    "all but the mark": lambda part: "seals: |\n",
    "another mark": lambda part: part.replace("seals: |", "seals: >", 1),
    "a line that is not indented": lambda part: part.replace("\n  {", "\n{", 2),
    "a key behind it": lambda part: part + "title: late\n",
    "base64 with a wrong letter": lambda part: re.sub(r"(signature.{30})\w", r"\1!", part, count=1),
    "base64 cut short": lambda part: part.replace('=="}', '="}', 1),
    "true for 1": lambda part: part.replace('"by":1', '"by":true', 1),
    "1.0 for 1": lambda part: part.replace('"by":1', '"by":1.0', 1),
    "a text for a number": lambda part: part.replace('"by":1', '"by":"1"', 1),
    "null": lambda part: part.replace('"by":1', '"by":null', 1),
    "a key twice": lambda part: part.replace('{"content"', '{"height":1,"content"', 1),
    "a key that there is not": lambda part: part.replace('{"content"', '{"also":1,"content"', 1),
    "another spelling": lambda part: part.replace('"by":1', '"\\u0062y":1', 1),
    "a list": lambda part: part.replace("  {", "  [{", 1),
    "letters beyond ASCII": lambda part: part.replace("  {", "  é{", 1),
    "a control": lambda part: part.replace("  {", "  \x07{", 1),
    "deep nesting": lambda part: part.replace("  {", "  " + "[" * 5000 + "{", 1),
    "a huge number": lambda part: part.replace('"by":1', '"by":' + "9" * 5000, 1),
    "half a character": lambda part: part.replace('"nonce":"', '"nonce":"\\ud800', 1),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_machine_part_is_refused_with_its_place(running: str, what: str) -> None:
    part = re.sub(r"\n  (?=[^#{])", "", machine(running))
    changed = DAMAGE[what](part)
    assert changed != part
    refused(human(running) + changed)


def test_a_game_without_its_machine_part_and_one_with_too_much(running: str) -> None:
    assert "missing" in refused(human(running))
    opened = human(running).replace("secrecy: sealed", "secrecy: open\nseed: tram")
    assert "the game is not sealed" in refused(opened + machine(running))


def test_every_line_of_the_machine_part_counts(running: str) -> None:
    lines = machine(running).splitlines(keepends=True)
    for nth in range(3, len(lines), 37):
        refused(human(running) + "".join(lines[:nth] + lines[nth + 1 :]))


# --- steps that somebody else has made in a player's name -------------------------------------


FORGER = identity("Mallory")
KEY = to_text(FORGER.public)
HASH = to_text(bytes(32))

FORGED: dict[str, dict[str, object]] = {
    "a turn": {"kind": "turn", "entries": [["Ana", "pass"]]},
    "a turn of another player": {"kind": "turn", "entries": [["Rui", "pass"]]},
    "a turn without entries": {"kind": "turn"},
    "a turn with no entries": {"kind": "turn", "entries": []},
    "a turn with odd entries": {"kind": "turn", "entries": [["Ana"]]},
    "a turn with more": {"kind": "turn", "entries": [["Ana", "pass"]], "also": 1},
    "a turn with a release": {"kind": "turn", "entries": [["Ana", "pass"]], "release": HASH},
    "a turn with no release": {"kind": "turn", "entries": [["Ana", "pass"]], "release": "x"},
    "a commitment": {"kind": "turn", "entries": [["Ana", "keep sealed"]], "commitment": HASH},
    "an undo": {"kind": "turn", "entries": [["Ana", "undo"]]},
    "no kind": {},
    "a kind that is no text": {"kind": 7},
    "an unknown kind": {"kind": "dance"},
    "a second join": {"kind": "join", "key": KEY},
    "a second join of a set-up": {"kind": "join", "setup": {"key": KEY}},
    "a join with no key": {"kind": "join", "key": "x"},
    "a join with nothing": {"kind": "join"},
    "an unlock": {"kind": "unlock", "setup": {}},
    "an unlock with nothing": {"kind": "unlock"},
    "a seed": {"kind": "reveal", "seed": HASH},
    "no seed": {"kind": "reveal"},
    "a vanished player": {"kind": "gone", "without": [1], "entries": [["Ana", "without Rui"]]},
    "nobody vanished": {"kind": "gone", "without": [], "entries": [["Ana", "without "]]},
    "another rule": {
        "kind": "gone", "without": [1], "entries": [["Ana", "without Rui"]], "rule": 9,
    },
}  # fmt: skip


def forged(text: str, content: dict[str, object], by: int = 0) -> str:
    """Return a record with a step at its end that somebody else has signed for a player."""
    step = sign(chain_of(text).head, FORGER, {"by": by, **content})
    return with_steps(text, [*steps_of(text), step.to_json()])


def accuses(sentence: str, name: str = "Ana") -> bool:
    """Return whether a sentence says that a player has signed something that is not good."""
    return bool(
        re.search(rf"signed by {name}|{name} has signed|signature of {name}|by {name}\)", sentence)
    )


def demand_nobody_is_accused(porto: Callable, text: str, *, joins: bool = False) -> None:
    file = Path("game.yaml")
    file.write_text(text, "utf-8")
    desk = Path("desk")
    desk.mkdir(exist_ok=True)
    commands: list[tuple[str, ...]] = [
        ("show", "game.yaml"),
        ("verify", "game.yaml"),
        ("receive", "game.yaml", "--folder", "desk"),
    ]
    if joins:
        commands.append(("join", "game.yaml", "--as", "Rui"))
    for words in commands:
        result = porto(*words)
        assert result.code != 0, (words, result.out)
        assert "Traceback" not in result.err
        assert not accuses(result.out + result.err), result.out + result.err


@pytest.mark.parametrize("what", FORGED)
def test_in_a_sealed_game(porto, what: str) -> None:
    text = played(set_up(2, 0, **OPEN), 2)
    demand_nobody_is_accused(porto, forged(text, FORGED[what]))


@pytest.mark.parametrize("what", FORGED)
def test_in_a_set_up(porto, what: str) -> None:
    text = stations(3, 0, **OPEN)[0]
    demand_nobody_is_accused(porto, forged(text, FORGED[what]), joins=True)


@pytest.mark.parametrize("what", [what for what in FORGED if what != "a second join"])
def test_of_a_player_who_has_not_joined(porto, what: str) -> None:
    text = forged(stations(3, 0, **OPEN)[0], FORGED[what], by=1)
    file = Path("game.yaml")
    file.write_text(text, "utf-8")
    result = porto("verify", "game.yaml")
    assert result.code == 3
    assert not accuses(result.out + result.err, "Rui")


def test_a_join_that_is_refused_is_nobodys(porto) -> None:
    """It is well signed, with the key that it names itself."""
    texts = stations(3, 0, **OPEN)
    chain, steps = chain_of(texts[1]), steps_of(texts[1])
    setup = {**chain.steps[1].content["setup"], "key": KEY}
    for wrong in ({}, {"tip": chain.steps[0].content["setup"]["tip"]}, {"nonce": "x"}, {"more": 1}):
        content = {"by": 1, "kind": "join", "setup": {**setup, **wrong}}
        step = sign(Head(chain.game, 1, chain.steps[1].previous), FORGER, content)
        Path("game.yaml").write_text(with_steps(texts[0], [steps[0], step.to_json()]), "utf-8")
        result = porto("verify", "game.yaml")
        assert result.code == (3 if wrong else 0)
        assert not accuses(result.out + result.err, "Rui")


def test_who_has_really_signed_what_cannot_be_is_named(porto) -> None:
    text = played(set_up(2, 0, **OPEN), 2)
    for content in (FORGED["a turn without entries"], FORGED["an unknown kind"]):
        step = sign(chain_of(text).head, identity("Ana"), {"by": 0, **content})
        Path("game.yaml").write_text(with_steps(text, [*steps_of(text), step.to_json()]), "utf-8")
        assert "signed by Ana" in porto("verify", "game.yaml").err
