"""Moves that several players make at the same time, each in an own copy of the game."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.match.copies import Verdict, compare, merge
from porto_cli.match.match import Match
from porto_cli.sealed.steps import Identity
from tests.conftest import ROOT, Result
from tests.documents import validated
from tests.protected_keys import protected
from tests.sealed_games import (
    NAMES,
    chain_of,
    human,
    identity,
    machine,
    played,
    played_out,
    taken_back,
    unrevealed,
    with_step,
)
from tests.sealed_games import set_up as begun_sealed
from tests.shares import one_in

PLAYERS = ["Ana", "Bea", "João", "Dan"]


class Desk:
    """A computer of a player: settings and keys of its own, and a folder with the game."""

    def __init__(
        self, name: str, folder: Path, porto: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.name, self.folder = name, folder / name
        self.home = folder / f"{name}-home"
        self._porto, self._monkeypatch = porto, monkeypatch
        self.folder.mkdir()

    @property
    def file(self) -> Path:
        return self.folder / "game.yaml"

    def porto(self, *words: object, code: int | None = 0) -> str:
        """Type a command, demand its exit code, and return what it prints."""
        self._monkeypatch.chdir(self.folder)
        self._monkeypatch.setenv("PORTO_HOME", str(self.home))
        self._monkeypatch.setenv("PORTO_PLAYER", self.name)
        done: Result = self._porto(*words)
        output = done.out + done.err
        assert code in (None, done.code), output
        return output

    def mail(self) -> Path:
        """Write a message to whoever is next, and return it."""
        mails = len(list(self.folder.glob("*.eml")))
        self.porto("mail", "game.yaml", "--to", "somebody@example.org", "-o", f"{mails}.eml")
        return self.folder / f"{mails}.eml"

    def receive(self, message: Path, code: int = 0) -> str:
        return self.porto("receive", message, code=code)

    def draw(self) -> str:
        """Draw the first card that is there."""
        match = porto_cli.load(self.file)
        return self.porto("draw", "game.yaml", match.text(match.legal_moves()[0]).split()[1])

    def fingerprint(self) -> str:
        return porto_cli.load(self.file).digest


@pytest.fixture
def desks(porto: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[Desk]]:
    return lambda *names: [Desk(name, tmp_path, porto, monkeypatch) for name in names]


def open_game(*desks: Desk) -> None:
    """Set up an open game that Ana has begun, and give everybody a copy."""
    ana = desks[0]
    ana.porto(
        "new", "game.yaml", *(desk.name for desk in desks), "--first", "Ana", "--seed", "tram"
    )
    ana.porto("keep", "game.yaml", "1", "2", "3")
    message = ana.mail()
    for desk in desks[1:]:
        desk.receive(message)


# -- Open games: both versions are merged


@pytest.mark.long
def test_an_early_choice_and_a_turn_that_cross_are_merged(desks: Any) -> None:
    ana, bea, joao = desks("Ana", "Bea", "João")
    open_game(ana, bea, joao)
    ana.draw()
    to_all = ana.mail()
    bea.receive(to_all)
    joao.receive(to_all)
    joao.porto("keep", "game.yaml", "1", "2", "4")
    from_joao = joao.mail()
    bea.porto("keep", "game.yaml", "1", "2", "5")
    bea.draw()
    result = joao.receive(bea.mail())
    assert "both had new moves, whose order does not matter" in result
    bea.receive(from_joao)
    assert joao.fingerprint() == bea.fingerprint()
    assert porto_cli.load(joao.file).to_move() == ["João"]
    assert [path.name for path in joao.folder.glob("*.yaml")] == ["game.yaml"]
    # Once more: nothing new.
    assert "2 turns ahead" in bea.receive(from_joao, code=1)


def test_comments_of_both_versions_stay(desks: Any) -> None:
    ana, bea, joao = desks("Ana", "Bea", "João")
    open_game(ana, bea, joao)
    joao.porto("keep", "game.yaml", "1", "2", "4")
    joao.file.write_text(joao.file.read_text("utf-8") + "# early, as I am away\n", "utf-8")
    ana.draw()
    ana.file.write_text(ana.file.read_text("utf-8") + "# your turn, Bea\n", "utf-8")
    joao.receive(ana.mail())
    text = joao.file.read_text("utf-8")
    assert "# early, as I am away" in text
    assert "# your turn, Bea" in text


def copy(match: Match) -> Match:
    return porto_cli.loads(match.record.text)


def begun(players: int = 4, *, kept: bool = False) -> Match:
    match = porto_cli.new_game(PLAYERS[:players], seed="tram", first="Ana")
    for name in PLAYERS[: players if kept else 0]:
        match.play("keep 1 2 3", player=name)
    return match


def next_turn(match: Match) -> Match:
    match = copy(match)
    seat = match.state.seat
    if match.state.phase == "keep":
        match.play("keep 1 2 3", player=seat)
    match.play(match.legal_moves(seat)[0], player=seat)
    return match


def early(match: Match, name: str, *, choice: str = "1 2 3") -> Match:
    match = copy(match)
    match.play(f"keep {choice}", player=name)
    return match


def test_choices_typed_at_the_end_of_a_real_table_are_merged() -> None:
    text = (ROOT / "records" / "porto" / "real-table.yaml").read_text("utf-8")
    lines = text[: text.index("- result:")].splitlines(keepends=True)
    whole = porto_cli.loads(text)
    one = porto_cli.loads("".join(lines[:-1]))
    other = porto_cli.loads("".join([*lines[:-2], lines[-1]]))
    merged, turned = merge(one.replay, other.replay), merge(other.replay, one.replay)
    assert merged is not None
    assert turned is not None
    assert merged.digest == turned.digest
    assert merged.over
    assert merged.digest == whole.digest


def two_turns() -> tuple[Match, Match]:
    start = begun()
    start.play("keep 1 2 3", player="Ana")
    one, other = copy(start), copy(start)
    one.play(one.legal_moves()[0])
    other.play(other.legal_moves()[1])
    return one, other


def undone(match: Match) -> Match:
    match.undo("Dan")
    return match


def ordered(text: str) -> Match:
    match = porto_cli.new_game(PLAYERS[:3], game="puerto-rico", seed="yauco", first="Ana")
    match.order(text, "Bea")
    return match


def seated(how: str) -> Match:
    match = begun(kept=True)
    match.seat_to(how, "Ana")
    return match


FORKS: dict[str, Callable[[], tuple[Match, Match]]] = {
    "two turns": two_turns,
    "two turns, and a choice after each": lambda: (
        early(two_turns()[0], "Dan"),
        early(two_turns()[1], "Bea"),
    ),
    "two choices of one player": lambda: (
        early(begun(), "Dan"),
        early(begun(), "Dan", choice="1 2 4"),
    ),
    "an undo, and a choice": lambda: (undone(early(begun(), "Dan")), early(begun(), "Bea")),
    "two orders of one player": lambda: (ordered("settler coffee"), ordered("settler most-vp")),
    "a seat given to two": lambda: (seated("to Eva"), seated("to Ivo")),
    "a turn of who is left out": lambda: (next_turn(begun(kept=True)), seated("out")),
}
"""Copies of a game that cannot both go on."""


@pytest.mark.parametrize("copies", FORKS.values(), ids=FORKS)
def test_what_is_a_fork(copies: Callable[[], tuple[Match, Match]]) -> None:
    for one, other in itertools.permutations(copies()):
        assert compare(one.replay, other.replay).relation is Verdict.FORK
        assert merge(one.replay, other.replay) is None


def test_an_undo_before_it_is_none() -> None:
    start = early(begun(), "Dan")
    start.undo("Dan")
    one, other = early(start, "Dan", choice="1 2 4"), early(start, "Bea")
    merged = merge(one.replay, other.replay)
    assert merged is not None
    assert [step.seat for step in merged.steps] == [3, 3, 1, 3]


@pytest.mark.long
@given(st.data())
def test_copies_agree_whatever_order_messages_arrive_in(data: st.DataObject) -> None:
    """Every player plays on in an own copy and sends it around; then all have the same game."""
    copies = dict.fromkeys(PLAYERS, next_turn(begun()))
    for _ in range(data.draw(st.integers(2, 8))):
        name = data.draw(st.sampled_from(PLAYERS))
        match = copies[name]
        if match.to_move() == [name]:
            copies[name] = next_turn(match)
        elif match.game.secret_movers(match.state).count(PLAYERS.index(name)):
            copies[name] = early(match, name)
        else:
            sender = data.draw(st.sampled_from(PLAYERS))
            copies[name] = received(match, copies[sender])
    results = set()
    for order in itertools.islice(itertools.permutations(copies.values()), 0, None, 5):
        first, *others = order
        for other in others:
            first = received(first, other)
        results.add(first.digest)
    assert len(results) == 1
    one, other = (received(a, b) for a, b in itertools.permutations(list(copies.values())[:2]))
    assert received(one, other).digest == received(other, one).digest


def received(own: Match, other: Match) -> Match:
    both = received_or_forked(own, other)
    assert both is not None
    return both


def received_or_forked(own: Match | None, other: Match | None) -> Match | None:
    """Return a copy after it has received another one; ``None`` if these, or others, fork."""
    from porto_cli.mail.copies import Version, judge_copy

    if own is None or other is None:
        return None
    arrival = judge_copy(Version(own.record, own), Version(other.record, other))
    if arrival.verdict is Verdict.MERGED:
        assert arrival.merged is not None
        return arrival.merged
    if arrival.verdict is Verdict.CONTINUES:
        return other
    return own if arrival.verdict in (Verdict.SAME, Verdict.OLDER) else None


# -- Sealed games: the author signs again


def sealed_game(*desks: Desk) -> None:
    """Set up a game that Ana begins, and give everybody a copy."""
    ana = desks[0]
    names = [desk.name for desk in desks]
    ana.porto("new", "game.yaml", *names, "--first", "Ana", "--secrecy", "sealed")
    set_up(*desks)


def set_up(*desks: Desk) -> None:
    """Have everybody take part in the setup of a game, and give everybody a copy."""
    text = desks[0].file.read_text("utf-8")
    for desk in (*desks[1:], *desks[:-1]):
        desk.file.write_text(text, "utf-8")
        desk.porto("join", "game.yaml", "--as", desk.name)
        text = desk.file.read_text("utf-8")
    for desk in desks:
        desk.file.write_text(text, "utf-8")


@pytest.mark.long
def test_a_mail_of_the_setup_is_older_than_the_game(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    ana.porto("new", "game.yaml", "Ana", "Bea", "--first", "Ana", "--secrecy", "sealed")
    begun = ana.mail()
    set_up(ana, bea)
    joined = ana.file.read_text("utf-8")
    for desk in (ana, bea):
        assert "game.yaml is ahead of" in desk.receive(begun, code=1)
        assert desk.file.read_text("utf-8") == joined


@pytest.mark.long
def test_an_early_choice_gives_way_to_a_turn_and_is_signed_again(desks: Any) -> None:
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    joao.porto("keep", "game.yaml", "1", "2", "4")
    from_joao = joao.mail()
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    from_ana = ana.mail()
    result = ana.receive(from_joao)
    assert "João plays keep" in result
    assert "You have nothing to do" in result
    result = joao.receive(from_ana)
    assert "signed again after them: João plays keep" in result
    bea.receive(from_joao)
    result = bea.receive(from_ana)
    assert "The program of João signs them again" in result
    bea.receive(joao.mail())
    assert bea.fingerprint() == joao.fingerprint()
    result = bea.porto("verify", joao.file, ana.file)
    assert "João has signed" in result
    bea.porto("keep", "game.yaml", "1", "2", "5")
    bea.draw()
    joao.receive(bea.mail())
    joao.draw()
    assert "nothing new" in joao.receive(joao.mail())
    assert "settled before" in ana.receive(from_joao)
    ana.receive(joao.mail())
    assert ana.fingerprint() == joao.fingerprint()


@pytest.mark.long
def test_a_step_that_gave_way_does_not_hinder_its_author(desks: Any) -> None:
    """Who settles it by hand, as a conflict, makes the same move again and goes on."""
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    joao.porto("keep", "game.yaml", "1", "2", "4")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    joao.file.write_text(ana.file.read_text("utf-8"), "utf-8")
    joao.porto("keep", "game.yaml", "1", "2", "4")
    bea.receive(joao.mail())


@pytest.mark.long
def test_an_answer_beats_an_undo(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    handed_over = ana.file.read_text("utf-8")
    bea.file.write_text(handed_over, "utf-8")
    bea.porto("keep", "game.yaml", "1", "2", "3")
    # The program knows neither that the file was handed over nor the answer.
    ana.porto("undo", "game.yaml")
    from_bea, from_ana = bea.mail(), ana.mail()
    result = bea.receive(from_ana, code=1)
    assert "Ana has taken back a turn that Bea had already answered" in result
    assert "game.yaml was not changed" in result
    assert "in game.yaml step" in ana.porto("receive", from_bea, "--dry-run")
    result = ana.receive(from_bea)
    assert "Ana has taken back a turn that Bea had already answered" in result
    assert "in game.yaml.~1~ step" in result
    assert (ana.folder / "game.yaml.~1~").exists()
    assert ana.fingerprint() == bea.fingerprint()
    result = bea.porto("verify", ana.folder / "game.yaml.~1~", "game.yaml", code=1)
    assert "Ana has taken back a turn that Bea had already answered" in result
    assert "two versions" not in result
    # Both go on.
    bea.draw()
    ana.receive(bea.mail())
    ana.draw()
    bea.receive(ana.mail())


@pytest.mark.long
def test_moving_again_after_such_an_undo_signs_no_second_version(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    bea.porto("keep", "game.yaml", "1", "2", "3")
    ana.file.write_text(bea.file.read_text("utf-8"), "utf-8")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    bea.file.write_text(ana.file.read_text("utf-8"), "utf-8")
    bea.draw()
    ana.porto("undo", "game.yaml")
    ana.draw()
    ana.receive(bea.mail())
    assert ana.fingerprint() == bea.fingerprint()
    match = porto_cli.load(ana.file)
    card = match.text(match.legal_moves()[0]).split()[1]
    result = ana.porto("draw", "game.yaml", card, code=1)
    assert "another player had answered" in result
    assert "nothing was signed" in result


@pytest.mark.long
def test_no_turn_is_taken_back_whose_answer_was_seen(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    handed_over = ana.file.read_text("utf-8")
    bea.file.write_text(handed_over, "utf-8")
    bea.porto("keep", "game.yaml", "1", "2", "3")
    (ana.folder / "answer.yaml").write_text(bea.file.read_text("utf-8"), "utf-8")
    ana.porto("show", "answer.yaml")
    result = ana.porto("undo", "game.yaml", code=1)
    assert "so it cannot be taken back" in result
    assert ana.file.read_text("utf-8") == handed_over


@pytest.mark.long
def test_who_has_lost_an_undo_with_a_copy_goes_on_once_the_turn_was_answered(desks: Any) -> None:
    """João has followed the advice to go on with Ana's copy, in which he cannot undo any more."""
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    joao.porto("keep", "game.yaml", "1", "2", "3")
    ana.file.write_text(joao.file.read_text("utf-8"), "utf-8")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    joao.porto("undo", "game.yaml")
    result = joao.receive(ana.mail(), code=1)
    assert "Here that is game-conflict.yaml." in result
    assert "A turn that was taken back only there stands." in result
    (joao.folder / "game-conflict.yaml").replace(joao.file)
    result = joao.porto("reveal", "game.yaml", "--without", "Bea", code=1)
    assert "make the same move first" in result, "nobody has answered yet"
    ana.draw()
    bea.receive(ana.mail())
    bea.porto("keep", "game.yaml", "1", "2", "3")
    bea.draw()
    joao.receive(bea.mail())
    joao.draw()
    for desk in (ana, bea):
        desk.receive(joao.mail())
        assert desk.fingerprint() == joao.fingerprint()


