"""A received version of a game, which replaces the local copy or is kept beside it.

Nothing is ever lost. The local copy is replaced only by a version that contains it, if necessary
after merging both; where a signed version gives way, its steps are signed again. A version that
cannot be combined with the local copy is saved beside it; and if the new version lacks comments, or
steps that no longer count, the old text is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from porto_cli.core import RefusedError, cited, files, plural
from porto_cli.core.chance import sha256
from porto_cli.core.shell import file_word, word_of
from porto_cli.core.yaml import InvalidFileError
from porto_cli.mail.copies import (
    Copies,
    Relation,
    Version,
    backups,
    conflict_name,
    conflicts_of,
    create_free,
    how_to_settle,
    judge,
    judge_copy,
    new_name,
    numbered,
    text_to_save,
    version_in,
)
from porto_cli.mail.ids import code_in, game_named, has_been_at
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.notes import REFUSED_VERSIONS, is_first, is_noted
from porto_cli.mail.receipt import OWN_TURNS, TAKEN, Receipt, Request, called, nothing_new, said_of
from porto_cli.match.copies import Verdict, comments_missing
from porto_cli.match.items import SHORT, Declaration, IllegalMoveError
from porto_cli.match.match import Match, load, loads
from porto_cli.match.orders import was_ordered
from porto_cli.match.record import Record, changed_by_reading
from porto_cli.match.replay import Replay, who_are_bots
from porto_cli.match.said import with_said_of
from porto_cli.match.seats import BotTurn
from porto_cli.next_step import move_bots
from porto_cli.pages import step_in_moves
from porto_cli.sealed import PassphraseError
from porto_cli.sealed.chain import GONE, JOIN, REVEAL, read_setup, seals_of, spelled
from porto_cli.sealed.copies import Precedence, common_height, contradiction, describe_step, goes_on
from porto_cli.sealed.course import entries_of
from porto_cli.sealed.holder import own_public
from porto_cli.sealed.source import KeySource, NotNowError, chain_of, keys_of, sealed_of
from porto_cli.sealed.steps import Chain, SignedStep
from porto_cli.user import own_seat, seat_of_user


def received(
    message: Incoming, found: Version, request: Request, copies: Copies, *, alone: bool
) -> Receipt:
    """Receive a version of a game; ``alone`` if it is the only one in its message.

    Raises PortoError, like FileError, and InvalidFileError for the local copy that was named.
    """
    relation = judge(found, copies.meant_by(found.record))
    arrival = _Arrival(message, found, request, relation)
    receipt = arrival.received()
    return arrival.warned(receipt) if alone else receipt


class _Arrival:
    """A received version of a game, with its message and its relation to the local copy."""

    def __init__(
        self, message: Incoming, found: Version, request: Request, relation: Relation
    ) -> None:
        self.message, self.found, self.request, self.relation = message, found, request, relation
        self.dry_run, self.own = request.dry_run, relation.own
        self.source, self.sender = called(message), message.sender_name or message.source
        # A version in setup is compared with the local copy by signed steps alone.
        self.copy = self.own.match if self.own and found.match else None
        self.file = Path(self.own.record.file) if self.own else None
        self.missing: Sequence[str] = ()
        """Comments of the local copy that the version in its place does not have."""
        before = len(self.copy.steps) if self.copy else 0
        self.receipt = Receipt(
            message, relation.verdict, match=self.copy, path=self.file, before=before
        )

    @property
    def other(self) -> Match:
        """The version, opened."""
        assert self.found.match
        return self.found.match

    def received(self) -> Receipt:
        """Do with the version what its relation asks for, and report it. Raises PortoError."""
        verdict = self.relation.verdict
        if verdict is Verdict.NEW:
            return self._new()
        if verdict in TAKEN:
            return self._taken()
        if verdict is Verdict.FORK or self._shows_something_new():
            return self._parted()
        if verdict is Verdict.SAME:
            return self.receipt.told(nothing_new(self.file, self.message), *self._further())
        if verdict is Verdict.OLDER:
            return self._older()
        if verdict is Verdict.OTHER_GAME:
            return self.receipt.refused(
                f"{self.file} is a different game from the one in {self.source}, and was not "
                "changed. Without --into the game is saved in a file of its own."
            )
        if verdict is Verdict.UNCLEAR:
            rivals = ", ".join(one.record.file for one in self.relation.rivals)
            return self.receipt.refused(
                f"Several copies of this game are equally far along: {rivals}. Name the one to "
                "update with --into; nothing was changed."
            )
        if verdict is Verdict.SETTLED or is_noted(REFUSED_VERSIONS, _version_of(self.found)):
            return self._settled()
        return self._outweighed()

    # -- Versions that change the local copy

    def _new(self) -> Receipt:
        """Save a game without a local copy."""
        into, game = self.request.into, self.found.record
        names = numbered(self.request.folder, new_name(game, self.found.name))
        self._put(game, self.found.match, [into] if into else names)
        return self.receipt.told(
            f"A new game from {self.sender} is saved as {self.file}.", *self._further()
        )

    def _put(
        self,
        game: Record,
        match: Match | None,
        names: Iterable[Path] = (),
        *,
        keep: bool = False,
    ) -> None:
        """Write a version, with the moves that its orders now make, in place of the local copy,
        whose text is kept beside it with ``keep``; or, without a local copy, to the first free file
        of these ``names``.

        A version that can be opened is read back first, its second and last replay: what is
        written is not what was received if it was merged, got comments of our copy, or has moved
        on. Raises FileError, also if it would be a different game.
        """
        was = self.own and self.own.record
        ordered: tuple[BotTurn, ...] = ()
        if match:
            match = match._replace(record=game)
            if match.chain is None and match.declarations:
                ordered = tuple(move_bots(match))
            game = match.record
        text = text_to_save(game, like=was)
        if match and not self.dry_run:
            again = loads(text, game.file)
            if again.digest != match.digest:
                raise changed_by_reading()
            match = again
        if keep and was and self.file:
            kept = create_free(backups(self.file), was.text, dry_run=self.dry_run)
            self.receipt = self.receipt._replace(kept=kept)
        if was is None:
            self.file = create_free(names, text, dry_run=self.dry_run)
        elif self.file and not self.dry_run:
            files.replace(self.file, text, was=was.text)
        if not self.dry_run:
            files.note(f"The game was received and is in {self.file}.")
            here = match and match.record._replace(file=str(self.file))
            match = match and match._replace(record=here, path=self.file)
        self.receipt = self.receipt._replace(match=match, path=self.file, ordered=ordered)

    def _taken(self) -> Receipt:
        """Replace the local copy by a version, maybe merged."""
        copy, precedence = self.copy, self.relation.precedence
        merged = self.relation.merged or self.found.match
        both = len(merged.steps) if merged else 0
        if not (copy and merged):
            self._put(self.found.record, merged)
        elif precedence is not None:
            return self._given_way(copy, precedence)
        elif moves := self._unconfirmed(copy):
            return self._not_mine(copy, moves)
        else:
            self._replace(merged, copy)
        told = self._continues(both - self.receipt.before)
        if self.relation.merged and both > max(self.receipt.before, len(self.other.steps)):
            told = (
                f"{self.file} and {self.source} both had new moves, whose order does not matter; "
                f"{self.file} now has the moves of both."
            )
        return self.receipt.told(told, *self._further())

    def _unconfirmed(self, copy: Match) -> tuple[str, ...]:
        """Return the user's new moves in the version, unless the user confirms them.

        Whoever sends a record of an open game may have played anybody's turns in it. Only the user
        knows whether they were made on another computer, or by an answer in words. Signed turns
        show who made them. Raises InvalidFileError or FileError of the settings.
        """
        seat, confirm = seat_of_user(copy), self.request.confirm
        if seat is None or seat not in copy.people or self.other.chain is not None:
            return ()
        moves = () if self.request.mine else _new_moves(copy, self.other, seat)
        return () if moves and confirm and confirm(copy, moves) else moves

    def _not_mine(self, copy: Match, moves: tuple[str, ...]) -> Receipt:
        """Refuse a version with unconfirmed moves of the user."""
        player = copy.holders[seat_of_user(copy) or 0]
        return Receipt(self.message, OWN_TURNS, path=self.file, shown=moves).refused(
            f"{self.file} was not changed: the record in the message has turns of {player} that it "
            f"does not have ({', '.join(moves)}), and you are {player}. If you made them, on "
            "another computer or in an answer to a mail, receive the message again with: --mine"
        )

    def _continues(self, count: int) -> str:
        """Report how many new turns there are; none if a turn is continued."""
        if count <= 0:
            return f"{self.file} was updated with the version from {self.sender}."
        turns = "one new turn" if count == 1 else f"{count} new turns"
        return f"{self.file} has {turns}, from {self.sender}."

    def _replace(self, new: Match, copy: Match, *, keep: bool = False) -> None:
        """Replace the local copy by a version. The old text is kept if the new one lacks comments,
        or with ``keep``.
        """
        assert self.file
        game = with_said_of(new.record, copy.record)
        self.missing = comments_missing(copy, new._replace(record=game))
        self._put(game, new, keep=bool(self.missing) or keep)

    def _further(self) -> Iterator[str]:
        """Report how far a setup is; or in a game, new orders of the user, the moves that orders
        made on arrival, and comments that were lost.
        """
        copy, match, ordered = self.copy, self.receipt.match, self.receipt.ordered
        if self.found.match is None:
            yield from _how_far_is(self.found.record, self.file)
            return
        seat = seat_of_user(match) if match else None
        if match and match.has_sittings:
            known = who_are_bots(copy) if copy else []
            yield from (one for one in who_are_bots(match) if one not in known)
        if match and copy and seat is not None:
            here, there = (
                sum(one.seat == seat and one.order is not None for one in each.declarations)
                for each in (copy, match)
            )
            if there > here:
                yield f"{match.holders[seat]} has given an order."
        yield from said_of(ordered)
        if ordered and not self.dry_run:
            command = f"porto mail {file_word(str(self.file))}"
            yield f"Nobody else has that yet; to write the mail with it: {command}"
        if self.missing:
            yield (
                "Your copy had comments that this version does not have, such as "
                f"{cited(self.missing[0])}; the old copy is kept as {self.receipt.kept}."
            )

    # -- Signed versions, of which one gives way

    def _given_way(self, copy: Match, precedence: Precedence) -> Receipt:
        """Replace the local copy by a signed version, with the user's steps that it lacks signed
        again. Raises PortoError.
        """
        made: tuple[SignedStep, ...] = ()
        if self.dry_run:
            self.receipt = self.receipt._replace(match=self.other)
        else:
            text = self.other.record.text
            new, made = _signed_again(copy, text, precedence, self.request.keys)
            overruled = precedence.taken_back is not None
            self._replace(new, copy, keep=overruled)
        if precedence.again or precedence.taken_back:
            told = [*self._replaced(copy, precedence, made)]
        else:
            told = [self._continues(len(self.other.steps) - self.receipt.before)]
        return self.receipt.told(*told, *self._further())

    def _replaced(
        self, copy: Match, precedence: Precedence, made: Sequence[SignedStep]
    ) -> Iterator[str]:
        """Report why a version replaced the local copy, and what became of the copy's steps."""
        if precedence.taken_back:
            yield from self._contradiction(copy, self.receipt.kept or self.file)
        kept = f"; the old copy is kept as {self.receipt.kept}" if self.receipt.kept else ""
        yield f"{self.file} now has the version in {self.source}{kept}."
        if made:
            steps, _ = _steps_of(copy, made)
            yield (
                "That version has steps that were made at the same time as yours and come first, "
                f"so these steps of yours were signed again after them: {steps}. Send {self.file} "
                "to the others, so that they get them."
            )
        others = [step for step in precedence.again if step not in made]
        if others:
            steps, players = _steps_of(copy, others)
            yield (
                f"It does not have these steps, which were made at the same time: {steps}. The "
                f"program of {players} signs them again after the steps that {self.file} has now."
            )

    def _outweighed(self) -> Receipt:
        """Leave the local copy as it is, as it prevails where the two versions part."""
        precedence = self.relation.precedence
        assert precedence
        if not self.dry_run:
            is_first(REFUSED_VERSIONS, _version_of(self.found))
        if self.relation.verdict is Verdict.OVERRULED:
            assert self.copy
            return self.receipt.refused(
                *self._contradiction(self.copy, self.file),
                f"{self.file} was not changed; ask {self.sender} to continue from your version.",
            )
        steps, players = _steps_of(self.other, precedence.again)
        return self.receipt.told(
            f"The version in {self.source} has these steps, which were made at the same time as "
            f"the last steps in {self.file} and come after them: {steps}. {self.file} was not "
            f"changed; the program of {players} signs them again when it receives your version. "
            "You have nothing to do."
        )

    def _shows_something_new(self) -> bool:
        """Return whether a settled version shows a contradiction of a player that the user does not
        know of yet.
        """
        if self.relation.verdict is not Verdict.SETTLED or self.copy is None:
            return False
        # The players may have settled it by taking the version that was refused.
        pairs = (self.copy, self.other), (self.other, self.copy)
        names = [*filter(None, (_name_of_contradiction(*pair) for pair in pairs))]
        known = (_version_of(self.found), *names)
        return bool(names) and not any(is_noted(REFUSED_VERSIONS, one) for one in known)

    def _contradiction(self, copy: Match, file: Path | None) -> Iterator[str]:
        """Yield which player contradicts themselves between the local copy and the version."""
        if found := contradiction(copy, self.other, str(file), self.source):
            yield found[1]

    # -- Versions that bring nothing, or differ from the local copy

    def warned(self, receipt: Receipt) -> Receipt:
        """Return a receipt, with a warning if its message names a state that the only record in it
        has never been in.

        A record cut off at the end of a turn is valid, and only lacks what was played later. An
        older record, or one that differs from the local copy, is reported anyway.
        """
        verdict, match, own = receipt.result, self.found.match, self.message.own_id
        if not match or verdict not in (Verdict.NEW, Verdict.CONTINUES, Verdict.SAME):
            return receipt
        state = own.state if own and own.game == game_named(match.record) else ""
        if not state and verdict != Verdict.NEW and match.chain is None:
            # A new game can come in an answer to a mail of another one.
            state = code_in(self.message.subject)
        if not state or has_been_at(match, state):
            return receipt
        return receipt.refused(
            f"According to the message its game is at [{state[:SHORT]}], but the record in it does "
            "not go that far: it was cut off on the way, or is an older one. Ask for the message "
            "again."
        )

    def _older(self) -> Receipt:
        """Report that the local copy is ahead, which is normal among many messages."""
        more = len(self.copy.steps) - len(self.other.steps) if self.copy else 0
        turns = f"{'one turn' if more == 1 else plural(more, 'turn')} " if more > 0 else ""
        same = ", in the same turn" if self.copy and not turns else ""
        sentence = (
            f"{self.file} is {turns}ahead of {self.source}{same}. It was not changed: the message "
            "is an older one, or its sender has not received what you sent last."
        )
        return self.receipt.told(sentence) if self.request.many else self.receipt.refused(sentence)

    def _settled(self, kept: Path | None = None) -> Receipt:
        """Report a known version that differs; it is ``kept`` beside the local copy until the
        players settle which one counts.
        """
        result = Verdict.FORK if kept else Verdict.SETTLED
        return self.receipt._replace(result=result, kept=kept).told(
            f"{self.file} was not changed: the version in {self.source} differs from it, and that "
            "was settled before."
        )

    def _parted(self) -> Receipt:
        """Save a version that differs beside the local copy, once."""
        own = self.file
        assert own
        kept, is_known = self._put_beside(own)
        if kept is None or is_known:
            return self._settled(kept)
        self.receipt = self.receipt._replace(result=Verdict.FORK, kept=kept)
        unchanged = f"{own} was not changed; the version in the message is saved as {kept}."
        if self.copy:
            return self._forked(self.copy, str(own), str(kept), unchanged)
        return self.receipt.refused(
            f"{own} and {self.source} differ from signed step {self.relation.place} of the setup "
            "on: somebody took part twice, in two copies.",
            unchanged,
            how_to_settle(own, kept),
        )

    def _put_beside(self, own: Path) -> tuple[Path | None, bool]:
        """Return where the version is now, ``None`` if the players have settled it, and whether it
        was there before. Raises FileError.
        """
        kept, is_known = None, False
        for path in conflicts_of(own):
            with suppress(InvalidFileError):
                verdict = judge_copy(version_in(path), self.found).verdict
                if verdict in (Verdict.SAME, Verdict.OLDER, Verdict.CONTINUES):
                    kept, is_known = path, verdict is not Verdict.CONTINUES
                    break
        version, text = _version_of(self.found), text_to_save(self.found.record)
        if kept and not is_known and not self.dry_run:
            files.replace(kept, text, was=files.read_text(kept))
        if kept is None and not is_noted(REFUSED_VERSIONS, version):
            name = conflict_name(own.name)
            kept = create_free(numbered(own.parent, name), text, dry_run=self.dry_run)
        if not self.dry_run:
            is_first(REFUSED_VERSIONS, version)
        return kept, is_known

    def _forked(self, own: Match, mine: str, theirs: str, unchanged: str) -> Receipt:
        """Report where two versions differ, which one goes on or who made both, and what to do."""
        place, other = self.relation.place, self.other
        here, there = _difference(own, other, place)
        where = f". In {mine}: {here}. In the message: {there}."
        if here == there:
            where = f", in a secret of the player: {here}."
        problems = [
            f"{mine} and {self.source} differ from item {place + 1} of the turns on{where}",
            unchanged,
        ]
        if own.chain and other.chain:
            found = contradiction(own, other, mine, theirs)
            right = mine if goes_on(chain_of(own), chain_of(other)) else theirs
            longer = (
                "Of two versions of a sealed game the longer one goes on, unless a turn was "
                "answered only in the other one; of two of one length, the one that continues "
                f"with the player who sits earlier. Here that is {right}. Whoever has moved in "
                "the other one makes the same moves again. A turn that was taken back only there "
                "stands."
            )
            problems.append(found[1] if found else longer)
            if found and not self.dry_run:
                is_first(REFUSED_VERSIONS, _name_of_contradiction(own, other))
        logs = (f"'porto log {file_word(one)}'" for one in (mine, theirs))
        problems.append(f"{' and '.join(logs)} show what was played in each.")
        if self.relation.verdict is Verdict.FORK:
            problems.append(how_to_settle(mine, theirs))
        return self.receipt.refused(*problems)._replace(fork=(place + 1, here, there))


