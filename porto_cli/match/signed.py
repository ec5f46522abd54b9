"""Games with a seed whose turns are signed by their players.

Chance comes from the seed as in every open game. A player's public key is added with the first
turn that is signed with it, and may not change afterwards; the machine part has for each turn what
was appended to the record, so that a choice cannot be rewritten once somebody else has it.

The steps are what counts. What people read is compared with them: the error for an item that says
something else names the item, who signed it, and what was signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from porto_cli.core.chance import seeded_chance
from porto_cli.core.message import Sentence, SentenceError, Violation, say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.crypto.identity import public_text
from porto_cli.crypto.steps import Step
from porto_cli.game import Move
from porto_cli.match import chain as chains
from porto_cli.match import play as unsigned
from porto_cli.match.chain import JOIN, ORDER, ORDERED, TURN, Chain, Keys
from porto_cli.match.declarations import SEAT, begins_with
from porto_cli.match.record import FORMAT, Record, read_again
from porto_cli.match.replay import ORDERING, IllegalMoveError, Replay
from porto_cli.match.seals import Data, Seals, written
from porto_cli.match.seats import RESULT
from porto_cli.match.undo import R_UNDO

if TYPE_CHECKING:
    from porto_cli.match.ordered import Decided


class Signed(NamedTuple):
    """An entry of an item, and the step that has it."""

    key: str
    text: str
    height: int
    by: str
    """Who signed it."""


SignedItem = tuple[Signed, ...]


def entries_in(item: SignedItem) -> tuple[tuple[str, str], ...]:
    """Return the entries of an item as they are in the turns."""
    return tuple((entry.key, entry.text) for entry in item)


def compare_head(record: Record, given: Sequence[str], agreed: Sequence[str]) -> None:
    """Require the header that was agreed when the game began. Raises InvalidFileError."""
    if list(given) == list(agreed):
        return
    missing = [line for line in agreed if line not in given]
    new = [line for line in given if line not in agreed]
    key = (new or missing or [""])[0].partition(":")[0].strip()
    if new and missing:
        changed = say(
            "The header of the record was changed: it has {now!r}, but the game began with "
            "{then!r}.",
            now=new[0].strip(),
            then=missing[0].strip(),
        )
    else:
        changed = say(
            "The header of the record was changed since the game began: {line!r}.",
            line=(new or missing or ["players"])[0].strip(),
        )
    raise InvalidFileError(Place(record.file, *record.lines.get(key, (1, 1))), changed)


def compare_items(record: Record, signed: Sequence[SignedItem]) -> None:
    """Require that the items are exactly what was signed. Raises InvalidFileError.

    The item of the result is not signed: it follows from the others.
    """
    given = [item for item in record.items if item.entries[0][0] != RESULT]
    numbers = [nth for nth, item in enumerate(record.items) if item.entries[0][0] != RESULT]
    texts = [entries_in(item) for item in signed]
    for nth, item in enumerate(given):
        number = numbers[nth]
        if nth < len(texts) and item.entries == texts[nth]:
            continue
        if nth >= len(texts):
            record.fail(_not_signed(record, number, signed), number)
        if item.entries in texts[nth + 1 : nth + 3]:
            record.fail(_left_out(signed[nth][0]), number)
        if nth + 1 < len(given) and given[nth + 1].entries == texts[nth]:
            record.fail(_not_signed(record, number, signed), number)
        _fail_different(record, number, signed[nth])
    if len(texts) > len(given):
        line = record.human.count("\n") + 1
        raise InvalidFileError(Place(record.file, line, 1), _left_out(signed[len(given)][0]))


def _left_out(entry: Signed) -> Sentence:
    return say(
        "The turn {move!r} of {player} should come before this: step {height} of the machine "
        "part has the signature of {signer}. It was deleted, moved, or the turns are those of "
        "an older copy.",
        move=entry.text,
        player=entry.key,
        signer=entry.by,
        height=entry.height,
    )


def _not_signed(record: Record, number: int, signed: Sequence[SignedItem]) -> Sentence:
    player, move = record.items[number].entries[0]
    if not signed:
        return say(
            "The turn {move!r} of {player} is not signed: the machine part has no turns.",
            move=move,
            player=player,
        )
    last = signed[-1][-1]
    return say(
        "The turn {move!r} of {player} is not signed: it was made up, or the machine part, "
        "which ends with {last!r} of {signer} (step {height}), was cut off or is that of an "
        "older copy.",
        move=move,
        player=player,
        last=last.text,
        signer=last.by,
        height=last.height,
    )


def _fail_different(record: Record, number: int, signed: SignedItem) -> NoReturn:
    """Raise InvalidFileError where an item differs from what was signed."""
    given = record.items[number].entries
    for nth, entry in enumerate(signed):
        if nth >= len(given):
            missing = say(
                "This turn has to continue with '{key}: {text}': step {height}, signed by {by}, "
                "says so. It was deleted, or the turns are those of an older copy.",
                key=entry.key,
                text=entry.text,
                height=entry.height,
                by=entry.by,
            )
            record.fail(missing, number, len(given) - 1)
        key, text = given[nth]
        if (key, text) == (entry.key, entry.text):
            continue
        template = (
            "The record has '{key}: {text}' here, but what came up is '{signed_key}: {signed}', as "
            "decided by step {height} of {by}. It was changed afterwards."
        )
        if entry.key == entry.by or entry.by == signed[0].by:
            template = (
                "The record has '{key}: {text}' here, but {by} has signed '{signed_key}: {signed}' "
                "(step {height}). The turn was changed afterwards."
            )
        changed = say(
            template,
            key=key,
            text=text,
            signed_key=entry.key,
            signed=entry.text,
            by=entry.by,
            height=entry.height,
        )
        record.fail(changed, number, nth)
    key, text = given[len(signed)]
    more = say(
        "No signature covers '{key}: {text}' in this turn; its last step is {height}, by "
        "{by}. It was made up, or the machine part is that of an older copy.",
        key=key,
        text=text,
        height=signed[-1].height,
        by=signed[-1].by,
    )
    record.fail(more, number, len(signed))


GENESIS = {"format", "head", "nonce", "players"}
"""The keys of every genesis."""


class OtherKeyError(SentenceError):
    """A player who has a different key than the one at hand."""


def genesis_of(players: Sequence[str], head: Sequence[str]) -> Data:
    """Return the genesis: what the players agree on before they begin.

    Its nonce, 32 hexadecimal digits, makes every game unique.
    """
    from secrets import token_hex

    nonce = token_hex(16)
    return {"format": FORMAT, "head": list(head), "nonce": nonce, "players": list(players)}


def check_genesis(seals: Seals, also: frozenset[str] = frozenset()) -> None:
    """Require a genesis of the right form. Raises InvalidFileError."""
    found = seals.genesis
    players, head = found.get("players"), found.get("head")
    known = (
        GENESIS <= set(found) <= GENESIS | also
        and found["format"] == FORMAT
        and type(found["nonce"]) is str
        and type(players) is list
        and type(head) is list
        and all(type(each) is str for each in [*players, *head])
    )
    if not known:
        seals.fail(
            0,
            say(
                "This program does not know how to read this machine part: its beginning "
                "was changed, or a newer porto wrote it."
            ),
        )


def with_genesis(text: str, genesis: Data) -> str:
    """Return the text of a new record with a machine part that has only the genesis."""
    return text + "".join(f"{line}\n" for line in written([genesis], first=True))


def entries_of(step: Step, by: str) -> SignedItem:
    """Return what a step appends to the turns."""
    entries: Any = step.content.get("entries", ())
    return tuple(Signed(key, text, step.height, by) for key, text in entries)


def order_in(step: Step) -> str | None:
    """Return the order that a step gives, as people read it, without the word ``order``; ``None``
    if it gives none.
    """
    entries: Any = step.content.get("entries")
    text: str = entries[0][1] if step.content["kind"] in (TURN, ORDER) else ""
    return text[len(ORDERING) :] if begins_with(text, ORDERING) else None


def seat_line(step: Step) -> str | None:
    """Return what a step says of a seat, as people read it; ``None`` if it says nothing of one."""
    entries: Any = step.content.get("entries")
    text: str = entries[0][1] if step.content["kind"] == TURN else ""
    return text if begins_with(text, SEAT) else None


def is_declaration(step: Step) -> bool:
    """Return whether a step gives an order, or says something of a seat, so that it is no turn."""
    return order_in(step) is not None or seat_line(step) is not None


def play(
    replay: Replay, moves: Sequence[Move], seat: int, keys: Keys, *, remark: bool = False
) -> Replay:
    """Play moves of a player, append them, and sign what was appended.

    Raises IllegalMoveError, OtherKeyError, and what ``keys`` raises.
    """
    demand_key(replay, seat, keys)
    chance = seeded_chance(replay.record.seed)
    after = unsigned.play(replay, moves, seat, chance, remark=remark)
    return sign_items(replay, after, seat, keys)


def play_ordered(replay: Replay, decided: Decided, by: int, keys: Keys) -> Replay:
    """Make the move that an order decides, append it, and sign it with the key of seat ``by``.

    Raises OtherKeyError, and what ``keys`` raises.
    """
    from porto_cli.match.ordered import MARK

    demand_key(replay, by, keys)
    # An order that stands is the last one with its words.
    given = [list(entry) for entry in replay.record.items[decided.by.declared.item].entries]
    steps = chain_of(replay).steps
    height = max(step.height for step in steps if step.content.get("entries") == given)
    chance = seeded_chance(replay.record.seed)
    after = unsigned.play(replay, [decided.move], decided.seat, chance, remark=True, mark=MARK)
    return sign_items(replay, after, by, keys, {"kind": ORDERED, "order": height})


def undo(replay: Replay, seat: int, keys: Keys, *, dry_run: bool = False) -> Replay:
    """Take back the player's last turn by appending an undo, which is signed but in a ``dry_run``.

    Raises as :func:`play`.
    """
    demand_key(replay, seat, keys)
    demand_at_home(replay, keys)
    after = unsigned.undo(replay, seat)
    return after if dry_run else sign_items(replay, after, seat, keys)


def demand_key(replay: Replay, seat: int, keys: Keys) -> None:
    """Require the key that a seat signs with. Raises OtherKeyError."""
    chain = chain_of(replay)
    known = chain.keys.get(seat_in(chain, replay.config.players[seat]))
    if known is not None and known != keys.public:
        raise not_the_key(replay.config.players[seat], known, keys.public)
    keys.prepare(chain)


def not_the_key(player: str, known: bytes, own: bytes = b"") -> OtherKeyError:
    """Return the error for a move without ``known``, the key of the player.

    ``own`` is the key on this computer; empty if there is none.
    """
    return OtherKeyError(
        say(
            "In this game the seat of {player} belongs to the key {known}, but the key on "
            "this computer is {own}. Only that key can go on; if it is yours, restore it "
            "from its backup with 'porto key import FILE'."
            if own
            else "In this game the seat of {player} belongs to the key {known}, but there is "
            "no key on this computer. Only that key can go on; if it is yours, restore it "
            "from its backup with 'porto key import FILE'.",
            player=player,
            known=public_text(known),
            own=public_text(own) if own else "",
        )
    )


def demand_at_home(replay: Replay, keys: Keys) -> None:
    """Require that the last step was not sent to anybody, and that no other player has answered it.

    Raises IllegalMoveError.
    """
    chain = chain_of(replay)
    height = chain.head.height
    if keys.answered(chain.game) >= height > 0:
        fault = say(
            "Another player has already answered this turn, in a copy that was opened on this "
            "computer, so it cannot be taken back. Continue with that copy."
        )
    elif keys.handed_over(chain.game) >= height > 0:
        fault = say(
            "The record was sent with this turn in it; a turn that others have can no "
            "longer be taken back."
        )
    else:
        return
    raise IllegalMoveError([Violation(R_UNDO, fault)])


def chain_of(replay: Replay) -> Chain:
    """Return the chain of a signed game."""
    assert replay.chain is not None
    return replay.chain


def seat_in(chain: Chain, player: str) -> int:
    """Return the number with which a player signs: the place in the seating order."""
    return chain.players.index(player)


def with_draft(chain: Chain, content: Data) -> Chain:
    """Return a chain with one more step, which is still to be signed."""
    return chains.longer(chain, chain.head.unsigned(content))


def sign(chain: Chain, drafted: Chain, record: Record, keys: Keys) -> tuple[Chain, Record]:
    """Sign the drafted steps of a chain, and append them to a record whose turns already have them.

    What a program would refuse has to be refused before: a signature cannot be taken back. So the
    record is read again with the unsigned steps, and only then are they signed. Raises FileError
    and what ``keys`` raises.
    """
    drafts = drafted.steps[len(chain.steps) :]
    read_again(record.with_steps([draft.to_json() for draft in drafts]))
    for draft in drafts:
        step = keys.sign(chain.head, dict(draft.content))
        chain = chains.longer(chain, step)
        record = record.with_steps([step.to_json()])
    return chain, record


def sign_items(
    before: Replay, after: Replay, seat: int, keys: Keys, kind: Data | None = None
) -> Replay:
    """Sign what was appended to the items, with one step for each item; ``kind`` is what makes it
    more than a turn.
    """
    chain = chain_of(before)
    by = seat_in(chain, before.config.players[seat])
    drafted = chain
    if by not in chain.keys:
        joined: Data = {"by": by, "kind": JOIN, "key": chains.text_of(keys.public)}
        drafted = with_draft(drafted, joined)
    old = before.record.items
    for number, item in enumerate(after.record.items):
        known = len(old[number].entries) if number < len(old) else 0
        new = item.entries[known:]
        if new and new[0][0] != RESULT:
            turn: Data = {"by": by, "kind": TURN, "entries": [list(entry) for entry in new]}
            drafted = with_draft(drafted, turn | (kind or {}))
    chain, record = sign(chain, drafted, after.record, keys)
    return after._replace(record=record, chain=chain)
