"""The record of a sealed game, checked from porto-record(5) and porto-sealed(7) alone.

The rules of the game are those of the package; everything else is not.
Records are read as programs write them: of the human part, an item is one line, and each key after
it as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from porto_cli.core import PortoError
from porto_cli.games import game_of
from porto_cli.match.items import stands
from porto_cli.match.record import setup_lines
from porto_cli.seam import OVER, Step
from tests.second_verifier import page
from tests.second_verifier.edwards import RefusedError
from tests.second_verifier.page import demand, from_base64, mapping

Entries = list[tuple[str, str]]


# THE MACHINE PART


def divide(text: str) -> tuple[list[str], str]:
    """The lines of the human part, and the machine part without comments, blanks, ends of lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [at for at, line in enumerate(lines) if line.rstrip(" ") == "seals: |"]
    demand(len(starts) == 1, "one line begins the machine part")
    machine = lines[starts[0] + 1 :]
    demand(all(line.startswith(" ") for line in machine if line), "a line without a blank")
    data = (line.replace(" ", "") for line in machine if not line.lstrip(" ").startswith("#"))
    return lines[: starts[0]], "".join(data)


def in_a_record(value: object) -> str:
    """The one spelling of a value in the machine part."""
    text = json.dumps(json.loads(page.to_json(value)), sort_keys=True, separators=(",", ":"))
    return text.replace(" ", "\\u0020").replace("#", "\\u0023")


def objects(data: str) -> Iterator[object]:
    """The JSON objects, each in one spelling only: so no key can stand twice, and no fraction."""
    at, decoder = 0, json.JSONDecoder()
    while at < len(data):
        try:
            value, end = decoder.raw_decode(data, at)
        except (ValueError, RecursionError) as error:
            raise RefusedError("no JSON") from error
        demand(data[at:end] == in_a_record(value), "not the one spelling of JSON")
        yield value
        at = end


@dataclass
class Genesis:
    """The first object."""

    value: dict[str, object]
    players: list[str]
    head: list[str]
    first: int | None

    @classmethod
    def of(cls, value: object) -> Genesis:
        """Read it."""
        demand(isinstance(value, dict), "a genesis is an object")
        assert isinstance(value, dict)
        names = {"format", "players", "head", "nonce"}
        demand(names <= set(value) <= names | {"first"}, "keys of the genesis")
        demand(type(value["format"]) is int and value["format"] == 1, "another format")
        players, head = texts(value["players"]), texts(value["head"])
        first = value.get("first")
        demand("first" not in value or type(first) is int, "first is a seat")
        demand(first is None or 0 <= first < len(players), "first is a seat")
        demand(isinstance(value["nonce"], str), "the nonce is a text")
        return cls(value, players, head, first)


def texts(value: object) -> list[str]:
    """A list of texts."""
    demand(isinstance(value, list) and all(isinstance(one, str) for one in value), "no texts")
    assert isinstance(value, list)
    return value


def entries_of(value: object) -> Entries:
    """A list of keys with their texts."""
    demand(isinstance(value, list) and len(value) > 0, "no entries")
    assert isinstance(value, list)
    pairs = [texts(pair) for pair in value]
    demand(all(len(pair) == 2 for pair in pairs), "an entry is a key and a text")
    return [(pair[0], pair[1]) for pair in pairs]


# SEALED GAMES: the play of the steps


