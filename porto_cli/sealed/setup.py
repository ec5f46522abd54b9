"""The setup of a sealed game: the record goes around the table twice before anything is dealt.

First each player in turn joins and shuffles; then each unlocks what the others got, the one who
joined last in the same message. :mod:`porto_cli.sealed.dealing` explains what it proves.
"""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex
from typing import NamedTuple

from porto_cli.core.chance import choose, seeded_chance
from porto_cli.core.message import shown
from porto_cli.core.yaml import InvalidFileError, Place, newline_of, scalar, with_entry
from porto_cli.game import Config, Game, SealedPile
from porto_cli.match.record import (
    FORMAT,
    SEALED,
    Header,
    NotReadyError,
    Record,
    changed_by_reading,
    load,
    new_text,
    read_again,
    setup_lines,
)
from porto_cli.sealed import ProofError, dealing
from porto_cli.sealed.chain import (
    JOIN,
    UNLOCK,
    Data,
    Seals,
    check,
    invalid,
    seals_of,
    sign,
    with_draft,
    written,
)
from porto_cli.sealed.dealing import Join, SetupState, Unlock
from porto_cli.sealed.holder import KeyHolder, remember_chain
from porto_cli.sealed.primitives import NONCE_SIZE, GameSecrets, seed_of, short_hash
from porto_cli.sealed.steps import Chain, SignedStep

_GENESIS = {"format", "head", "nonce", "players"}
"""The keys of every genesis."""
FIRST = "first"
"""The key of a genesis with the first player, if the players agreed on one."""


class Beginning(NamedTuple):
    """The progress of a setup."""

    record: Record
    seals: Seals
    chain: Chain
    pile: SealedPile
    setup: SetupState

    @property
    def next(self) -> int | None:
        """The next player, as a number in the seating order; ``None`` when it is complete."""
        joins = self.setup.next_to_join
        return self.setup.next_to_unlock if joins is None else joins

    @property
    def played(self) -> tuple[SignedStep, ...]:
        """The steps after the setup."""
        return self.chain.steps[self.setup.height :]

    @property
    def hops(self) -> int:
        """How often the record is passed in all, counting the player who began it."""
        return 2 * self.setup.seats - 1

    @property
    def done(self) -> int:
        """How many of these are complete."""
        return len(self.setup.joins) + max(0, len(self.setup.unlocks) - 1)

    def not_ready(self, file: str | None = None) -> NotReadyError:
        """Return the error for playing too early; ``file`` names the record in it, if not as it was
        read.
        """
        assert self.next is not None
        player, digest = self.chain.players[self.next], self.chain.head.hash.hex()
        name = self.record.file if file is None else file
        return NotReadyError(name, self.done, self.hops, player, self.record, digest)


def read_setup(record: Record, keys: KeyHolder | None = None) -> Beginning:
    """Return the progress of the setup of a sealed record, fully checked.

    What ``keys`` remembers as checked is not checked again. Raises InvalidFileError.
    """
    seals = seals_of(record)
    _check_genesis(seals)
    chain = check(seals, keys)
    _compare_players(record, seals, chain)
    first = seals.genesis.get(FIRST, 0)
    if type(first) is not int or not 0 <= first < len(chain.players):
        seals.fail(0, "The machine part names a first player who does not play.")
    pile = record.game.sealed_pile(record.config)
    if not isinstance(pile, SealedPile):
        seals.fail(0, pile)
    try:
        setup = dealing.begin(chain.game, len(chain.players), len(pile.things), pile.each)
    except ProofError as error:
        raise invalid(seals, error) from None
    for step in chain.steps:
        if setup.complete:
            break
        try:
            setup = _with_step(setup, step, proven=step.height <= chain.known)
        except ProofError as error:
            # Anybody can have made an invalid join: it is signed with the key that it names itself.
            signer = None if step.content["kind"] == JOIN else step.by
            raise invalid(seals, error.located(chain.players, step.height, signer)) from None
    if setup.height == len(chain.steps):
        remember_chain(chain, keys)
    return Beginning(record, seals, chain, pile, setup)