@pytest.mark.long
@pytest.mark.parametrize("made_again", [False, True])
def test_an_undo_is_not_given_up_for_statements_after_the_turn(
    desks: Any, made_again: bool
) -> None:
    """A player to whom a turn was shown signs any number of them, having seen what came up."""
    homes = at_the_end(desks, played(begun_sealed(3), 6))
    name = porto_cli.load(homes[0].file).to_move()[0]
    (one,) = (desk for desk in homes if desk.name == name)
    draw(one, 0)
    shown = one.file.read_text("utf-8")
    one.porto("undo", "game.yaml")
    if made_again:
        draw(one, 1)
    later, cheater = (desk.name for desk in homes if desk is not one)
    for _ in range(4):
        line = f"- {cheater}: without {later}\n"
        shown = human(shown) + line + machine(shown)
        gone = {"without": [chain_of(shown).players.index(later)], "rule": 2}
        entries = {"entries": [[cheater, f"without {later}"]]}
        shown = with_step(shown, cheater, {"kind": "gone", **gone, **entries})
    one.file.write_text(shown, "utf-8")
    result = one.porto("reveal", "game.yaml", "--without", later, code=1)
    assert "nothing was signed" in result
    assert one.file.read_text("utf-8") == shown


@pytest.mark.long
def test_a_turn_in_the_shorter_version_is_made_again_by_hand(desks: Any) -> None:
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    ana.porto("keep", "game.yaml", "1", "2", "3")
    for desk in (bea, joao):
        desk.receive(ana.mail())
    bea.porto("keep", "game.yaml", "1", "2", "3")
    joao.receive(bea.mail())
    joao.porto("keep", "game.yaml", "1", "2", "4")
    from_joao = joao.mail()
    ana.draw()
    lost = ana.file.read_text("utf-8")
    result = ana.receive(from_joao, code=1)
    assert "In game.yaml: Ana plays draw" in result
    assert "In the message: Bea plays keep" in result
    assert "Here that is game-conflict.yaml. Whoever has moved" in result
    assert ana.file.read_text("utf-8") == lost
    (ana.folder / "game-conflict.yaml").replace(ana.file)
    other = porto_cli.load(ana.file)
    card = other.text(other.legal_moves()[1]).split()[1]
    assert "make the same move first" in ana.porto("draw", "game.yaml", card, code=1)
    ana.draw()
    bea.receive(ana.mail())
    assert bea.fingerprint() == ana.fingerprint()
    bea.porto("verify", ana.file, "game.yaml")


