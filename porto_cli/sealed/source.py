"""The source of a sealed game: its signed steps, from which it is replayed and played.

Whatever a player does adds a step; then everything is recomputed from all steps, so that what is
written is what everybody else will compute. The turns that people read in the record repeat it, and
are compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Union

from porto_cli.core import SentenceError, Violation, enumerated
from porto_cli.core.chance import Chance
from porto_cli.core.yaml import InvalidFileError, Place, end_of, newline_of, nodes_of
from porto_cli.match import RESULT
from porto_cli.match.items import (
    R_UNDO,
    Apply,
    Digester,
    IllegalMoveError,
    check_result,
    demand_legal,
    fail_without_result,
    made,
    result_entries,
)
from porto_cli.match.match import Comment, Match, StepSource
from porto_cli.match.record import Entries, Record, item_lines, read_again
from porto_cli.match.replay import AnyReplay, Replay, after_steps
from porto_cli.match.said import with_news
from porto_cli.sealed import ProofError, kept_commitment, to_text
from porto_cli.sealed.chain import (
    GONE,
    REVEAL,
    RULE,
    TURN,
    Beginning,
    Data,
    OtherKeyError,
    not_the_key,
    read_setup,
    sign,
    with_draft,
)
from porto_cli.sealed.course import (
    Course,
    followed,
    heard,
    is_answer,
    is_undo,
    leaving,
    void,
    without_text,
)
from porto_cli.sealed.holder import ANSWERED, SENT, KeyHolder, own, remember_chain, stored_key
from porto_cli.sealed.steps import Chain, SignedStep
from porto_cli.seam import OVER, UNDO, Move, State, Step

KeySource = Union[KeyHolder, Callable[[bool], KeyHolder], None]  # noqa: UP007 - evaluated at run time
"""A key, or a function that returns the one to use, and with True makes one if there is none;
``None`` is the key of this computer."""


class NotNowError(SentenceError):
    """Something that a player cannot do now; the sentence says why."""


def keys_of(keys: KeySource, *, make: bool) -> KeyHolder:
    """Return the given key, or that of this computer; with ``make``, create one if there is none.

    Raises PortoError.
    """
    if keys is None:
        return own(make=make)
    return keys(make) if callable(keys) else keys


def chain_of(game: Replay) -> Chain:
    """Return the signed steps of a sealed game."""
    return sealed_of(game).chain


def sealed_of(game: Replay) -> Course:
    """Return the course of a sealed game, which has all that is known of it."""
    assert isinstance(game.source, Sealed)
    return game.source.sealed


class Sealed(StepSource):
    """The source of a sealed game. ``keys`` are those with which it is looked at and played."""

    sealed: Course
    """The course of the game, as far as the keys can open it."""

    def __init__(self, keys: KeySource = None, *, with_keys: bool = False) -> None:
        self._keys = keys
        self._with_keys = with_keys
        """Whether the game shows what only the keys can know."""

    def with_course(self, game: AnyReplay, course: Course, *, with_keys: bool) -> AnyReplay:
        """Return a game with the steps of a course: with what only its keys can know, such as what
        comes up next, or as everybody may know it.
        """
        source = Sealed(self._keys, with_keys=with_keys)
        source.sealed = course
        known = course if with_keys or not course.secrets else followed(course.beginning, None)
        opening, state, steps = known.opening, known.ahead(), tuple(known.steps)
        return game._replace(source=source, opening=opening, state=state, steps=steps)

    def seen(self, game: AnyReplay, *, with_keys: bool) -> AnyReplay:
        """Return a game at the same step, with what only the keys can know, or as everybody may
        know it.
        """
        if with_keys == self._with_keys:
            return game
        other = self.with_course(game, self.sealed, with_keys=with_keys)
        place = len(game.steps)
        return with_news(other if place == len(other.steps) else after_steps(other, place))

    # -- Reading

    def replayed(self, record: Record) -> Match:
        """Return the game of a record, as far as the keys can open it.

        Raises InvalidFileError where it breaks a rule, contradicts itself, or differs from what was
        signed, and NotReadyError if it is still being set up.
        """
        keys = keys_of(self._keys, make=False)
        beginning = read_setup(record, keys)
        if not beginning.setup.complete or not record.settled:
            _demand_unsettled(beginning)
            raise beginning.not_ready()
        with beginning.seals.checked():
            course = followed(beginning, keys)
        _compare(record, course)
        remember_chain(beginning.chain, keys)
        keys.see(beginning.chain)
        match = Match(record, self, course.opening, course.state)
        return self.with_course(match, course, with_keys=self._with_keys)

    def again(self, game: Replay, step: Step) -> Apply:
        """Return the function that makes the moves of a step again: nothing comes up within one."""
        return self.sealed.applying(None)

    def own_seats(self, game: Match) -> list[int]:
        """Return the seats that can be played with the keys at hand."""
        public = keys_of(self._keys, make=False).public
        return [seat for seat in range(len(game.players)) if self._key_of(seat) == public]

    # -- Keys

    def _key_of(self, seat: int) -> bytes:
        """Return the public key of a seat."""
        return self.sealed.chain.keys[self.sealed.order[seat]]

    def _keys_for(self, game: Match, seat: int) -> KeyHolder:
        """Return the key to move with: the given one, or that of this computer. Raises PortoError,
        naming the seat's key, if there is none.
        """
        if (self._keys is None or callable(self._keys)) and stored_key() is None:
            raise not_the_key(game.players[seat], self._key_of(seat))
        self._keys = keys = keys_of(self._keys, make=True)
        return keys

    def _demand_key(self, game: Match, seat: int, keys: KeyHolder) -> None:
        """Require the key of a seat. Raises OtherKeyError."""
        if self._key_of(seat) != keys.public:
            raise not_the_key(game.players[seat], self._key_of(seat), keys.public)
        chain = self.sealed.chain
        keys.prepare(chain)
        # An undo that was answered cannot be made again; what was signed since follows it.
        keys.give_up(chain, lambda step: _is_overruled(step, chain))

    def _demand_secrets(self, game: Match, seat: int, keys: KeyHolder) -> None:
        """Require the key of a seat, and that the secrets of its join follow from it. Raises
        OtherKeyError.
        """
        self._demand_key(game, seat, keys)
        player = game.players[seat]
        if self.sealed.order[seat] not in self.sealed.secrets:
            raise OtherKeyError(
                f"The key on this computer is {player}'s, but not the one with which {player} "
                f"joined the game; only that key can move for {player}."
            )

    # -- Playing

    def played(
        self, game: Match, moves: Sequence[Move], seat: int, came_up: Chance | None, note: Comment
    ) -> Match:
        """Return a game after moves, signed. A player who ends the last turn also reveals.

        Raises IllegalMoveError, OtherKeyError, ProofError (the chain is exhausted), and what the
        keys raise.
        """
        rest, keys = list(moves), self._keys_for(game, seat)
        self._demand_secrets(game, seat, keys)
        after = game.known
        if rest and self.cannot_reveal(game, seat) is None and game.game.is_secret(rest[0]):
            # A move that names what was kept is a reveal, which publishes the seed as well.
            demand_legal(game.game.violations(after.state, rest[0], seat))
            return self.revealed(game, seat)
        while rest:
            after = _with_item(after, rest, seat, keys, note)
        if after.source.cannot_reveal(after, seat) is None:
            after = _with_reveal(after, seat, keys)
        return self._signed(after, keys)

    def taken_back(self, game: Match, seat: int, dry_run: bool) -> Match:
        """Return a game after an undo of a player's last turn, signed unless in a dry run.

        Raises IllegalMoveError, OtherKeyError, and what the keys raise.
        """
        keys, last = self._keys_for(game, seat), game.last_step()
        past = game.past()
        violations = past.check(seat)
        if self.sealed.is_played_out or (last and not last.moves):
            last_word = "What was revealed, or ends a game, cannot be taken back."
            violations = [Violation(R_UNDO, last_word)]
        demand_legal(violations)
        self._demand_secrets(game, seat, keys)
        self._demand_at_home(keys)
        if dry_run:
            return game.undone(seat, past)
        assert not self.sealed.is_due(seat), "who moved last owes nothing"
        content = _content(self.sealed, seat, TURN, [[game.players[seat], UNDO]])
        return self._signed(_drafted(game, content, keys), keys)

    def _demand_at_home(self, keys: KeyHolder) -> None:
        """Require that the last step was neither sent to anybody nor answered. Raises
        IllegalMoveError.
        """
        game, height = self.sealed.chain.game, self.sealed.chain.head.height
        for kind, fault in _NOT_AT_HOME.items():
            if keys.journal.highest(game, kind) >= height > 0:
                raise IllegalMoveError([Violation(R_UNDO, fault)])

    # -- The end

    def cannot_reveal(self, game: Match, seat: int) -> str | None:
        """Return why a player cannot reveal now; ``None`` if they can."""
        by, player = self.sealed.order[seat], game.players[seat]
        if by in self.sealed.revealed:
            return f"{player} has revealed already."
        if self.sealed.stopped and not game.over:
            return "The game ended when the others were given up, so there is nothing to reveal."
        if by not in self.sealed.secrets:
            return f"{player} reveals with their own key, which is not on this computer."
        game = game.known
        move = _revealing_move(game, seat)
        if game.over if move is None else not game.game.violations(game.state, move, seat):
            return None
        return (
            "Players reveal when the last turn is over; the game goes on. To finish it without "
            "players who have vanished, name them with --without."
        )

    def revealed(self, game: Match, seat: int) -> Match:
        """Return a game in which a player has published their seed and what they kept.

        Raises NotNowError, FileError, and what the keys raise.
        """
        keys, fault = self._keys_for(game, seat), self.cannot_reveal(game, seat)
        if fault:
            raise NotNowError(fault)
        self._demand_key(game, seat, keys)
        return self._signed(_with_reveal(game.known, seat, keys), keys)

    def given_up(
        self, game: Match, seats: Sequence[int], others: Iterable[int]
    ) -> tuple[Match, list[int]]:
        """Return a game in which the players at ``seats``, who share a key, have stated that others
        have vanished; and the seats that had not stated it before.

        Who then leaves is decided in :mod:`porto_cli.sealed.course`. Raises NotNowError,
        OtherKeyError, FileError, and what the keys raise.
        """
        keys = self._keys_for(game, seats[0])
        gone = sorted(set(others))
        after = game
        stated: list[int] = []
        faults: list[str] = []
        for seat in seats:
            fault = _cannot_give_up(after, seat, gone)
            if fault:
                faults.append(fault)
                continue
            self._demand_secrets(game, seat, keys)
            line = without_text(game.players[other] for other in gone)
            content = _content(self.sealed, seat, GONE, [[game.players[seat], line]])
            without = [self.sealed.order[other] for other in gone]
            after = _drafted(after, {**content, "without": without, "rule": RULE}, keys)
            stated.append(seat)
        if not stated:
            raise NotNowError(faults[0])
        return self._signed(after, keys), stated

    def _signed(self, after: Match, keys: KeyHolder) -> Match:
        """Sign the drafted steps of a game: all of them or, if one cannot be signed, none. The game
        shows what only the keys can know if this source does.
        """
        course = sealed_of(after)
        chain, record = sign(self.sealed.chain, course.chain, after.record, keys)
        course.beginning = course.beginning._replace(record=record, chain=chain)
        return after.source.seen(after._replace(record=record), with_keys=self._with_keys)


_NOT_AT_HOME = {
    ANSWERED: "Another player has already answered this turn, in a copy that was opened on this "
    "computer, so it cannot be taken back. Continue with that copy.",
    SENT: "The record was sent with this turn in it; a turn that others have can no longer be "
    "taken back.",
}
"""Why a turn cannot be taken back, by what the journal knows of its step."""


def _is_overruled(step: SignedStep, chain: Chain) -> bool:
    """Return whether a step that a copy lacks is an undo of a turn in it that another player has
    answered there, so that the undo does not count (see :mod:`porto_cli.sealed.copies`).
    """
    later = chain.steps[step.height - 1 :]
    is_of_this_copy = bool(later) and later[0].previous == step.previous
    return (
        is_of_this_copy
        and is_undo(step)
        and any(is_answer(one) for one in later if one.by != step.by)
    )


def _with_item(
    game: Match, rest: list[Move], seat: int, keys: KeyHolder, comment: Comment
) -> Match:
    """Draft a step with as many moves as fit in one item; remove them from ``rest``."""
    rules, course, chain = game.game, sealed_of(game), chain_of(game)
    by, height = course.order[seat], chain.head.height + 1
    bound: Data = {}

    def text_of(move: Move, state: State) -> str:
        """Return a move as everybody may see it, and commit to what it hides."""
        public, hidden = rules.sealed.seal(state, move, seat)
        if hidden:
            salt = course.secrets[by].salt(height)
            bound["commitment"] = to_text(kept_commitment(chain.game, by, salt, hidden))
        return rules.format_move(public, state)

    before = game.item_for(seat, rest[0])
    after = made(rules, before, rest, game.players[seat], course.applying(None), text_of)
    entries = [list(entry) for entry in after.entries[len(before.entries) :]]
    content = _content(course, seat, TURN, entries) | bound
    if course.is_due(seat):
        content["release"] = to_text(course.secrets[by].release(course.releases[by].next))
    return _drafted(game, content, keys, comment(after.events[len(before.events) :]))


def _content(course: Course, seat: int, kind: str, entries: Sequence[Sequence[str]]) -> Data:
    """Return the content of a step by a seat, which appends entries to the turns."""
    content: Data = {"by": course.order[seat], "kind": kind}
    return {**content, "entries": entries} if entries else content


def _revealing_move(game: Match, seat: int) -> Move | None:
    """Return the move that names what a player has kept; ``None`` if nothing is hidden."""
    sealing, course = game.game.sealed, sealed_of(game)
    if seat not in sealing.unrevealed(game.state):
        return None
    kept = course.kept.get(course.order[seat])
    return sealing.reveal(kept.hidden if kept and kept.hidden else b"")


def _with_reveal(game: Match, seat: int, keys: KeyHolder) -> Match:
    """Draft the step with which a player reveals."""
    course, move = sealed_of(game), _revealing_move(game, seat)
    text = None if move is None else game.game.format_move(move, game.state)
    entries = [] if text is None else [[game.players[seat], text]]
    seed = course.secrets[course.order[seat]].seed
    content = _content(course, seat, REVEAL, entries) | {"seed": to_text(seed)}
    return _drafted(game, content, keys)


def _cannot_give_up(game: Match, seat: int, gone: Sequence[int]) -> str | None:
    """Return why a player cannot, or need not, state that others have vanished; ``None`` if they
    can.
    """
    course, players = sealed_of(game), game.players
    if fault := course.cannot_give_up(seat, gone):
        return fault
    if all(course.order[one] in course.revealed for one in course.playing - {seat}):
        return (
            "All others have revealed everything, so the game can be finished: 'porto "
            "reveal' does that."
        )
    statements = heard(void(course.awaited, seat), seat, gone)
    if statements == course.awaited and not leaving(course.playing, statements, seat):
        names = enumerated(players[one] for one in gone)
        return f"{players[seat]} has already reported {names} as gone."
    return None


# -- Drafts, and the text that people read


def _drafted(game: Match, content: Data, keys: KeyHolder, remark: str = "") -> Match:
    """Return the game after one more step, not yet signed.

    Raises NotNowError for a step that any program would refuse.
    """
    before = sealed_of(game).beginning
    chain = with_draft(before.chain, content)
    beginning = before._replace(record=game.record, chain=chain)
    try:
        course = followed(beginning, keys)
    except ProofError as error:
        raise NotNowError(f"This cannot be done now. {error.sentence}") from None
    after = game._replace(record=_written(game.record, course, remark))
    assert isinstance(game.source, Sealed)
    return game.source.with_course(after, course, with_keys=True)


def _written(record: Record, course: Course, remark: str) -> Record:
    """Return the record with the entries that follow from the steps and that it lacks."""
    for number, step in enumerate(course.steps):
        if number == len(record.items):
            record = record.with_item(step.entries, remark)
            continue
        more = step.entries[len(record.items[number].entries) :]
        if more and number == len(record.items) - 1:
            # What comes up only now does not result from the move that the remark is about.
            own_remark = remark if number == len(course.steps) - 1 else ""
            record = record.with_more(more, own_remark)
        elif more:
            record = _inserted(record, number, more)
    if course.state.phase == OVER and len(record.items) == len(course.steps):
        record = record.with_item(result_entries(record, course.state, course.steps))
    return record


def _inserted(record: Record, number: int, entries: Entries) -> Record:
    """Return the record with more entries in an item other than the last, whatever its layout."""
    human = record.human
    turns = next(value for key, value in nodes_of(human).value if key.value == "turns")
    node = turns.value[number]
    _, last = node.value[-1]
    at = human.index("\n", end_of(last, human)) + 1
    more = item_lines(entries, "", record.dash, node.start_mark.column, first=False)
    end, before = newline_of(human), record.items[number]
    text = "".join([human[:at], *(one + end for one in more), human[at:], record.machine])
    whole = before._replace(entries=(*before.entries, *entries))
    items = (*record.items[:number], whole, *record.items[number + 1 :])
    return read_again(record._replace(text=text, items=items))


# -- Comparing the text that people read with what was signed


def _demand_unsettled(beginning: Beginning) -> None:
    """Require that a record has a setup if and only if its setup is complete."""
    if beginning.record.settled:
        beginning.seals.fail(
            len(beginning.chain.steps) + 1,
            "The machine part ends before the game was set up; it was cut off, or is "
            "that of an older copy. Ask for a complete copy.",
        )
    if beginning.setup.complete:
        beginning.seals.fail(
            beginning.setup.height,
            "The game is set up, but what was dealt is missing above the machine part, "
            "which is that of a newer copy.",
        )


def _compare(record: Record, course: Course) -> None:
    """Require that the items are exactly what was signed, with a result if and only if the game is
    over. Raises InvalidFileError.

    The item with the result is not signed, because it follows from the others.
    """
    over = course.state.phase == OVER
    numbers = [nth for nth, item in enumerate(record.items) if item.entries[0][0] != RESULT]
    items = [record.items[number] for number in numbers]
    places = [Place(record.file, *one) for item in items for one in item.places]
    given = [(turn, entry) for turn, item in enumerate(items) for entry in item.entries]
    signed = [(turn, entry) for turn, step in enumerate(course.steps) for entry in step.entries]
    for at, (found, right) in enumerate(zip_longest(given, signed)):
        if found != right:
            end = Place(record.file, record.human.count("\n") + 1, 1)
            place = places[at] if found else end
            raise InvalidFileError(place, _different(course, at, found, right))
    last = len(record.items) - 1
    results = [number for number in range(last + 1) if number not in numbers]
    digester = Digester(record)
    for number in results:
        due = over and number == last
        check_result(record, number, course.state, course.steps, digester, due=due)
    if over and not results:
        fail_without_result(record)


_Placed = tuple[int, tuple[str, str]]
"""The number of a turn, and an entry of it."""


def _different(course: Course, at: int, found: _Placed | None, right: _Placed | None) -> str:
    """Return the error for an entry, at this index among all, that differs from what was signed; it
    names the step that decides what should be there, and its signer.
    """
    heights = [height for signed in course.signed for height in signed]
    here = f"'{': '.join(found[1])}'" if found else "nothing more"
    if found and right and found[1] == right[1]:
        here += " in another turn"
    if right:
        signer = course.chain.by(heights[at])
        return (
            f"The record has {here} here, but step {heights[at]}, signed by {signer}, leads to "
            f"'{': '.join(right[1])}'. It was changed, deleted or moved afterward, or the turns "
            "are those of an older copy."
        )
    height = heights[-1] if heights else course.beginning.setup.height
    return (
        f"No signature covers {here} here: it was made up, or the machine part has lost what "
        f"follows step {height}, of {course.chain.by(height)}, or is that of an older copy."
    )