def _steps_of(leaves: Match, steps: Sequence[SignedStep]) -> tuple[str, str]:
    """Return the steps of a version that gives way in words, and their players."""
    players = chain_of(leaves).players
    names = dict.fromkeys(players[step.by] for step in steps)
    return "; ".join(describe_step(leaves, step) for step in steps), ", ".join(names)


def _signed_again(
    copy: Match, text: str, precedence: Precedence, keys: KeySource
) -> tuple[Match, tuple[SignedStep, ...]]:
    """Return the version of a text with the user's steps that it lacks, and these steps.

    The journal then knows that it replaces the local copy; nothing else is written.
    Raises PassphraseError, and what the keys raise.
    """
    file, signer, public = copy.record.file, keys_of(keys, make=False), own_public()
    old = load(file, signer)
    chain = chain_of(old)
    again = [step for step in precedence.again if chain.key_of(step) == public]
    if public not in chain.keys.values():
        return loads(text, file, signer), ()
    if signer.public != public:
        raise PassphraseError(
            f"The received version does not have a step of yours that is in {file} and "
            "has to be signed again. Your key has a passphrase, and there is no terminal "
            "to ask for it, so nothing was changed. Receive this message again on a "
            "terminal."
        )
    new = loads(text, file, signer)
    if again:
        # A wrong passphrase has to show before the journal is changed.
        _ = signer.identity
    signer.give_way(chain, chain_of(new))
    return new, tuple(_made_again(old, new, chain, again))


