"""Whatever is appended to a record can be read back, and is before it replaces the old one."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
import yaml

import porto_cli
from porto_cli.core import FileError
from porto_cli.core import yaml as own_yaml
from porto_cli.core.yaml import LARGEST, InvalidFileError
from porto_cli.games.porto.engine.cards import Keep, may_keep
from porto_cli.games.porto.engine.play import legal_moves
from porto_cli.match import record, replay

SOLO_TABLE = [
    *("--secrecy", "table"),
    *("--tokens", "L3=1,L4=2,L5=4,L6=2,L7=3,R1=3,R2=1,R3=1,R4=4,R5=2"),
    *("--cards", "green-2 yellow-2 purple-3 red-2 green-3"),
    *("--contracts", "purple+red 2-red-floors 2-yellow-floors purple+yellow"),
]
RED_PALETTE_SIDE = ("houses-red", "palette", "side")


def test_contracts_are_kept_while_the_timer_waits(porto, tmp_path: Path) -> None:
    assert porto("new", "g.yaml", "Ana", *SOLO_TABLE).code == 0
    timer = ("--timer", "yellow-1 red-2")
    assert porto("draw", "g.yaml", "green-3", "--refill", "purple-2", *timer).code == 0
    assert porto("keep", "g.yaml", *RED_PALETTE_SIDE).code == 0
    assert Path("g.yaml").read_text("utf-8").endswith("- Ana: keep houses-red palette side\n")
    assert porto("verify", "g.yaml").code == 0
    refill = ("--refill", "blue-1 blue-2", "--refill-contracts", "blue+blue red+red")
    words = ("red-2", "yellow-1", "R5", "--token", "L3")
    built = porto("build", "g.yaml", *words, *refill)
    assert built.code == 0, built.err
    match = porto_cli.load("g.yaml")
    assert match.state.turn == 1
    assert [len(item.entries) for item in match.record.items] == [3, 1, 3]
    for _ in range(3):
        assert porto("undo", "g.yaml").code == 0
    assert porto_cli.load("g.yaml").state == match.replay.opening


def table_game(players: int, seed: str) -> tuple[replay.Replay, random.Random]:
    """Return a game with real cards, and the chance that turns them up."""
    timer = {"timer": 28} if players == 1 else {}
    names = ["Ana", "Bob", "Eva"][:players]
    dealt = porto_cli.new_game(names, seed=seed, first="Ana", **timer)
    setup = dealt.record.deal._replace(private=())
    return porto_cli.new_game(names, first="Ana", setup=setup, **timer).replay, random.Random(seed)


@pytest.mark.long_for("a-2", "a-3", "b-1", "b-2", "b-3")
@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("seed", ["a", "b"])
def test_contracts_are_kept_at_any_time_on_a_real_table(players: int, seed: str) -> None:
    """Each of them in the middle of a turn if there is one, of whoever's turn it is."""
    game, rng = table_game(players, seed)

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        return rng.randrange(len(pile))

    def keep_of(seat: int) -> Keep:
        return Keep((), tuple(sorted(rng.sample(range(10 * seat, 10 * seat + 10), 3))))

    kept_in = set()
    while game.state.phase != "over":
        seats = [seat for seat in range(players) if may_keep(game.state, seat)]
        before = game.replay
        pending = game.state.phase in ("contracts", "timer")
        if seats and (rng.random() < (0.9 if pending else 0.01)):
            kept_in.add(game.state.phase)
            seat = rng.choice(seats)
            move = keep_of(seat)
        elif game.state.phase == "keep":
            seat, move = seats[0], keep_of(seats[0])
        else:
            seat = game.state.seat
            move = rng.choice(legal_moves(game.state))
        game.make([move], seat, chance)
        assert game.record.text.startswith(before.record.text)
        if pending or move.__class__ is Keep:
            game.read_back()
        if rng.random() < 0.1 and not game.past().check(seat):
            game.undo(seat)
            game.read_back()
    assert kept_in & {"contracts", "timer"}
    game.read_back()


def test_moves_of_several_turns_at_once_are_several_items() -> None:
    match = porto_cli.new_game(["Ana"], seed="solo-77")
    events = match.play("keep 1 2 3")
    while match.state.turn < 4:
        events += match.play(match.legal_moves()[-1])
    match.read_back()
    other = porto_cli.new_game(["Ana"], seed="solo-77")
    moves = [move for step in match.replay.steps for move in step.moves]
    assert other.play(*moves) == events
    assert other.record.text.count("\n- ") == match.record.text.count("\n- ")
    assert other.digest == match.digest
    other.read_back()
    assert other.play() == []


HEADS = {
    "as written": lambda head: head,
    "without an end of line": lambda head: head.rstrip("\n"),
    "with carriage returns": lambda head: head.replace("\n", "\r\n"),
    "indented": lambda head: "".join(f"   {line}\n" for line in head.splitlines()),
    "with a comment": lambda head: head + "  # nothing yet",
    "with a byte order mark": lambda head: "\ufeff" + head,
    "behind a mark": lambda head: "---\n" + head,
    "in quotes": lambda head: head.replace("turns:", '"turns" :'),
}
ITEMS = {
    "as written": lambda item: item,
    "far from the dash": lambda item: item.replace("- ", "-    ").replace("\n  ", "\n     "),
    "below the dash": lambda item: item.replace("- ", "-\n  "),
    "close below the dash": lambda item: item.replace("- ", "-\n ").replace("\n  ", "\n "),
    "indented": lambda item: "    " + item.rstrip("\n").replace("\n", "\n    "),
    "in a block": lambda item: item.replace(": ", ": |-\n    ").rstrip("\n"),
    "over lines": lambda item: item.replace(": draw ", ":\n   draw\n\n    ").rstrip(),
    "in quotes": lambda item: item.replace(": ", ': "').replace("\n", '"\n').rstrip("\n"),
}