@pytest.mark.long
def test_a_turn_that_was_answered_is_not_given_up_for_a_longer_version(desks: Any) -> None:
    """Ana has seen what comes up after it, so nobody is told to let her make another one."""
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    for desk, others in ((ana, (bea, joao)), (bea, (ana, joao))):
        desk.porto("keep", "game.yaml", "1", "2", "3")
        for other in others:
            other.receive(desk.mail())
    ana.draw()
    bea.receive(ana.mail())
    bea.draw()
    joao.porto("keep", "game.yaml", "1", "2", "4")
    for gone in ("Ana", "Bea"):
        joao.porto("reveal", "game.yaml", "--without", gone)
    result = bea.receive(joao.mail(), code=1)
    assert "In game.yaml: Ana plays draw" in result
    assert "Here that is game.yaml." in result


def at_the_end(desks: Any, text: str) -> list[Desk]:
    """Give three players, each with a key, a copy of a game."""
    homes: list[Desk] = desks(*NAMES[:3])
    for desk in homes:
        (desk.folder / "key.txt").write_text(identity(desk.name).secret_text + "\n")
        desk.porto("key", "import", "key.txt")
        desk.file.write_text(text, "utf-8")
    return homes


@pytest.mark.long
def test_reveals_that_cross_are_put_in_order_by_their_authors(desks: Any) -> None:
    homes = at_the_end(desks, played_out(3))
    waiting = porto_cli.load(homes[0].file).to_move()
    assert len(waiting) == 2
    one, other = (desk for desk in homes if desk.name in waiting)
    (third,) = (desk for desk in homes if desk.name not in waiting)
    for desk in (one, other):
        desk.porto("reveal", "game.yaml")
    from_one, from_other = one.mail(), other.mail()
    result = one.receive(from_other)
    assert f"{other.name} reveals" in result
    assert "You have nothing to do" in result
    third.receive(from_other)
    third.receive(from_one)
    result = other.receive(from_one)
    assert f"signed again after them: {other.name} reveals" in result
    last = other.mail()
    for desk in (one, third):
        desk.receive(last)
        assert desk.fingerprint() == other.fingerprint()
    assert porto_cli.load(third.file).over
    third.porto("verify", "game.yaml", one.file, other.file)
    for desk in homes:
        for message in (from_one, from_other, last):
            assert "conflict" not in desk.porto("receive", message, code=None)
        assert [path.name for path in desk.folder.glob("*.yaml")] == ["game.yaml"]