def _check_genesis(seals: Seals) -> None:
    """Require a genesis of the right form. Raises InvalidFileError."""
    found = seals.genesis
    players, head = found.get("players"), found.get("head")
    known = (
        _GENESIS <= set(found) <= _GENESIS | {FIRST}
        and found["format"] == FORMAT
        and type(found["nonce"]) is str
        and type(players) is list
        and type(head) is list
        and all(type(each) is str for each in [*players, *head])
    )
    if not known:
        seals.fail(
            0,
            "This program does not know how to read this machine part: its beginning was "
            "changed, or a newer porto wrote it.",
        )


def _compare_players(record: Record, seals: Seals, chain: Chain) -> None:
    """Require the header that was agreed; who is first was not, so the players may be rotated."""
    lead = "players: "
    agreed = [line for line in seals.genesis["head"] if not line.startswith(lead)]
    given = [line for line in record._replace(deal=None).header() if not line.startswith(lead)]
    _compare_head(record, given, agreed)
    players = record.config.players
    turned = [chain.players[nth:] + chain.players[:nth] for nth in range(len(chain.players))]
    if players not in turned[: len(turned) if record.settled else 1]:
        _compare_head(
            record, [f"{lead}{', '.join(players)}"], [f"{lead}{', '.join(chain.players)}"]
        )


def _compare_head(record: Record, given: Sequence[str], agreed: Sequence[str]) -> None:
    """Require the header that was agreed when the game began. Raises InvalidFileError."""
    if list(given) == list(agreed):
        return
    missing = [line for line in agreed if line not in given]
    new = [line for line in given if line not in agreed]
    key = (new or missing or [""])[0].partition(":")[0].strip()
    if new and missing:
        changed = (
            f"The header of the record was changed: it has {shown(new[0].strip())}, but the "
            f"game began with {shown(missing[0].strip())}."
        )
    else:
        line = (new or missing or ["players"])[0].strip()
        changed = f"The header of the record was changed since the game began: {shown(line)}."
    raise InvalidFileError(Place(record.file, *record.lines.get(key, (1, 1))), changed)


def _with_step(setup: SetupState, step: SignedStep, *, proven: bool) -> SetupState:
    """Return a setup after a step. Raises ProofError."""
    joins = setup.next_to_join is not None
    kind, by = (JOIN, setup.next_to_join) if joins else (UNLOCK, setup.next_to_unlock)
    data = step.content.get("setup")
    if step.content["kind"] != kind or step.by != by or data is None:
        raise ProofError(
            f"Step {step.height} does not belong here: the game is being set up, and the next step "
            f"is the {kind} of another player.",
        )
    if joins:
        return setup.with_join(Join.from_json(data, setup), step.place, proven)
    return setup.with_unlock(Unlock.from_json(data, setup), step.place, proven)


def new_sealed(
    game: Game,
    config: Config,
    keys: KeyHolder,
    *,
    first: int | None,
    name: str,
    title: str = "",
    hints: str = "",
) -> Beginning:
    """Return a sealed game that the first player of its configuration has just joined.

    ``first`` is the first player by the place in the seating order, ``None`` for chance; ``name``
    is the file to be named in the first line. Raises what ``keys`` raises.
    """
    head = Header(game, config, None, SEALED, hints=hints).lines()
    # What the players agree on before they begin; the nonce makes every game unique.
    genesis: Data = {
        "format": FORMAT,
        "head": head,
        "nonce": token_hex(16),
        "players": [*config.players],
    }
    if first is not None:
        genesis[FIRST] = first
    machine = "".join(f"{line}\n" for line in written([genesis], first=True))
    text = new_text(head, title=title, name=name) + machine
    return take_part(read_setup(load(text, name)), keys)