BARE = ("without an end of line", "with a comment", "indented")
"""Heads that no item can follow as it stands."""


@pytest.mark.long
def test_whatever_it_looks_like_a_move_can_follow() -> None:
    for head, item in product(HEADS, ITEMS):
        if head not in BARE:
            follow(head, item)
    for head in HEADS:
        follow(head, "none")


def follow(head: str, item: str) -> None:
    """Make three moves after a record with such a head and, if any, one item like that."""
    match = porto_cli.new_game(["Ana", "Bob"], seed="x", first="Ana", private_contracts=False)
    text = HEADS[head](match.record.text)
    if item != "none":
        start = len(match.record.text)
        match.play("draw " + match.text(match.legal_moves()[-1]).split()[1])
        text += ITEMS[item](match.record.text[start:])
    match = porto_cli.loads(text)
    for _ in range(3):
        text = match.record.text
        match.play(match.legal_moves()[-1])
        match.read_back()
        assert match.record.text.startswith(text), (head, item)
        again = porto_cli.loads(match.record.text)
        assert [one.places for one in again.record.items] == [
            one.places for one in match.record.items
        ], (head, item)
        match.undo()
        match.read_back()


def test_keys_in_one_line_cannot_be_followed_by_turns() -> None:
    text = porto_cli.new_game(["Ana"], seed="x").record.text
    head = [line for line in text.splitlines() if not line.startswith("#")]
    setup = "setup: {" + ", ".join(line.strip() for line in head[-4:-1]) + "}"
    flow = "{" + ", ".join([*head[: head.index("setup:")], setup, "turns: "]) + "}"
    with pytest.raises(InvalidFileError, match="Each key has to be on its own line"):
        porto_cli.loads(flow)


def test_a_byte_order_mark_stays(porto, tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + porto_cli.new_game(["Ana"], seed="x").record.text.encode()
    Path("h.yaml").write_bytes(data)
    assert porto("keep", "h.yaml", "1", "2", "3").code == 0
    assert Path("h.yaml").read_bytes().startswith(data)
    Path("i.yaml").write_bytes(b"\xef\xbb\xbf" * 2 + data)
    assert porto("verify", "i.yaml").code == 3


def test_a_move_that_nobody_could_read_is_not_written(monkeypatch, tmp_path: Path) -> None:
    match = porto_cli.new_game(["Ana"], seed="x")
    match.save(tmp_path / "g.yaml")
    before = (tmp_path / "g.yaml").read_bytes()
    lines = record.item_lines
    monkeypatch.setattr(record, "item_lines", lambda *given, **more: [*lines(*given, **more), ""])
    match.play("keep 1 2 3")
    match.save()
    for damage in ("  refill: x", "- Ana: undo", "\t", "- Ana: [", "..."):
        monkeypatch.setattr(
            record,
            "item_lines",
            lambda *given, damage=damage, **more: [*lines(*given, **more), damage],
        )
        broken = porto_cli.load(tmp_path / "g.yaml")
        before = (tmp_path / "g.yaml").read_bytes()
        broken.play(broken.legal_moves()[0])
        with pytest.raises(FileError, match="nothing was written"):
            broken.save()
        with pytest.raises(FileError, match="nothing was written"):
            broken.save(tmp_path / "other.yaml")
        assert (tmp_path / "g.yaml").read_bytes() == before
        assert not (tmp_path / "other.yaml").exists()


def test_nor_is_it_as_a_filter(porto, monkeypatch) -> None:
    lines = record.item_lines
    text = porto_cli.new_game(["Ana"], seed="x").record.text
    monkeypatch.setattr(record, "item_lines", lambda *given, **more: [*lines(*given, **more), "}"])
    done = porto("keep", "-", "1", "2", "3", stdin=text)
    assert (done.code, done.out) == (4, "")


def test_a_move_that_makes_the_record_too_large_is_refused(porto, monkeypatch) -> None:
    assert porto("new", "g.yaml", "Ana", "--seed", "x").code == 0
    before = Path("g.yaml").read_bytes()
    Path("g.yaml").write_bytes(before + b"#" * (LARGEST - len(before)))
    assert porto("verify", "g.yaml").code == 0
    full = porto("keep", "g.yaml", "1", "2", "3")
    assert full.code == 4
    assert "full" in full.err
    assert Path("g.yaml").stat().st_size == LARGEST
    Path("g.yaml").write_bytes(before)
    parts = sum(1 for _ in yaml.parse(before, yaml.SafeLoader))
    monkeypatch.setattr(own_yaml, "MOST_PARTS", parts)
    assert porto("verify", "g.yaml").code == 0
    assert porto("keep", "g.yaml", "1", "2", "3").code == 4
    assert Path("g.yaml").read_bytes() == before


def test_the_first_line_is_a_comment_whatever_the_file_is_called() -> None:
    for name in ("a\nturns: b", "a\rb", "a\u2028b", "\udcff.yaml", "\u202egnp.yaml"):
        match = porto_cli.new_game(["Ana"], seed="x", name=name)
        assert match.record.text.startswith("# Porto game record. Continue with: porto show GAME")
