"""Random games with random orders, checked by the second reading of porto-order(1)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import porto_cli
from porto_cli import Match
from tests.order_checker import Disagreement, Findings, check
from tests.order_language import SENSIBLE, VERBS, is_order, items_of, without_items
from tests.shares import one_in

NAMES = ("Inês", "Bob plays if", "1: and, else  #2", "Rui", "Bob")
"""Names with words of orders, and one that another begins with."""
ORDINARY, ALL = 12, 200
MOST = 400
"""Moves of which one is made."""


class Writer:
    """Writes random orders for a game, with the moves that were possible in it up to now."""

    def __init__(self, game: str, players: tuple[str, ...], rng: random.Random) -> None:
        self.game, self.players, self.rng = game, players, rng
        self.seen: dict[str, set[str]] = {}

    def note(self, moves: list[str]) -> None:
        """Remember moves by their first words."""
        for move in moves:
            self.seen.setdefault(move.split(" ")[0], set()).add(move)

    def some(self, verbs: tuple[str, ...]) -> str | None:
        """A move that begins with one of these words."""
        known = sorted(move for verb in verbs for move in self.seen.get(verb, ()))
        return self.rng.choice(known) if known else None

    def order(self) -> str:
        """An order, or what takes orders back."""
        if self.rng.random() < 0.03:
            return "none"
        kinds = VERBS[self.game]
        kind = self.rng.choice([*kinds])
        if self.rng.random() < 0.06:
            return f"{kind} none"
        scope = self.rng.choice(("", "", "once ", "always ", "always "))
        if scope != "always " and self.rng.random() < 0.4:
            then = self.rng.choice((", then ", " then "))
            return scope + then.join(self.part(kind) for kind in self.rng.sample([*kinds, kind], 2))
        return scope + self.part(kind)

    def part(self, kind: str) -> str:
        """An order for a kind of decision, which does not name it if it can be left out."""
        kinds = VERBS[self.game]
        choices = [self.choice(kind) for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
        else_ = self.rng.choice((", else ", " else "))
        verb = choices[0].split(" ")[0]
        if verb != "pass" and kind == next((one for one in kinds if verb in kinds[one]), ""):
            kind = self.rng.choice((kind, f"{kind}:", ""))
        return f"{kind} {else_.join(choices)}".strip()

    def choice(self, kind: str) -> str:
        """A move or a policy, and what it waits for."""
        return self.pick(kind) + (f" if {self.condition()}" if self.rng.random() < 0.3 else "")

    def pick(self, kind: str) -> str:
        """A move or a policy for a kind of decision."""
        draw = self.rng.random()
        if draw < 0.5 and kind in SENSIBLE:
            return self.rng.choice(("sensible", SENSIBLE[kind]))
        move = self.some(VERBS[self.game][kind])
        if draw < 0.8 and move:
            return move if self.rng.random() < 0.7 else move.partition(" ")[2] or move
        return "most-vp"

    def condition(self) -> str:
        """What somebody plays."""
        verbs = [verb for each in VERBS[self.game].values() for verb in each]
        move = self.some((self.rng.choice(verbs),))
        words = move.split(" ") if move else [self.rng.choice(verbs)]
        said = self.rng.sample(words, self.rng.randint(1, min(3, len(words))))
        name = self.rng.choice(self.players)
        name = name if self.rng.random() < 0.8 else name.split(" ")[0]
        return f"{name} plays {' '.join(said)}"


def table(number: int) -> Match:
    """A new game: both kinds, all numbers of players, all options."""
    rng = random.Random(f"table {number}")
    game = ("puerto-rico", "porto")[number % 3 == 2]
    seats = (2 if game == "puerto-rico" else 1) + number // 3 % 4
    names = NAMES[:seats]
    if game == "porto":
        return porto_cli.new_game(
            names, seed=f"o{number}", first=names[0], private_contracts=rng.random() < 0.6
        )
    return porto_cli.new_game(
        names,
        game=game,
        seed=f"o{number}",
        first=names[0],
        buildings=rng.choice(("base", "draft", "random")),
        rulebook=rng.choice(("printed", "guide")),
    )


def random_game(number: int, most: int = 400) -> tuple[str, Counter[str]]:
    """The record of a random game with random orders, and what was tried."""
    rng = random.Random(f"game {number}")
    match, counts = table(number), Counter[str]()
    writer = Writer(match.game.meta.id, match.players, rng)
    last = rng.choice((20, 60, 150, most))
    often = rng.choice((0.05, 0.15, 0.4))
    while not match.over and len(match.replay.steps) < last:
        before = match.record.text
        if rng.random() < 0.02:
            match = read_again(match)
        if rng.random() < often:
            try:
                match.order(writer.order(), rng.choice(match.players))
                counts["given"] += 1
            except porto_cli.PortoError:
                counts["refused"] += 1
        elif rng.random() < 0.04 and match.replay.steps:
            last_mover = match.players[match.replay.steps[-1].seat]
            try:
                match.undo(rng.choice((last_mover, *match.players)))
                counts["undone"] += 1
            except porto_cli.PortoError:
                counts["undo refused"] += 1
        else:
            player = rng.choice(match.to_move())
            legal = match.game.legal_moves(match.state, match.seat(player), MOST)
            moves = [match.text(move) for move in rng.sample(legal, min(5, len(legal)))]
            writer.note(moves)
            match.play(moves[0], player=player)
        porto_cli.play_bots(match)
        assert match.record.text.startswith(before), "what stood there was changed"
    read_again(match)
    return match.record.text, counts


def read_again(match: Match) -> Match:
    """The game as another program reads it."""
    again = porto_cli.loads(match.record.text)
    assert again.digest == match.digest
    assert again.state == match.state
    assert again.replay.declarations == match.replay.declarations
    return again


def without_orders(text: str) -> Match:
    """The game of a record without the items that order.

    A result has the fingerprint of what is above it, orders as well: play the last turn again.
    """
    bare = without_items(text, is_order)
    items = items_of(bare)
    if not items or items[-1].player != "result":
        return porto_cli.loads(bare)
    lines, last = bare.split("\n"), items[-2]
    match = porto_cli.loads("\n".join(lines[: last.line - 1]) + "\n")
    for move, _ in last.moves():
        match.play(move, player=last.player)
    return match


def checked(text: str) -> Findings:
    """Check what the orders of a game did, and that it is the same game without them."""
    findings = check(text)
    assert findings.continued <= findings.sequences
    match = porto_cli.loads(text)
    assert findings.plain is not None
    assert findings.plain.state == match.state
    bare = without_orders(text)
    assert not bare.replay.declarations
    assert bare.state == match.state
    return findings


@pytest.mark.long
def test_what_follows_in_an_order_comes_up_in_random_games() -> None:
    """Else the second reading would not be asked for it."""
    found = [check(random_game(number)[0]) for number in range(6)]
    assert sum(one.sequences for one in found) > 10
    assert sum(one.continued for one in found) > 2


@pytest.mark.long_for("16", "64", "80", "96", "112", "144", "176", "192", "128", "32")
@pytest.mark.parametrize("number", one_in(ALL // ORDINARY, range(ALL)))
def test_every_ordered_move_is_one_that_its_order_decides(number: int) -> None:
    text, _ = random_game(number)
    checked(text)


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("take corn  # ordered", "take corn"),
        ("take corn  # ordered", "take indigo  # ordered"),
        ("take corn  # ordered", "pass  # ordered"),
        ("take quarry", "take quarry  # ordered"),
        ("settler most-vp", "settler pass"),
        ("settler most-vp", "settler most-vp if Bob plays settler"),
        ("settler most-vp", "captain most-vp"),
    ],
)
def test_the_checker_notices_what_no_order_decides(written: str, instead: str) -> None:
    match = porto_cli.new_game(["Ana", "Bob", "Eva"], game="puerto-rico", seed="yauco", first="Ana")
    match.order("settler most-vp", "Bob")
    for move in ("role settler", "take quarry"):
        match.play(move)
        porto_cli.play_bots(match)
    text = match.record.text
    assert check(text).executed == {"most-vp": 1}
    assert written in text
    with pytest.raises(Disagreement):
        check(text.replace(written, instead))
