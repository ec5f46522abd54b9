"""Replaying the signed steps of a sealed game, and deciding who leaves it after vanishing.

Only the signed steps count, and everything else follows from them: the first player, what comes up,
the table, and the items that people read, which have to agree. What comes up after a turn is
decided by the value that the next player releases with the first step of their own turn. So a turn
is replayed with the chance of a later step or, while there is none, without any.

The table is known as far as the keys at hand can open it: their player's hand, what was kept of it,
and what is about to come up if that player is next.

That a player has vanished is only stated by others, never proven, so the statement may be a mistake
or do harm. Who stays is therefore worked out from the last player who made a statement: that player
stays, and with each player who stays, everybody whom that player has *not* named. All others leave
at once; each of them was named by every player who stays. A player who makes a step has not
vanished, so earlier statements about that player are void.

Hence those who stay can always get rid of those who do not answer; one player who names honest
players and then vanishes changes nothing; and a player who names all others goes on alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from porto_cli.core import InvalidMoveError, cited
from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.match.items import Apply, IllegalMoveError, Past, begun, read_decision, with_decision
from porto_cli.match.record import Entries
from porto_cli.sealed import (
    ProofError,
    bytes_of,
    check_opening,
    demand,
    in_step,
    kept_commitment,
    next_randomness,
)
from porto_cli.sealed.chain import GONE, REVEAL, TURN, Beginning, order_of, own_secrets
from porto_cli.sealed.dealing import audit
from porto_cli.sealed.holder import KeyHolder
from porto_cli.sealed.steps import Chain, SignedStep
from porto_cli.seam import OVER, UNDO, WITHOUT, Move, State, Step


class Kept(NamedTuple):
    """A player's commitment to what they keep."""

    height: int
    commitment: bytes
    hidden: bytes | None
    """The things kept, if the keys at hand can open the commitment."""


