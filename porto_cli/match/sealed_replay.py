"""Replaying sealed games: what their steps lead to.

The signed steps are what counts, and everything else follows from them: the first player, what
came up, the table, and the items that people read, which have to agree. What comes up after a turn
is decided by the value that the next player releases with the first step of their own turn, so that
a turn is played with the chance of a later step, or, if there is none yet, without one.

The table is known as far as the keys at hand can open it: their player's hand, what was kept of it,
and what is going to come up if that player is next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.core.message import InvalidMoveError, shown
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.crypto import ProofError
from porto_cli.crypto.secrets import (
    GameSecrets,
    check_opening,
    kept_commitment,
    next_randomness,
)
from porto_cli.crypto.setup import SetupState, audit
from porto_cli.crypto.steps import SignedStep
from porto_cli.game import OVER, UNDO, Event, Game, Move, State, Step
from porto_cli.match.chain import (
    GONE,
    REVEAL,
    TURN,
    Keys,
    bytes_of,
    invalid,
    remember,
)
from porto_cli.match.names import RESULT
from porto_cli.match.record import Record
from porto_cli.match.replay import Digester, Replay, check_result, fail_without_result
from porto_cli.match.sealed_items import (
    Signed,
    SignedItem,
    compare_items,
    entries_in,
    entries_of,
)
from porto_cli.match.sealed_setup import Beginning, order_of, own_secrets, read_setup
from porto_cli.match.sealed_state import (
    Kept,
    Sealed,
    heard,
    is_due,
    leaving,
    leaving_by_first_rule,
    left_over,
    void,
)
from porto_cli.match.undo import Past, take_back

WITHOUT = "without"
"""The word with which a player states that another one has vanished."""


class Course(NamedTuple):
    """The result of following the steps of a game."""

    replay: Replay
    items: list[SignedItem]


def replay_sealed(record: Record, keys: Keys | None = None) -> Replay:
    """Replay a sealed record.

    Raises InvalidFileError where it breaks a rule, contradicts itself, or differs from what was
    signed, and NotReadyError if it is still being set up.
    """
    begun = read_setup(record, keys)
    if not begun.setup.complete or not record.settled:
        _demand_unsettled(begun)
        raise begun.not_ready()
    try:
        course = follow(begun, keys)
    except ProofError as error:
        assert record.seals is not None
        raise invalid(record.seals, error) from None
    compare_items(record, course.items)
    _check_result(record, course.replay)
    remember(begun.chain, keys)
    return course.replay


def _demand_unsettled(begun: Beginning) -> None:
    """Require that a record has a setup if and only if its setup is complete."""
    record = begun.record
    assert record.seals is not None
    if record.settled:
        record.seals.fail(
            len(begun.chain.steps) + 1,
            "The machine part ends before the game was set up; it was cut off, or is "
            "that of an older copy. Ask for a complete copy.",
        )
    if begun.setup.complete:
        record.seals.fail(
            begun.steps,
            "The game is set up, but what was dealt is missing above the machine part, "
            "which is that of a newer copy.",
        )


def _check_result(record: Record, replay: Replay) -> None:
    """Require the result if and only if the game is over. Raises InvalidFileError."""
    results = [nth for nth, item in enumerate(record.items) if item.entries[0][0] == RESULT]
    over = replay.state.phase == OVER
    digester = Digester(record)
    for number in results:
        last = number == len(record.items) - 1
        due = over and last
        check_result(record, number, replay.state, replay.written, digester, due=due)
    if over and not results:
        fail_without_result(record)


def follow(begun: Beginning, keys: Keys | None = None) -> Course:
    """Return what the steps after a complete setup lead to.

    Raises ProofError, with the step in it, and InvalidFileError.
    """
    return _Game(begun, keys).course()


class _Game:
    """The state of a sealed game while its steps are followed."""

    def __init__(self, begun: Beginning, keys: Keys | None) -> None:
        record, chain, setup = begun.record, begun.chain, begun.setup
        self.record, self.chain, self.setup, self.keys = record, chain, setup, keys
        self.pile = begun.pile
        self.things = begun.pile.things
        self.game: Game = record.game
        self.order = order_of(begun)
        self.seat_of = {by: seat for seat, by in enumerate(self.order)}
        self.players = record.config.players
        self._demand_order()
        self.played = chain.steps[begun.steps :]
        self.secrets = own_secrets(chain, setup, keys)
        self.releases = {by: setup.chain(by) for by in range(setup.seats)}
        self.values = {done: [unlock.release] for done, unlock in _unlocks(setup)}
        self.randomness = setup.randomness
        deal = self.game.sealed.deal_sealed(record.config, seeded_chance(self.randomness.hex()))
        fault = self.game.deal_fault(record.deal, deal)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        for by, secrets in self.secrets.items():
            deal = self._with_hand(deal, by, setup.hand(secrets))
        self.opening = self.state = self.game.initial_state(record.config, deal)
        self.turns: list[Step] = []
        self.past = Past(record, self.turns)
        self.kinds: list[str] = []
        self.items: list[SignedItem] = []
        self.kept: dict[int, Kept] = {}
        self.revealed: dict[int, bytes] = {}
        self.given_up: frozenset[int] = frozenset()
        self.awaited: dict[int, frozenset[int]] = {}
        self.released_turn = 0

    def _demand_order(self) -> None:
        turned = tuple(self.chain.players[by] for by in self.order)
        if self.players != turned:
            raise InvalidFileError(
                Place(self.record.file, *self.record.lines["players"]),
                f"The players move in the order {', '.join(turned)}: that follows from "
                "the setup. It was changed afterwards.",
            )

    def _with_hand(self, deal: Any, by: int, numbers: Sequence[int]) -> Any:
        if not numbers:
            return deal
        return self.game.sealed.with_hand(deal, self.seat_of[by], self._things(numbers))

    def _things(self, numbers: Sequence[int]) -> bytes:
        return bytes([self.things[number] for number in numbers])

    def course(self) -> Course:
        """Follow all steps."""
        chances = self._chances()
        undone = _undone(self.played, self.players)
        for step in self.played:
            try:
                chance = None if step.height in undone else chances[step.height]
                self._follow(step, chance)
            except ProofError as error:
                raise self._located(step, error) from None
        ahead = self._looked_ahead()
        sealed = Sealed(
            self.pile,
            self.setup,
            self.order,
            self.randomness,
            self.releases,
            self.secrets,
            self.kept,
            self.revealed,
            self.given_up,
            self.awaited,
            self.released_turn,
            ahead is not None,
        )
        replay = Replay(
            self.record,
            self.opening,
            self.state if ahead is None else ahead,
            tuple(self.turns),
            self.chain,
            sealed,
        )
        return Course(replay, self.items)

    def _located(self, step: SignedStep, error: ProofError) -> ProofError:
        return error.located(self.chain.players, step.height, step.by)

    def _chances(self) -> dict[int, _Chance | None]:
        """Return for each step the chance of what comes up after it: that of the next release."""
        releasing: dict[int, _Chance] = {}
        for step in self.played:
            text = step.content.get("release")
            if text is None:
                continue
            self.randomness = next_randomness(self.randomness, bytes_of(text))
            chance = seeded_chance(self.randomness.hex())
            releasing[step.height] = _Chance(chance, step.height, self.chain.by(step.height))
        chances: dict[int, _Chance | None] = {}
        coming: _Chance | None = None
        for step in reversed(self.played):
            chances[step.height] = coming
            coming = releasing.get(step.height, coming)
        return chances

    def _follow(self, step: SignedStep, chance: _Chance | None) -> None:
        """Follow one step. Raises ProofError."""
        content, seat = step.content, self.seat_of.get(step.by, -1)
        kind = str(content["kind"])
        if kind not in (TURN, REVEAL, GONE):
            raise _fault(step, f"A step of the kind {shown(kind)} has no place here.")
        if seat in self.given_up:
            raise _fault(step, "The others go on without this player.")
        entries = entries_of(step, self.players[seat])
        if self._is_stopped() and kind != GONE:
            raise _fault(step, "The game ended when the others were given up.")
        if kind == TURN:
            self._check_release(step, seat)
            self.awaited = void(self.awaited, seat)
            if entries_in(entries) == ((self.players[seat], UNDO),):
                self._undo(step, seat, entries)
            else:
                self._play(step, seat, entries, chance)
        elif kind == GONE:
            self._give_up(step, seat, entries, chance)
        else:
            self.awaited = void(self.awaited, seat)
            self._reveal(step, seat, entries)

    def _is_stopped(self) -> bool:
        """Return whether only one player is left before the end, so that the game cannot go on."""
        return (
            bool(self.given_up)
            and not self.revealed
            and self.state.phase != OVER
            and len(self.players) - len(self.given_up) < 2
        )

    def _check_release(self, step: SignedStep, seat: int) -> None:
        due = is_due(self.state, seat, self.released_turn)
        given = "release" in step.content
        if due and not given:
            raise _fault(
                step,
                "The step begins a turn and has to release the next value of its player's chain.",
            )
        if given and not due:
            raise _fault(step, "The step releases a value although nothing is to come up.")
        if due:
            by, value = self.order[seat], bytes_of(step.content["release"])
            self.values[by].append(value)
            self.releases[by] = self.releases[by].released(value)
            self.released_turn = self.state.turn

    def _undo(self, step: SignedStep, seat: int, entries: SignedItem) -> None:
        violations = self.past.check(seat)
        if violations:
            raise _fault(step, violations[0].sentence)
        standing = self.past.last
        if self.revealed or self.kinds[standing] != TURN:
            raise _fault(step, "What was revealed cannot be taken back.")
        taken = self.turns[standing]
        take_back(standing, len(self.items), seat, self.turns, self.record)
        self.kinds.append(TURN)
        for by, kept in list(self.kept.items()):
            if by == step.by and kept.height in {entry.height for entry in self.items[taken.item]}:
                del self.kept[by]
        self.items.append(entries)
        self.state = self.turns[-1].after

    def _play(
        self, step: SignedStep, seat: int, entries: SignedItem, chance: _Chance | None
    ) -> None:
        game, state = self.game, self.state
        last = self.turns[-1] if self.turns else None
        goes_on = entries[0].key != self.players[seat]
        if self.revealed:
            raise _fault(step, "The players have begun to reveal; no more moves can be made.")
        if goes_on and not (
            last
            and last.seat == seat
            and last.takes_back is None
            and last.item == len(self.items) - 1
        ):
            raise _fault(step, "The step continues a turn of another player.")
        moves: tuple[Move, ...] = ()
        events: tuple[Event, ...] = ()
        item: SignedItem = ()
        before = state
        for nth, entry in enumerate(entries):
            verb = ""
            if goes_on or nth:
                follow_up = game.follow_up(state)
                if follow_up is None or entry.key != follow_up[0] or seat != state.seat:
                    raise _fault(step, f"A turn does not continue with {shown(entry.key)}.")
                verb = f"{follow_up[1]} "
            move = self._move(step, verb + entry.text, seat)
            real = self._unsealed(step, move, seat)
            after, happened = game.sealed.apply(state, real, chance and chance.chance, seat)
            came_up = game.chance_entries(state, happened) if chance else []
            item += (entry, *_came_up(came_up, chance))
            moves += (real,)
            events += tuple(happened)
            self.state = state = after
        if goes_on:
            assert last is not None
            self.turns[-1] = last._replace(
                after=state,
                moves=last.moves + moves,
                events=last.events + events,
                entries=last.entries + entries_in(item),
            )
            self.items[-1] += item
        else:
            self._add(step, seat, before, moves, events, item)

    def _add(
        self,
        step: SignedStep,
        seat: int,
        before: State,
        moves: tuple[Move, ...],
        events: tuple[Event, ...],
        item: SignedItem,
    ) -> None:
        number = len(self.items)
        self.turns.append(Step(number, seat, before, self.state, moves, events, entries_in(item)))
        self.kinds.append(str(step.content["kind"]))
        self.items.append(item)

    def _move(self, step: SignedStep, text: str, seat: int) -> Move:
        """Return the legal move of a text. Raises ProofError."""
        game, state = self.game, self.state
        try:
            move, canonical, faults = game.read_move(text, state, seat)
        except InvalidMoveError as error:
            raise _fault(step, error.sentence) from None
        if canonical != text:
            raise _fault(step, f"The move {shown(text)} is not in its canonical form.")
        if faults:
            raise _fault(step, " ".join(map(str, faults)))
        return move

    def _unsealed(self, step: SignedStep, move: Move, seat: int) -> Move:
        """Return a move, opened if the keys at hand can open it. Raises ProofError."""
        given = step.content.get("commitment")
        if self.game.sealed.is_sealed(move) != (given is not None):
            raise _fault(step, "A hidden choice needs a commitment, and nothing else may have one.")
        if given is None:
            if self.game.is_secret(move):
                raise _fault(step, "The step shows what has to be hidden in a sealed game.")
            return move
        by, bound = step.by, bytes_of(given)
        secrets = self.secrets.get(by)
        hidden = None if secrets is None else self._opened(secrets, step, bound, seat)
        self.kept[by] = Kept(step.height, bound, hidden)
        return move if hidden is None else self.game.sealed.unseal(self.state, move, hidden, seat)

    def _opened(
        self, secrets: GameSecrets, step: SignedStep, bound: bytes, seat: int
    ) -> bytes | None:
        """Return what our own step committed to: the legal choice that fits the commitment."""
        salt = secrets.salt(step.height)
        for move in self.game.legal_moves(self.state, seat):
            if self.game.is_secret(move):
                _, hidden = self.game.sealed.seal(self.state, move, seat)
                if kept_commitment(self.chain.game, step.by, salt, hidden) == bound:
                    return hidden
        return None

    def _reveal(self, step: SignedStep, seat: int, entries: SignedItem) -> None:
        """Follow a reveal: the seed and what its player has kept must be what was committed to."""
        by, game = step.by, self.game
        if by in self.revealed:
            raise _fault(step, "This player has revealed before.")
        seed = bytes_of(step.content["seed"])
        hidden = seat in game.sealed.unrevealed(self.state)
        if hidden != bool(entries) or len(entries) > 1:
            raise _fault(step, "The step reveals something other than what is hidden.")
        if not hidden and self.state.phase != OVER:
            raise _fault(step, "Players reveal when the last turn is over.")
        known = step.height <= self.chain.known
        if hidden:
            if entries[0].key != self.players[seat]:
                raise _fault(step, "The step reveals what another player has kept.")
            move = self._move(step, entries[0].text, seat)
            if not known:
                self._audit(step, seed, game.sealed.revealed(self.state, move))
            before = self.state
            self.state, events = self.game.sealed.apply(before, move, None, seat)
            self._add(step, seat, before, (move,), tuple(events), entries)
        elif not known:
            self._audit(step, seed, b"")
        self.revealed[by] = seed

    def _audit(self, step: SignedStep, seed: bytes, things: bytes) -> None:
        """Recompute everything that a seed was used for. Raises ProofError."""
        by = step.by
        found = audit(self.setup, by, seed, self.values[by])
        kept = self.kept.get(by)
        if kept is not None:
            salt = found.secrets.salt(kept.height)
            dealt = self._things(found.dealt)
            check_opening(self.chain.game, by, kept.commitment, salt, things, dealt)

    def _give_up(
        self, step: SignedStep, seat: int, entries: SignedItem, chance: _Chance | None
    ) -> None:
        """Note who is reported as vanished, and continue without those who leave because of it."""
        content: Any = step.content
        gone = frozenset(self.seat_of.get(by, -1) for by in content["without"])
        active = frozenset(range(len(self.players))) - self.given_up
        if not gone or not gone <= active or seat in gone:
            raise _fault(step, "The step gives up a player who cannot be given up.")
        text = without_text(self.players[one] for one in sorted(gone))
        if entries_in(entries) != ((self.players[seat], text),):
            raise _fault(step, "The step does not say whom it gives up.")
        if self.state.phase == OVER:
            raise _fault(step, "The game is over; there is no need to go on without a player.")
        before = self.state
        events: list[Event] = []
        item = entries
        if "rule" in content:
            self.awaited = heard(void(self.awaited, seat), seat, gone)
            left = leaving(active, self.awaited, seat)
            # What these have revealed still counts; they only cannot take part any more.
            vanished = left - {self.seat_of[by] for by in self.revealed}
        else:
            self.awaited = heard(self.awaited, seat, gone)
            left = vanished = leaving_by_first_rule(active, self.awaited)
        if left:
            try:
                self.state, events = self.game.sealed.give_up(before, sorted(vanished))
            except ValueError:
                raise _fault(
                    step, "The step gives up a player who has already done everything."
                ) from None
            self.given_up |= left
            self.awaited = left_over(self.awaited, left)
            if chance and self.game.sealed.is_waiting(self.state) and self.state.turn > before.turn:
                waiting = self.state
                self.state, came_up = self.game.sealed.turn_up(waiting, chance.chance)
                item += _came_up(self.game.chance_entries(waiting, came_up), chance)
                events += came_up
        self._add(step, seat, before, (), tuple(events), item)

    def _looked_ahead(self) -> State | None:
        """Return the table with what comes up for the player to move, if the keys can open it."""
        state, game = self.state, self.game
        if state.phase == OVER or not game.sealed.is_waiting(state):
            return None
        by = self.order[state.seat]
        secrets = self.secrets.get(by)
        if secrets is None or state.turn <= self.released_turn:
            return None
        value = secrets.release(self.releases[by].next)
        chance = seeded_chance(next_randomness(self.randomness, value).hex())
        return game.sealed.turn_up(state, chance)[0]


class _Chance(NamedTuple):
    """The chance decided by a release, and the step with that release."""

    chance: Chance
    height: int
    by: str


def _unlocks(setup: SetupState) -> list[tuple[int, Any]]:
    return list(zip(setup.unlock_order, setup.unlocks, strict=True))


def _undone(steps: Sequence[SignedStep], players: Sequence[str]) -> set[int]:
    """Return the heights of the steps that were taken back later."""
    undone: set[int] = set()
    standing: list[list[int]] = []
    for step in steps:
        entries: Any = step.content.get("entries")
        if not entries:
            continue
        key, text = entries[0]
        if step.content["kind"] == TURN and text == UNDO:
            undone.update(standing.pop() if standing else ())
        elif standing and key not in players:
            standing[-1].append(step.height)
        else:
            standing.append([step.height])
    return undone


def _came_up(entries: Sequence[tuple[str, str]], chance: _Chance | None) -> SignedItem:
    if chance is None:
        return ()
    return tuple(Signed(key, text, chance.height, chance.by) for key, text in entries)


def _fault(step: SignedStep, sentence: str) -> ProofError:
    return ProofError("step-rule", step.by, sentence)


def without_text(players: Any) -> str:
    """Return the text in the turns with which a player gives up others."""
    # As texts are in the turns: with single spaces.
    return " ".join(f"{WITHOUT} {', '.join(players)}".split())