@dataclass
class Play:
    """A game as its steps tell it."""

    genesis: Genesis
    table: page.Table
    rules: Any
    config: Any = None
    deal: Any = None
    state: Any = None
    names: list[str] = field(default_factory=list)
    items: list[Entries] = field(default_factory=list)
    before: list[tuple[int, Any, int]] = field(
        default_factory=list
    )  # Who, and what an undo restores.
    released_in: int = 0
    waiting: int = -1  # The item whose refill the next release decides.
    kept: dict[int, tuple[int, bytes, bytes]] = field(default_factory=dict)
    seeds: dict[int, bytes] = field(default_factory=dict)
    said: dict[int, set[int]] = field(default_factory=dict)  # Of whom, by whom.
    gone: set[int] = field(default_factory=set)
    stopped: bool = False
    steps: list[Step] = field(default_factory=list)  # What was done.

    def begin(self, new_config: Callable[[Sequence[str]], Any]) -> None:
        """The last unlock is there: who begins, and the setup."""
        players, seed = self.genesis.players, self.table.randomness.hex()
        first = self.genesis.first
        if first is None:
            first = page.choose(seed, "first", 0, len(players))
        self.names = players[first:] + players[:first]
        self.config = new_config(self.names)
        self.deal = self.rules.sealed.deal_sealed(self.config, chance(seed))
        self.state = self.rules.initial_state(self.config, self.deal)

    def seat(self, by: int) -> int:
        """The seat in turn order of a place in the order of sitting."""
        return self.names.index(self.genesis.players[by])

    def turn(self, height: int, content: dict[str, object]) -> None:
        """A step of the kind ``turn``."""
        by, entries = content["by"], entries_of(content["entries"])
        assert isinstance(by, int)
        demand({"by", "kind", "entries"} <= set(content), "keys of a turn")
        demand(set(content) <= {"by", "kind", "entries", "release", "commitment"}, "keys of a turn")
        seat, name = self.seat(by), self.genesis.players[by]
        if entries == [(name, "undo")]:
            demand(len(content) == 3, "an undo has nothing else")
            over = self.state.phase == OVER or getattr(self.state, "is_revealing", False)
            demand(not over, "an undo after the last turn")
            last = self.steps[-1] if self.steps else None
            demand(len(self.before) > 0 and last.seat == seat, "nothing to take back")
            before = self.state
            who, self.state, self.waiting = self.before.pop()
            demand(who == seat, "an undo of another player's item")
            self.items.append(entries)
            taken = max(at for at, one in enumerate(self.steps) if stands(one))
            self.steps[taken] = self.steps[taken]._replace(undone=True)
            undo = Step(len(self.items) - 1, seat, before, self.state, (), (), (), takes_back=taken)
            self.steps.append(undo)
            return
        self.release(by, seat, content)
        self.decide(seat, name, entries, height, content.get("commitment"))

    def release(self, by: int, seat: int, content: dict[str, object]) -> None:
        """The first step of a turn releases the next value of the chain of its player."""
        if self.state.seat == seat and self.state.turn > self.released_in:
            demand("release" in content, "the first step of a turn releases")
            randomness = self.table.release(by, from_base64(content["release"], 32))
            self.come_up(randomness.hex())
            self.released_in = self.state.turn
        else:
            demand("release" not in content, "a release that is none of the first step")

    def come_up(self, seed: str) -> None:
        """What comes up after the turn before is written into its item."""
        before = self.state
        self.state, events = self.rules.sealed.turn_up(before, chance(seed))
        self.items[self.waiting] += self.rules.chance_entries(before, events)

    def decide(
        self, seat: int, name: str, entries: Entries, height: int, commitment: object
    ) -> None:
        """The decisions of a step."""
        committed = False
        for at, (key, text) in enumerate(entries):
            if at == 0 and key == name:
                move_text, starts = text, True
            else:
                follow = self.rules.follow_up(self.state)
                demand(follow is not None and follow[0] == key, "a key with nothing to say")
                demand(self.state.seat == seat, "the decision of another player")
                move_text, starts = f"{follow[1]} {text}", False
            move = self.move(move_text, seat)
            if self.rules.sealed.is_sealed(move):
                demand(commitment is not None, "a choice without a commitment")
                self.kept[seat] = (height, from_base64(commitment, 32), b"")
                committed = True
            if starts:
                self.before.append((seat, self.state, self.waiting))
                self.items.append([(key, text)])
                number = len(self.items) - 1
                self.steps.append(
                    Step(number, seat, self.state, self.state, (), (), ((key, text),))
                )
            else:
                demand(self.steps[-1].item == len(self.items) - 1, "another item came between")
                self.items[-1].append((key, text))
            turn = self.state.turn
            self.state, _ = self.rules.apply(self.state, move, None, seat)
            made = (*self.steps[-1].moves, move)
            self.steps[-1] = self.steps[-1]._replace(after=self.state, moves=made)
            if self.state.turn > turn:
                self.waiting = len(self.items) - 1
        demand(committed or commitment is None, "a commitment to nothing")

    def move(self, text: str, seat: int) -> Any:
        """A legal move in its canonical words."""
        try:
            move = self.rules.parse_move(text, self.state, seat)
        except PortoError as error:
            raise RefusedError("no move") from error
        demand(not self.rules.violations(self.state, move, seat), "an illegal move")
        demand(self.rules.format_move(move, self.state) == text, "not in canonical notation")
        return move

    def reveal(self, content: dict[str, object]) -> None:
        """A step of the kind ``reveal``: the seed, and what was kept."""
        by = content["by"]
        assert isinstance(by, int)
        hides = self.table.things > 0
        names = ("by", "kind", "seed", *(["entries"] if hides else []))
        mapping(content, *names)
        demand(by not in self.seeds, "revealed twice")
        demand(not self.rules.sealed.is_waiting(self.state), "too early to reveal")
        demand(
            self.state.phase == OVER or bool(self.rules.sealed.unrevealed(self.state)),
            "too early to reveal",
        )
        seed, seat = from_base64(content["seed"], 32), self.seat(by)
        if hides:
            entries = entries_of(content["entries"])
            demand(len(entries) == 1 and entries[0][0] == self.names[seat], "not what was kept")
            move = self.move(entries[0][1], seat)
            contracts = bytes(self.rules.sealed.revealed(self.state, move))
            height, commitment, _ = self.kept[seat]
            pile = self.rules.sealed_pile(self.config).things
            check_kept(self.table, by, seed, height, commitment, contracts, pile)
            self.state, _ = self.rules.apply(self.state, move, None, seat)
            self.items.append(entries)
        else:
            self.table.audit(by, seed)
        self.seeds[by] = seed

    def without(self, content: dict[str, object]) -> None:
        """A step of the kind ``gone``: players have vanished."""
        ruled = "rule" in content
        names = ("by", "kind", "without", "entries", *(["rule"] if ruled else []))
        read = mapping(content, *names)
        demand(not ruled or (type(read["rule"]) is int and read["rule"] == 2), "another rule")
        by, named = read["by"], read["without"]
        assert isinstance(by, int)
        players = range(len(self.names))
        demand(isinstance(named, list) and len(named) > 0, "nobody is named")
        assert isinstance(named, list)
        left = [seat for seat in players if seat not in self.gone and seat != by]
        demand(all(type(one) is int and one in left for one in named), "nobody to be given up")
        seats = sorted(self.seat(one) for one in set(named))
        text = "without " + ", ".join(self.names[s] for s in seats)
        entries = [(self.genesis.players[by], " ".join(text.split()))]
        demand(entries_of(read["entries"]) == entries, "the entries say something else")
        demand(self.state.phase != OVER, "the game is over")
        self.items.append(entries)
        self.steps.append(
            Step(len(self.items) - 1, self.seat(by), self.state, self.state, (), (), tuple(entries))
        )
        self.before.clear()
        if ruled:
            self.said.pop(by, None)
        for one in named:
            self.said.setdefault(one, set()).add(by)
        if ruled:
            self.leave_all_but(self.who_stay_with(by))
            return
        rest = {seat for seat in players if seat not in self.gone and seat not in self.said}
        if all(rest <= by_whom for by_whom in self.said.values()):
            seats = sorted(self.seat(one) for one in self.said)
            self.gone.update(self.said)
            self.said.clear()
            try:
                self.state, _ = self.rules.sealed.give_up(self.state, seats)
            except ValueError as error:
                raise RefusedError("they have done all there was to do") from error
            self.stopped = len(rest) < 2 and not self.seeds and self.state.phase != OVER

    def who_stay_with(self, speaker: int) -> set[int]:
        """PLAYERS WHO HAVE VANISHED: the speaker, and whom somebody who stays has not named."""
        stay, asked = {speaker}, [speaker]
        for seat in asked:
            for one in range(len(self.names)):
                named = seat in self.said.get(one, set())
                if one not in stay and one not in self.gone and not named:
                    stay.add(one)
                    asked.append(one)
        return stay

    def leave_all_but(self, stay: set[int]) -> None:
        """All others leave; what was said of them and by them is done with."""
        leave = {seat for seat in range(len(self.names)) if seat not in self.gone | stay}
        if not leave:
            return
        self.gone |= leave
        self.said = {one: by - leave for one, by in self.said.items() if one not in leave}
        seats = sorted(self.seat(one) for one in leave if one not in self.seeds)
        self.state, _ = self.rules.sealed.give_up(self.state, seats)
        self.stopped = len(stay) < 2 and not self.seeds and self.state.phase != OVER