@pytest.mark.long
def test_a_last_turn_is_not_taken_back_once_others_may_have_revealed(desks: Any) -> None:
    """Whoever makes it could wait with the own reveal, and make another one knowing the others'."""
    homes = at_the_end(desks, unrevealed(played_out(3)))
    chain = chain_of(homes[0].file.read_text("utf-8"))
    cheater = chain.by(len(chain.steps))
    for desk in homes:
        assert "cannot be taken back" in desk.porto("undo", "game.yaml", code=1)
        if desk.name != cheater:
            desk.porto("reveal", "game.yaml")
        before = desk.file.read_text("utf-8")
        other = desk.folder / "other.yaml"
        other.write_text(taken_back(unrevealed(played_out(3))), "utf-8")
        for command, code in (("receive", 3), ("verify", 3)):
            result = " ".join(desk.porto(command, other, code=code).split())
            assert "none once the last turn is over. This is in step" in result
            assert f"signed by {cheater}." in result
        assert desk.file.read_text("utf-8") == before


@pytest.mark.long
def test_who_names_all_others_in_the_last_turn_has_that_saved(desks: Any) -> None:
    """Otherwise a step is signed that no file has, and its player can never reveal."""
    turns = porto_cli.loads(played_out(3)).state.turn
    text = played(begun_sealed(3, which="played out"), turns - 1)
    homes = at_the_end(desks, text)
    (last,) = (desk for desk in homes if [desk.name] == porto_cli.load(desk.file).to_move())
    one, other = (desk for desk in homes if desk is not last)
    one.porto("reveal", "game.yaml", "--without", other.name)
    result = one.porto("reveal", "game.yaml", "--without", last.name)
    assert f"{one.name} goes on without {last.name}" in result
    assert "no opponent is left" in result
    one.porto("verify", "game.yaml")
    result = one.porto("reveal", "game.yaml", code=1)
    assert "The game ended when the others were given up" in result