def _made_again(
    old: Match, new: Match, chain: Chain, again: Sequence[SignedStep]
) -> list[SignedStep]:
    """Make free steps of one version again after another; return those that could be made."""
    kept = sealed_of(old).kept
    made = []
    for step in again:
        player = chain.players[step.by]
        with suppress(IllegalMoveError, NotNowError, RefusedError):
            if step.content["kind"] == REVEAL:
                new.reveal(player)
            elif step.content["kind"] == GONE:
                gone = (chain.players[by] for by in step.content["without"])
                new.give_up(*gone, player=player)
            else:
                (_, text), *_ = entries_of(step)
                choice, chosen = new.move(text, player), kept[step.by].hidden or b""
                seat = new.seat(player)
                own = new.game.sealed.unseal(new.known.state, choice, chosen, seat)
                new.play(own, player=player)
            made.append(step)
    return made


# -- Where versions differ


def _difference(own: Replay, other: Replay, place: int) -> tuple[str, str]:
    """Return the first different deeds in two versions, as everybody may see them."""
    if own.chain is None or other.chain is None:
        return _turn_at(own, place), _turn_at(other, place)
    height = common_height(chain_of(own), chain_of(other))
    return _deed_at(own, height), _deed_at(other, height)


def _turn_at(replay: Replay, place: int) -> str:
    """Return an item in words, as everybody may see it."""
    if place >= len(replay.written):
        return "nothing yet"
    one = replay.written[place]
    player = replay.config.players[one.seat]
    if isinstance(one, Declaration):
        return (
            f"a line about the seat of {player}" if one.order is None else f"an order of {player}"
        )
    if one.takes_back is not None:
        return f"{player} takes a turn back"
    return f"{player} plays {', '.join(step_in_moves(replay, one))}"