def check_kept(
    table: page.Table,
    by: int,
    seed: bytes,
    height: int,
    commitment: bytes,
    contracts: bytes,
    pile: bytes,
) -> None:
    """SEALED GAMES: contracts as their numbers; what was dealt are places of the pile."""
    dealt = bytes(pile[thing] for thing in table.audit(by, seed))
    salt = page.short_hash("salt", seed, page.u64(height))
    opened = page.short_hash("kept", table.game, page.u64(by), salt, bytes(sorted(contracts)))
    demand(opened == commitment, "not what the commitment binds to")
    demand(all(contracts.count(c) <= dealt.count(c) for c in contracts), "was not dealt")


def chance(seed: str) -> Callable[[str, int, bytes], int]:
    """CHANCE: what comes up, by the seed of a choice."""
    return lambda stream, index, pile: page.choose(seed, stream, index, len(pile))


def play(text: str, new_config: Callable[[Sequence[str]], Any], game: str = "porto") -> Play:
    """Check the machine part of a record; ``new_config`` has the options that were agreed on."""
    _, data = divide(text)
    found = list(objects(data))
    demand(len(found) > 0, "no genesis")
    genesis, rules = Genesis.of(found[0]), game_of(game)
    config = new_config(genesis.players)
    head = [line for line in genesis.head if line.split(":")[0] not in ("porto", "rules", "game")]
    lines = [f"players: [{', '.join(genesis.players)}]", *rules.config_lines(config)]
    demand(head == [*lines, "secrecy: sealed"], "another head")
    pile = rules.sealed_pile(config)
    assert not isinstance(pile, str)
    seats = len(genesis.players)
    table = page.Table(page.game_id(genesis.value), seats, len(pile.things), pile.each)
    result, last = Play(genesis, table, rules), table.game
    for number, value in enumerate(found[1:], 1):
        step = page.Step.of(value)
        last = page.check_step(table, number, last, step)
        if number == 2 * seats:
            result.begin(new_config)
        elif number > 2 * seats:
            kind = step.content.get("kind")
            kinds = ("turn", "reveal", "gone")
            demand(kind in kinds, "a kind of step that nobody knows")
            demand(not result.stopped, "a step after the end")
            demand(step.by(seats) not in result.gone, "a step of who was given up")
            if kind != "gone":
                result.said.pop(step.by(seats), None)
            if kind == "turn":
                demand(not result.seeds, "a turn after a seed")
                result.turn(number, step.content)
            elif kind == "reveal":
                result.reveal(step.content)
            else:
                result.without(step.content)
    return result