# -- What cannot be merged


def forked(desks: Any) -> tuple[Desk, Desk, Path]:
    """Return two players whose copies have two versions of Ana's turn, and a message with Bea's."""
    ana, bea = desks("Ana", "Bea")
    open_game(ana, bea)
    bea.file.write_text(ana.file.read_text("utf-8"), "utf-8")
    one, other = porto_cli.load(ana.file).legal_moves()[:2]
    for desk, move in ((ana, one), (bea, other)):
        match = porto_cli.load(desk.file)
        desk.porto("draw", "game.yaml", *match.text(move).split()[1:], "--as", "Ana")
    return ana, bea, bea.mail()


CONFLICT = "game.yaml and game-conflict.yaml are different versions of one game"


def test_a_conflict_is_reported_until_it_is_settled_and_never_again(desks: Any) -> None:
    ana, _, message = forked(desks)
    result = ana.receive(message, code=1)
    assert "is saved as game-conflict.yaml" in result
    conflict = ana.folder / "game-conflict.yaml"
    for words in (["receive", message], ["receive", message, "--quiet"]):
        result = ana.porto(*words)
        assert CONFLICT in result
        assert list(ana.folder.glob("*conflict*")) == [conflict]
    conflict.unlink()
    for _ in range(2):
        result = ana.receive(message)
        assert "settled before" in result
        assert CONFLICT not in result
        assert not conflict.exists()