def own_secrets(chain: Chain, setup: SetupState, keys: KeyHolder | None) -> dict[int, GameSecrets]:
    """Return the secrets of the players who have joined with a key, by their numbers."""
    found: dict[int, GameSecrets] = {}
    for by, join in enumerate(setup.joins):
        if keys is not None and join.key == keys.public:
            seed = seed_of(keys.identity.master, chain.game, join.nonce)
            secrets = GameSecrets(seed, chain.game, by)
            if secrets.commitment == join.commitment:
                found[by] = secrets
    return found


def take_part(begun: Beginning, keys: KeyHolder) -> Beginning:
    """Return a setup after the next player has taken part. Everything before has been checked.
    After the last player the game begins.

    Raises ProofError, FileError, and what ``keys`` raises.
    """
    by = begun.next
    assert by is not None
    after = begun
    if after.setup.next_to_join is not None:
        after = _join(after, by, keys)
    if after.setup.next_to_unlock == by:
        after = _unlock(after, by, keys)
    if after.setup.complete:
        after = after._replace(record=_settled(after))
    chain, record = sign(begun.chain, after.chain, after.record, keys)
    return after._replace(chain=chain, record=record)


def _join(begun: Beginning, by: int, keys: KeyHolder) -> Beginning:
    head = begun.chain.head
    # Joining again with the same copy makes the same step, which may be signed again; with another
    # copy everything is new, so that two versions together give nothing away.
    nonce = short_hash("join nonce", keys.identity.master, head.game, head.hash)[:NONCE_SIZE]
    secrets = GameSecrets(seed_of(keys.identity.master, head.game, nonce), head.game, by)
    joined = dealing.join(begun.setup, secrets, keys.identity.public, nonce, head.place)
    setup = begun.setup.with_join(joined, head.place, proven=True)
    return _with(begun, setup, {"by": by, "kind": JOIN, "setup": joined.to_json()})


def _unlock(begun: Beginning, by: int, keys: KeyHolder) -> Beginning:
    secrets, place = own_secrets(begun.chain, begun.setup, keys)[by], begun.chain.head.place
    unlocked = dealing.unlock(begun.setup, secrets, place)
    setup = begun.setup.with_unlock(unlocked, place, proven=True)
    return _with(begun, setup, {"by": by, "kind": UNLOCK, "setup": unlocked.to_json()})


def _with(begun: Beginning, setup: SetupState, content: dict[str, object]) -> Beginning:
    """Return a setup with one more step, which is still to be signed."""
    return begun._replace(chain=with_draft(begun.chain, content), setup=setup)


def order_of(begun: Beginning) -> tuple[int, ...]:
    """Return the turn order: for each seat the number in the seating order."""
    count = begun.setup.seats
    first = begun.seals.genesis.get(FIRST)
    if first is None:
        first = choose(begun.setup.randomness.hex(), FIRST, 0, count)
    return tuple((first + nth) % count for nth in range(count))


def _settled(begun: Beginning) -> Record:
    """Return the record of a game that can begin: its players in turn order, and what was dealt.

    People may have laid out its header as they like; only the key of the players is rewritten.
    """
    record = begun.record
    players = [begun.chain.players[by] for by in order_of(begun)]
    human = with_entry(record.human, "players", f"players: [{', '.join(map(scalar, players))}]")
    # The configuration does not say who is first, so it deals the same in any order.
    deal = record.game.sealed.deal_sealed(
        record.config, seeded_chance(begun.setup.randomness.hex())
    )
    indent, end = " " * record.dash, newline_of(human)
    dealt = [f"{indent}{line}{end}" for line in setup_lines(record.game, record.config, deal)]
    text = "".join([human, *dealt]) + record.machine
    settled = read_again(record._replace(text=text))
    if settled.config.players != tuple(players):
        raise changed_by_reading()
    return settled