# The human part


def check_record(text: str, new_config: Callable[[Sequence[str]], Any]) -> Play:
    """A whole record: the machine part, and that the human part says what it says."""
    known = play(text, new_config)
    human = [without_remark(line) for line in divide(text)[0]]
    lines = [line for line in human if line and not line.startswith("title:")]
    expected = [
        *(line for line in known.genesis.head if not line.startswith(("players:", "secrecy:"))),
        f"players: [{', '.join(known.names)}]",
        "secrecy: sealed",
        *setup_lines(known.rules, known.config, known.deal),
    ]
    at = lines.index("turns:") + 1
    demand(sorted(lines[:at]) == sorted(expected), "the head or the setup is another")
    items: list[Entries] = []
    for line in lines[at:]:
        key, _, value = line[2:].partition(": ")
        if line.startswith("- "):
            items.append([])
        demand(line[:2] in ("- ", "  ") and len(items) > 0, "no item")
        items[-1].append((key, value))
    if known.state.phase == OVER:
        result = [(key, value) for key, value in items.pop() if key != "fingerprint"]
        demand(result == known.rules.result_entries(known.state), "another result")
    demand(items == known.items, "the items do not say what the steps say")
    return known


def without_remark(line: str) -> str:
    """A line without a comment and blanks at its end."""
    return "" if line.startswith("#") else line.split(" #")[0].rstrip(" ")