@pytest.mark.long
def test_a_conflict_is_settled_by_taking_the_other_version(desks: Any) -> None:
    ana, bea, message = forked(desks)
    ana.receive(message, code=1)
    (ana.folder / "game-conflict.yaml").replace(ana.file)
    assert "nothing new" in ana.receive(message)
    assert ana.fingerprint() == bea.fingerprint()


@pytest.mark.long
def test_a_second_conflict_parts_from_the_own_copy(desks: Any) -> None:
    ana, bea, message = forked(desks)
    ana.receive(message, code=1)
    bea.porto("undo", "game.yaml", "--as", "Ana")
    assert "game.yaml and" in ana.receive(bea.mail(), code=1)
    names = {path.name for path in ana.folder.glob("*.yaml")}
    assert names == {"game.yaml", "game-conflict.yaml"}, "it goes on where that version stopped"
    match = porto_cli.load(bea.file)
    third = match.legal_moves()[2]
    bea.porto("draw", "game.yaml", *match.text(third).split()[1:], "--as", "Ana")
    ana.receive(bea.mail(), code=1)
    assert not (ana.folder / "game-conflict-conflict.yaml").exists()


def test_games_tells_a_conflict_with_its_game(desks: Any) -> None:
    ana, _, message = forked(desks)
    ana.receive(message, code=1)
    output = " ".join(ana.porto("games").split())
    assert "game-conflict.yaml is another version of it" in output
    assert "Waiting for others game.yaml" in output
    assert "skipped" not in output
    found = validated("games", ana.porto("games", "--format", "json"))
    assert [(one["file"], one["conflicts"]) for one in found["games"]] == [
        ("game.yaml", ["game-conflict.yaml"])
    ]