class Course:
    """A sealed game while its steps are replayed, with all that is known of it."""

    def __init__(self, beginning: Beginning, keys: KeyHolder | None) -> None:
        self.beginning = beginning
        self.record, self.setup = beginning.record, beginning.setup
        self.game, self.players = self.record.game, self.record.config.players
        self.order = order_of(beginning)
        """For each seat its player's number in seating order, the ``by`` of steps."""
        self.seat_of = {by: seat for seat, by in enumerate(self.order)}
        self._demand_order()
        self.secrets = own_secrets(self.setup, keys)
        """The secrets of the keys at hand. Like everything that belongs to a key, they are indexed
        by numbers in seating order, not by seats."""
        self.releases = {by: self.setup.chain(by) for by in range(self.setup.seats)}
        """How far each player's chain has been released."""
        self.values = {by: [chain.last] for by, chain in self.releases.items()}
        self.randomness = self.setup.randomness
        """The joint randomness R: with the next release, it decides what comes up next."""
        self.released_turn = 0
        """The number of turns that were over when the last value was released."""
        self.kept: dict[int, Kept] = {}
        self.revealed: dict[int, bytes] = {}
        """The revealed seeds."""
        self.given_up: frozenset[int] = frozenset()
        """The seats of players who were given up."""
        self.awaited: dict[int, frozenset[int]] = {}
        """The seats named as vanished, each with the seats that have named it so far."""
        self.opening = self.state = self._opening()
        self.steps: list[Step] = []
        self.signed: list[tuple[int, ...]] = []
        """For each of these and each of its entries, the height of the signed step behind it."""
        self._decides: dict[int, int] = {}
        """For each height, that of the step whose release decides what comes up after it, if there
        is one yet."""
        self._past = Past(self.record, self.steps)

    @property
    def chain(self) -> Chain:
        """The signed and the drafted steps."""
        return self.beginning.chain

    def _demand_order(self) -> None:
        turned = tuple(self.chain.players[by] for by in self.order)
        if self.players != turned:
            raise InvalidFileError(
                Place(self.record.file, *self.record.lines["players"]),
                f"The players move in the order {', '.join(turned)}: that follows from "
                "the setup. It was changed afterward.",
            )

    def _opening(self) -> State:
        """Return the table as dealt, with the hands that the keys at hand can open."""
        record, sealing = self.record, self.game.sealed
        deal = sealing.deal_sealed(record.config, seeded_chance(self.randomness.hex()))
        fault = self.game.deal_fault(record.config, record.deal, deal)
        if fault:
            raise InvalidFileError(Place(record.file, *record.lines["setup"]), fault)
        for by, secrets in self.secrets.items():
            numbers = self.setup.hand(secrets)
            if numbers:
                deal = sealing.with_hand(deal, self.seat_of[by], self._things(numbers))
        return self.game.initial_state(record.config, deal)

    def _things(self, numbers: Sequence[int]) -> bytes:
        return bytes([self.beginning.pile.things[number] for number in numbers])

    # -- What is known

    @property
    def stopped(self) -> bool:
        """Whether the game cannot go on, because too many players were given up before the end."""
        return (
            bool(self.given_up) and not self.revealed and len(self.order) - len(self.given_up) < 2
        )

    @property
    def is_played_out(self) -> bool:
        """Whether the last turn is over: nobody is to move, or only those who have nothing left but
        to reveal what they chose in secret before.
        """
        game, state = self.game, self.state
        return not game.sealed.is_waiting(state) and all(
            self.order[seat] in self.kept
            and all(map(game.is_secret, game.legal_moves(state, seat)))
            for seat in game.to_move(state)
        )

    @property
    def playing(self) -> frozenset[int]:
        """The seats of those who were not given up."""
        return frozenset(range(len(self.order))) - self.given_up

    def is_due(self, seat: int) -> bool:
        """Return whether the next step of a seat has to release a value: it begins a turn, and no
        value has been released since the previous turn ended.
        """
        return bool(seat == self.state.seat and self.state.turn > self.released_turn)

    def undecided(self, gone: int) -> list[int]:
        """Return the seats that have yet to state that a player has vanished before the game can go
        on: those not named as vanished themselves or, if there are none, everybody else.
        """
        stated_by = self.awaited.get(gone, frozenset())
        playing = set(self.playing)
        return sorted(playing - set(self.awaited) - stated_by or playing - {gone} - stated_by)

    def cannot_give_up(self, seat: int, gone: Collection[int]) -> str | None:
        """Return why a player cannot state that others have vanished; ``None`` if they can."""
        if self.state.phase == OVER:
            return "The game is over; there is no need to go on without a player."
        if seat in self.given_up:
            return f"The others go on without {self.players[seat]}."
        if seat in gone:
            return f"{self.players[seat]} cannot vanish and say so."
        left = sorted(self.given_up.intersection(gone))
        return f"The others already go on without {self.players[left[0]]}." if left else None

    def ahead(self) -> State:
        """Return the table, with what comes up next if the keys at hand are the next player's."""
        state, sealing = self.state, self.game.sealed
        by = self.order[state.seat]
        secrets = self.secrets.get(by)
        is_coming = state.phase != OVER and sealing.is_waiting(state) and self.is_due(state.seat)
        if secrets is None or not is_coming:
            return state
        value = secrets.release(self.releases[by].next)
        chance = seeded_chance(next_randomness(self.randomness, value).hex())
        return sealing.turn_up(state, chance)[0]

    # -- Replaying the steps

    def follow(self, steps: Sequence[SignedStep]) -> None:
        """Replay all steps after the setup. Raises ProofError, which names the step."""
        chances = self._chances(steps)
        stand = {step.height for step in standing(steps, self.players).steps}
        for step in steps:
            with in_step(step.height, self.chain.by(step.height)):
                self._follow(step, chances.get(step.height) if step.height in stand else None)

    def _chances(self, steps: Sequence[SignedStep]) -> dict[int, Chance]:
        """Return for each height the chance that decides what comes up after that step: that of the
        next release, if there is one yet. Note which step makes that release.
        """
        chances: dict[int, Chance] = {}
        since = self.setup.height + 1
        for step in steps:
            text = step.content.get("release")
            if text is not None:
                self.randomness = next_randomness(self.randomness, bytes_of(text))
                decided = range(since, step.height)
                chances |= dict.fromkeys(decided, seeded_chance(self.randomness.hex()))
                self._decides |= dict.fromkeys(decided, step.height)
                since = step.height
        return chances

    def _follow(self, step: SignedStep, coming: Chance | None) -> None:
        seat, kind = self.seat_of.get(step.by, -1), str(step.content["kind"])
        demand(kind in (TURN, REVEAL, GONE), f"A step of the kind {cited(kind)} has no place here.")
        demand(seat not in self.given_up, "The others go on without this player.")
        entries = entries_of(step)
        if kind == GONE:
            self._give_up(step, seat, entries, coming)
            return
        goes_on = not self.stopped or self.state.phase == OVER
        demand(goes_on, "The game ended when the others were given up.")
        if kind == TURN:
            self._check_release(step, seat)
        self.awaited = void(self.awaited, seat)
        if kind == REVEAL:
            self._reveal(step, seat, entries)
        elif entries == ((self.players[seat], UNDO),):
            self._undo(step, seat)
        else:
            self._play(step, seat, entries, coming)

    def _check_release(self, step: SignedStep, seat: int) -> None:
        due, given = self.is_due(seat), "release" in step.content
        needed = "The step begins a turn and has to release the next value of its player's chain."
        demand(given or not due, needed)
        demand(due or not given, "The step releases a value although nothing is to come up.")
        if due:
            value = bytes_of(step.content["release"])
            self.values[step.by].append(value)
            self.releases[step.by] = self.releases[step.by].released(value)
            self.released_turn = self.state.turn

    def _signers(self, step: Step, height: int, before: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Return for each entry the height of the step that signs it: as ``before``, then
        ``height``; what came up after that is signed where it was decided.
        """
        signed = (*before, height)
        return signed + (self._decides.get(height, height),) * (len(step.entries) - len(signed))

    def _add(self, step: Step, signed: tuple[int, ...]) -> None:
        """Append a step, and the heights that sign its entries."""
        self.steps.append(step)
        self._note(signed)

    def _note(self, signed: tuple[int, ...]) -> None:
        """Note the heights that sign the last item, and take over its state."""
        self.signed.append(signed)
        self.state = self.steps[-1].after

    def _undo(self, step: SignedStep, seat: int) -> None:
        violations = self._past.check(seat)
        demand(not violations, violations[0].sentence if violations else "")
        last = self._past.last
        began = self.chain.steps[self.signed[last][0] - 1]
        # Its player would know by then what others reveal.
        can = not self.is_played_out and began.content["kind"] == TURN
        demand(can, "Only turns can be taken back, and none once the last turn is over.")
        kept = self.kept.get(step.by)
        if kept and kept.height in self.signed[last]:
            del self.kept[step.by]
        self._past.take_back(len(self.steps), seat)
        self._note((step.height,))

    def _play(self, step: SignedStep, seat: int, entries: Entries, coming: Chance | None) -> None:
        over = "The players have begun to reveal; no more moves can be made."
        demand(not self.revealed, over)
        after, signed = begun(len(self.steps), seat, self.state), tuple[int, ...]()
        if entries[0][0] != self.players[seat]:
            last = self.steps[-1] if self.steps else None
            own = last is not None and last.seat == seat and last.takes_back is None
            demand(own, "The step neither begins a turn of its player nor continues one.")
            after, signed = self.steps.pop(), self.signed.pop()
        apply = self.applying(coming)
        for key, text in entries:
            move = self._unsealed(step, after, self._move(after, key, text))
            after = with_decision(self.game, after, (key, text), move, apply)
            signed = self._signers(after, step.height, signed)
        self._add(after, signed)

    def applying(self, coming: Chance | None) -> Apply:
        """Return the function that makes moves; ``coming`` decides what comes up, if known."""
        make = self.game.sealed.apply
        return lambda state, move, seat: make(state, move, coming, seat)

    def _move(self, after: Step, key: str, text: str) -> Move:
        """Return the legal move of an entry, which has to be in canonical form."""
        try:
            state, seat, later = after.after, after.seat, bool(after.entries)
            move, canonical = read_decision(self.game, state, seat, (key, text), later=later)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise ProofError(" ".join(error.sentences)) from None
        demand(canonical == text, f"The move {cited(text)} is not in its canonical form.")
        return move

    def _unsealed(self, step: SignedStep, after: Step, move: Move) -> Move:
        """Return a move with what it hides, if the keys at hand can open its commitment."""
        sealing, given, by = self.game.sealed, step.content.get("commitment"), step.by
        fits = sealing.is_sealed(move) == (given is not None)
        demand(fits, "A hidden choice needs a commitment, and nothing else may have one.")
        if given is None:
            is_open = not self.game.is_secret(move)
            demand(is_open, "The step shows what has to be hidden in a sealed game.")
            return move
        bound = bytes_of(given)
        hidden = self._opened(step, after, bound) if by in self.secrets else None
        self.kept[by] = Kept(step.height, bound, hidden)
        return move if hidden is None else sealing.unseal(after.after, move, hidden, after.seat)

    def _opened(self, step: SignedStep, after: Step, bound: bytes) -> bytes | None:
        """Return what a step of our own committed to: the legal choice that fits."""
        by, state, seat = step.by, after.after, after.seat
        salt = self.secrets[by].salt(step.height)
        for move in self.game.legal_moves(state, seat):
            if self.game.is_secret(move):
                _, hidden = self.game.sealed.seal(state, move, seat)
                if kept_commitment(self.chain.game, by, salt, hidden) == bound:
                    return hidden
        return None

    def _reveal(self, step: SignedStep, seat: int, entries: Entries) -> None:
        """Replay a reveal, whose seed and kept things must match the player's commitments."""
        by, sealing = step.by, self.game.sealed
        demand(by not in self.revealed, "This player has revealed before.")
        hidden = seat in sealing.unrevealed(self.state)
        only = hidden == bool(entries) and len(entries) < 2
        demand(only, "The step reveals something other than what is hidden.")
        in_time = hidden or self.state.phase == OVER
        demand(in_time, "Players reveal when the last turn is over.")
        things, after = b"", begun(len(self.steps), seat, self.state)
        if hidden:
            (key, text), *_ = entries
            demand(key == self.players[seat], "The step reveals what another player has kept.")
            move = self._move(after, key, text)
            things = sealing.revealed(self.state, move)
        seed = bytes_of(step.content["seed"])
        if step.height > self.chain.known:
            self._audit(step, seed, things)
        if hidden:
            after = with_decision(self.game, after, (key, text), move, self.applying(None))
            self._add(after, (step.height,))
        self.revealed[by] = seed

    def _audit(self, step: SignedStep, seed: bytes, things: bytes) -> None:
        """Recompute everything that a seed was used for. Raises ProofError."""
        by = step.by
        secrets, numbers = audit(self.setup, by, seed, self.values[by])
        kept = self.kept.get(by)
        if kept is not None:
            salt, dealt = secrets.salt(kept.height), self._things(numbers)
            check_opening(self.chain.game, by, kept.commitment, salt, things, dealt)

    def _give_up(
        self, step: SignedStep, seat: int, entries: Entries, coming: Chance | None
    ) -> None:
        """Note a statement that players have vanished, and go on without those who then leave."""
        gone = frozenset(self.seat_of.get(by, -1) for by in step.content["without"])
        demand(gone and -1 not in gone, "The step names nobody, or somebody who does not play.")
        fault, playing = self.cannot_give_up(seat, gone), self.playing
        demand(not fault, fault or "")
        text = without_text(self.players[one] for one in sorted(gone))
        said = entries == ((self.players[seat], text),)
        demand(said, "The step does not say whom it gives up.")
        if "rule" in step.content:
            self.awaited = heard(void(self.awaited, seat), seat, gone)
            left = leaving(playing, self.awaited, seat)
            # What players have revealed still counts; they just no longer take part.
            vanished = left - {self.seat_of[by] for by in self.revealed}
        else:
            self.awaited = heard(self.awaited, seat, gone)
            left = vanished = leaving_by_first_rule(playing, self.awaited)
        after = begun(len(self.steps), seat, self.state)._replace(entries=entries)
        if left:
            after = self._without(after, left, vanished, coming)
        self._add(after, self._signers(after, step.height))

    def _without(
        self, after: Step, left: frozenset[int], vanished: frozenset[int], coming: Chance | None
    ) -> Step:
        """Return a step in which seats leave the game, with what comes up then."""
        sealing, before = self.game.sealed, self.state
        try:
            state, events = sealing.give_up(before, sorted(vanished))
        except ValueError:
            already = "The step gives up a player who has already done everything."
            raise ProofError(already) from None
        self.given_up |= left
        self.awaited = left_over(self.awaited, left)
        entries = after.entries
        if coming and sealing.is_waiting(state) and state.turn > before.turn:
            waiting = state
            state, came_up = sealing.turn_up(waiting, coming)
            entries += tuple(self.game.chance_entries(waiting, came_up))
            events = [*events, *came_up]
        return after._replace(after=state, events=tuple(events), entries=entries)


def followed(beginning: Beginning, keys: KeyHolder | None) -> Course:
    """Return a game after all its steps, as far as the keys can open it. Raises ProofError."""
    course = Course(beginning, keys)
    course.follow(beginning.played)
    return course


def entries_of(step: SignedStep) -> Entries:
    """Return the entries that a step appends to the turns."""
    return tuple((key, text) for key, text in step.content.get("entries", ()))


# -- Which steps were taken back


class Standing(NamedTuple):
    """The steps that stand, out of some consecutive steps of a game."""

    groups: tuple[tuple[SignedStep, ...], ...]
    """The steps that were not taken back; an undo takes back a whole group."""
    undo: SignedStep | None
    """The first undo of a turn that began before these steps."""

    @property
    def steps(self) -> tuple[SignedStep, ...]:
        """The steps of all groups."""
        return tuple(step for group in self.groups for step in group)

    @property
    def turns(self) -> list[SignedStep]:
        """The steps whose order matters."""
        return [step for step in self.steps if not is_free(step)]


def standing(steps: Iterable[SignedStep], players: Sequence[str]) -> Standing:
    """Return the steps that were not taken back, out of some consecutive ones."""
    groups: list[list[SignedStep]] = []
    begun_before = False
    undo: SignedStep | None = None
    for step in steps:
        entries, kind = entries_of(step), step.content["kind"]
        if kind not in (TURN, REVEAL, GONE):
            continue
        continues = kind == TURN and entries[0][0] not in players
        if is_undo(step):
            if not groups or (begun_before and len(groups) == 1):
                undo = undo or step
            if groups:
                groups.pop()
        elif continues and groups:
            groups[-1].append(step)
        else:
            begun_before = begun_before or (continues and not groups)
            groups.append([step])
    return Standing(tuple(map(tuple, groups)), undo)


def is_undo(step: SignedStep) -> bool:
    """Return whether a step takes a turn back."""
    return step.content["kind"] == TURN and entries_of(step)[0][1].lower() == UNDO


def is_free(step: SignedStep) -> bool:
    """Return whether a step can be made before or after any other: its order does not matter."""
    kind = step.content["kind"]
    return kind in (REVEAL, GONE) or (kind == TURN and "commitment" in step.content)


def is_answer(step: SignedStep) -> bool:
    """Return whether a step of another player answers a turn, so that an undo of it does not count:
    a turn, or a step that releases a value.
    """
    return "release" in step.content or not is_free(step)


# -- Who has vanished


Statements = Mapping[int, frozenset[int]]
"""The seats named as vanished, each with the seats that have named it."""


def without_text(players: Iterable[str]) -> str:
    """Return the text in the turns by which a player gives up others."""
    # Texts in the turns have single spaces only.
    return " ".join(f"{WITHOUT} {', '.join(players)}".split())


def heard(statements: Statements, by: int, gone: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return the statements after ``by`` has named more players."""
    return {**statements, **{seat: statements.get(seat, frozenset()) | {by} for seat in gone}}


def void(statements: Statements, seat: int) -> dict[int, frozenset[int]]:
    """Return the statements without those about a player, who has just made a step."""
    return {named: by for named, by in statements.items() if named != seat}


def left_over(statements: Statements, gone: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return the statements about and by players who have not left."""
    kept = {named: by - gone for named, by in statements.items() if named not in gone}
    return {named: by for named, by in kept.items() if by}


def leaving(playing: frozenset[int], statements: Statements, speaker: int) -> frozenset[int]:
    """Return the players who leave after a statement by ``speaker``, see the module."""
    staying = {speaker}
    while more := {
        seat for seat in playing - staying if not staying <= statements.get(seat, frozenset())
    }:
        staying |= more
    return playing - staying


def leaving_by_first_rule(playing: frozenset[int], statements: Statements) -> frozenset[int]:
    """Return the players who leave by the rule of steps without a rule number: all who were named,
    once every player who was not named has named each of them.
    """
    named = frozenset(statements)
    return named if all(statements[seat] >= playing - named for seat in named) else frozenset()