def _deed_at(replay: Replay, height: int) -> str:
    """Return in words the first signed step from a height on, joins aside."""
    steps = (step for step in chain_of(replay).steps[height:] if step.content["kind"] != JOIN)
    return next((describe_step(replay, step) for step in steps), "nothing yet")


# -- Versions that were refused before


def _version_of(found: Version) -> str:
    """Return what identifies a version of a game; for a signed one, its last step's hash."""
    match = found.match
    if match is None:
        return sha256("".join(map(spelled, seals_of(found.record).steps)).encode()).hexdigest()
    return match.digest if match.chain is None else match.chain.hashes[-1].hex()


def _name_of_contradiction(own: Match, other: Match) -> str:
    """Return what identifies a contradiction between two versions, however far they go on; nothing
    if there is none.
    """
    found = contradiction(own, other, "", "") if own.chain and other.chain else None
    return sha256(f"{game_named(own.record)} {found[1]}".encode()).hexdigest() if found else ""


# -- Turns of the user


def _new_moves(copy: Match, other: Match, seat: int) -> tuple[str, ...]:
    """Return a seat's moves in one version of a game beyond another, except those made by orders
    that both have: the player before has made those.
    """
    found: list[str] = []
    known = sum(len(step.moves) or 1 for step in copy.steps if step.seat == seat)
    for place, step in enumerate(other.steps):
        if step.seat != seat:
            continue
        # A turn may be continued in the other version, or be divided there by somebody's order.
        here, known = known, max(0, known - (len(step.moves) or 1))
        if here >= (len(step.moves) or 1):
            continue
        # Once there is something to ask about, it is asked about all that follows.
        if not found and was_ordered(other, place, here):
            continue
        found += step_in_moves(other, step, here)
    given = [one for one in other.declarations if one.seat == seat]
    count = sum(one.seat == seat for one in copy.declarations)
    return (*found, *(one.entries[0][1] for one in given[count:]))


def _how_far_is(game: Record, file: Path | None) -> Iterator[str]:
    """Report how far a setup is, and what has to be typed next."""
    begun = read_setup(game)
    if own_seat(begun.chain.players) == begun.next:
        yield f"You are next to join: porto join {word_of(str(file))}"
    else:
        yield from begun.not_ready(str(file)).sentences
