"""A signed copy that gives way to another version, on which the own steps are signed again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import say
from porto_cli.match.chain import GONE, REVEAL, Chain
from porto_cli.match.holder import own_public
from porto_cli.match.match import Match, load, loads
from porto_cli.match.opened import keys_of
from porto_cli.match.precedence import Ruling, moves_of
from porto_cli.match.replay import IllegalMoveError
from porto_cli.match.sealed_play import NotNowError
from porto_cli.match.signed import chain_of
from porto_cli.sealed.errors import PassphraseError
from porto_cli.sealed.steps import Step

if TYPE_CHECKING:
    from porto_cli.match.opened import KeySource


def signed_again(
    path: Path, text: str, ruling: Ruling, keys: KeySource | None
) -> tuple[Match, tuple[Step, ...]]:
    """Return the version of a text with the own steps that it lacks, and these steps.

    The journal knows then that it takes the place of the copy at ``path``; nothing else is written.
    Raises PassphraseError, and what the keys raise.
    """
    signer, public = keys_of(keys, make=False), own_public()
    old = load(path, signer)
    chain = chain_of(old.replay)
    again = [step for step in ruling.again if chain.keys[step.by] == public]
    if not _has_signed(public, chain):
        return loads(text, old.record.file, signer), ()
    if signer.public != public:
        raise PassphraseError(
            say(
                "The version that has come lacks a step of yours that is in {file} and has to be "
                "signed again. Your key takes a passphrase, which nobody can be asked for here, so "
                "nothing was changed: receive this message again on a terminal.",
                file=path,
            )
        )
    new = loads(text, old.record.file, signer)
    if again:
        # A wrong passphrase has to show before the journal is changed.
        _ = signer.identity
    signer.give_way(chain, chain_of(new.replay))
    made = tuple(_made_again(old, new, chain, again))
    new.read_back()
    return new, made


def _has_signed(public: bytes, chain: Chain) -> bool:
    return bool(public) and public in chain.keys.values()


def _made_again(old: Match, new: Match, chain: Chain, again: Sequence[Step]) -> list[Step]:
    """Make moves of one version on top of another one; return the steps that could be made."""
    moves = moves_of(old.replay)
    made = []
    for step in again:
        player = chain.players[step.by]
        with suppress(IllegalMoveError, NotNowError):
            if step.content["kind"] == REVEAL:
                new.reveal(player)
            elif step.content["kind"] == GONE:
                gone: Any = step.content["without"]
                new.give_up(*(chain.players[by] for by in gone), player=player)
            else:
                new.play(*moves[step.height], player=player)
            made.append(step)
    return made