def test_a_record_that_is_only_called_like_a_conflict_is_one_of_its_own(desks: Any) -> None:
    (ana,) = desks("Ana")
    ana.porto("new", "game.yaml", "Ana", "Rui", "--seed", "tram")
    ana.porto("new", "game-conflict.yaml", "Ana", "Eva", "--seed", "boat")
    found = validated("games", ana.porto("games", "--format", "json"))
    assert len(found["games"]) == 2


@pytest.mark.long_for("")
@pytest.mark.parametrize("damage", one_in(3, [b"", b"\xff\0" * 100, b"nothing\n", None]))
def test_a_damaged_memory_of_what_was_refused_does_no_harm(
    desks: Any, damage: bytes | None
) -> None:
    ana, _, message = forked(desks)
    ana.receive(message, code=1)
    (ana.folder / "game-conflict.yaml").unlink()
    memory = ana.home / "refused-versions.txt"
    assert memory.is_file()
    memory.unlink()
    if damage is None:
        memory.mkdir()
    else:
        memory.write_bytes(damage)
    assert "is saved as game-conflict.yaml" in ana.receive(message, code=1)


def test_two_new_games_of_one_name_at_once_are_both_saved(
    desks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porto_cli.mail import copies as mail_copies

    ana, bea = desks("Ana", "Bea")
    ana.porto("new", "game.yaml", "Ana", "Bea", "--seed", "tram", "--first", "Ana")
    message = ana.mail()
    really = mail_copies.files.create

    def taken_at_once(path: Path, text: str) -> None:
        if path.name == "game.yaml":
            path.write_text("somebody else was quicker", "utf-8")
        really(path, text)

    monkeypatch.setattr(mail_copies.files, "create", taken_at_once)
    assert "is saved as game-2.yaml" in bea.receive(message)
    assert bea.file.read_text("utf-8") == "somebody else was quicker"


@pytest.mark.long
def test_sealed_conflicts_say_who_has_signed_two_versions(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    text = ana.file.read_text("utf-8")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    bea.file.write_text(ana.file.read_text("utf-8"), "utf-8")
    ana.file.write_text(text, "utf-8")
    for journal in ana.home.rglob("journal/**/*.txt"):
        journal.unlink()
    ana.porto("keep", "game.yaml", "1", "2", "4")
    result = bea.receive(ana.mail(), code=1)
    assert (
        "Ana has signed two versions of step 5: one is in game.yaml, the other one in "
        "game-conflict.yaml. Keep both files: together they prove it."
    ) in result
    assert "goes on" not in result


@pytest.mark.long
def test_who_has_signed_two_versions_is_named_once_when_the_game_has_gone_on(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    text = ana.file.read_text("utf-8")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    bea.receive(ana.mail())
    bea.porto("keep", "game.yaml", "1", "2", "3")
    bea.draw()
    ana.receive(bea.mail())
    ana.draw()
    bea.receive(ana.mail())
    own = bea.file.read_text("utf-8")
    ana.file.write_text(text, "utf-8")
    for journal in ana.home.rglob("journal/**/*.txt"):
        journal.unlink()
    ana.porto("keep", "game.yaml", "1", "2", "4")
    message = ana.mail()
    named = "Ana has signed two versions of step 5: one is in game.yaml, the other one in "
    for _ in range(2):
        assert named in bea.porto("receive", "--dry-run", message, code=1)
    result = bea.receive(message, code=1)
    assert f"{named}game-conflict.yaml. Keep both files: together they prove it." in result
    assert "which version counts" not in result, "the game has gone on"
    assert bea.file.read_text("utf-8") == own
    (bea.folder / "game-conflict.yaml").unlink()
    assert "was settled before" in bea.receive(message)

    # What she goes on with there shows nothing new.
    ana.draw()
    assert "two versions" not in bea.receive(ana.mail())
    assert not (bea.folder / "game-conflict.yaml").exists()


# -- Random crossings of signed steps


def moves_on(desk: Desk, rnd: random.Random) -> None:
    """Make a move that the player can make now, if there is one."""
    match = porto_cli.load(desk.file)
    seat = match.players.index(desk.name)
    if seat in match.game.secret_movers(match.state):
        if rnd.random() < 0.7 or match.to_move() == [desk.name]:
            desk.porto("keep", "game.yaml", "1", "2", "3")
    elif match.to_move() == [desk.name]:
        desk.draw()


def settle(desk: Desk, result: str) -> None:
    """Go on with the version that is said to go on; its player makes lost moves again later."""
    conflict = desk.folder / "game-conflict.yaml"
    if conflict.exists():
        goes_on = re.search(r"Here that is (.*\.yaml)\. Whoever", " ".join(result.split()))
        assert goes_on, result
        if Path(goes_on[1]).name == conflict.name:
            conflict.replace(desk.file)
        else:
            conflict.unlink()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_sealed_copies_converge_whatever_crosses(desks: Any, seed: int) -> None:
    """Choices are merged; who has lost a turn makes the same one again, in the longer version."""
    from porto_cli.sealed.copies import two_versions

    rnd = random.Random(seed)
    players = desks(*PLAYERS[: 3 + seed % 2])
    sealed_game(*players)
    sent: list[tuple[Desk, str]] = []

    def gets(desk: Desk, text: str) -> None:
        message = players[0].folder.parent / "message.txt"
        message.write_text(text, "utf-8")
        result = desk.porto("receive", message, code=None)
        assert "Traceback" not in result
        message.unlink()
        settle(desk, result)

    for _ in range(30):
        desk = rnd.choice(players)
        if rnd.random() < 0.5:
            moves_on(desk, rnd)
            sent.append((desk, desk.file.read_text("utf-8")))
        elif sent:
            gets(desk, rnd.choice(sent[-8:])[1])
    for _ in range(5):
        for desk in players:
            for other in players:
                if other is not desk:
                    gets(desk, other.file.read_text("utf-8"))
                    sent.append((desk, desk.file.read_text("utf-8")))
        if len({desk.fingerprint() for desk in players}) == 1:
            break
    assert len({chain_of(desk.file.read_text("utf-8")).head for desk in players}) == 1
    chains = {chain.head: chain for _, text in sent for chain in [chain_of(text)]}
    for one, other in itertools.combinations(chains.values(), 2):
        assert two_versions(one, other) is None, "no step has two versions"
    # The game goes on, for everybody.
    for _ in range(2 * len(players)):
        waiting = porto_cli.load(players[0].file).to_move()
        (desk,) = (each for each in players if each.name in waiting)
        moves_on(desk, rnd)
        moves_on(desk, rnd)
        for other in players:
            if other is not desk:
                gets(other, desk.file.read_text("utf-8"))


@pytest.mark.outside
def test_a_key_with_a_passphrase_that_nobody_can_type_signs_nothing(desks: Any) -> None:
    ana, bea = desks("Ana", "Bea")
    sealed_game(ana, bea)
    bea.porto("keep", "game.yaml", "1", "2", "4")
    ana.porto("keep", "game.yaml", "1", "2", "3")
    ana.draw()
    message = ana.mail()
    before = bea.file.read_text("utf-8")
    key_file = bea.home / "keys" / "key.txt"
    *comments, key = key_file.read_text().splitlines()
    line = protected(Identity.from_text(key), "boats")
    key_file.write_text("\n".join([*comments, line]))
    result = bea.receive(message, code=1)
    assert "Receive this message again on a terminal" in result
    assert bea.file.read_text("utf-8") == before
    key_file.write_text(key)
    assert "signed again after them: Bea plays keep" in bea.receive(message)


def draw(desk: Desk, nth: int) -> None:
    """Draw one of the cards that are there."""
    match = porto_cli.load(desk.file)
    desk.porto("draw", "game.yaml", match.text(match.legal_moves()[nth]).split()[1])


@pytest.mark.long
def test_a_turn_is_not_brought_back_once_what_came_up_was_seen(desks: Any) -> None:
    """Ana shows João her turn, takes it back, and makes another. When Bea has released what comes
    up after either of them, they choose: João makes a statement on top of the first one.
    """
    ana, bea, joao = desks("Ana", "Bea", "João")
    sealed_game(ana, bea, joao)
    for desk, following in ((ana, bea), (bea, joao), (joao, ana)):
        desk.porto("keep", "game.yaml", "1", "2", "3")
        desk.draw()
        following.receive(desk.mail())
    draw(ana, 0)
    joao.file.write_text(ana.file.read_text("utf-8"), "utf-8")
    ana.porto("undo", "game.yaml")
    draw(ana, 1)
    bea.receive(ana.mail())
    bea.draw()
    joao.porto("reveal", "game.yaml", "--without", "Bea")
    before = bea.file.read_text("utf-8")
    assert "ahead of" in bea.receive(joao.mail(), code=1)
    assert bea.file.read_text("utf-8") == before
    joao.receive(bea.mail())
    assert joao.fingerprint() == bea.fingerprint()
