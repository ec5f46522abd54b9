"""What the commands say of sealed games: how far a set-up is, and who can do what next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.game import OVER
from porto_cli.match.command_lines import path_of, word_of

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay
    from porto_cli.match.sealed_setup import Beginning
    from porto_cli.ui import Ui


def progress(begun: Beginning, file: str) -> list[Sentence]:
    """Say whom the record of a set-up goes to next, and how far it is."""
    assert begun.next is not None
    left = begun.hops - begun.done
    player = begun.chain.players[begun.next]
    # Who has joined is known by the key.
    named = [option("--as", player)] if begun.setup.next_to_join is not None else []
    return [
        say(
            "Send {file} to {player}, who goes on with: {command}",
            file=file,
            player=player,
            command=" ".join(["porto join", word_of(file), *named]),
        ),
        say(
            "{done} of {hops} stations of the set-up are done, one is left."
            if left == 1
            else "{done} of {hops} stations of the set-up are done, {left} are left.",
            done=begun.done,
            hops=begun.hops,
            left=left,
        ),
    ]


class SealedUi:
    """The interface of a game, and with it what only the seals of a sealed game know."""

    def __init__(self, ui: Ui) -> None:
        self._ui = ui

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ui, name)

    def what_next(self, replay: Replay, file: str | None = None) -> list[Sentence]:
        """Say who can do what now, with the commands to type."""
        told, is_all = _sealed_next(replay, file)
        return told if is_all else [*told, *self._ui.what_next(replay, file)]


def _sealed_next(replay: Replay, file: str | None) -> tuple[list[Sentence], bool]:
    """Say who can do what now where the game itself cannot know it, and whether that is all."""
    sealed = replay.sealed
    assert sealed is not None
    path, state, players = path_of(replay, file), replay.state, replay.config.players
    if sealed.stopped:
        return [
            say(
                "The game ended here: {players} vanished, and nobody is left to play against. "
                "There is no ranking.",
                players=", ".join(players[seat] for seat in sorted(sealed.given_up)),
            )
        ], True
    told: list[Sentence] = []
    for gone, sayers in sorted(sealed.awaited.items()):
        others = set(range(len(players))) - sealed.given_up - set(sealed.awaited) - sayers
        told.append(
            say(
                "{sayers} said that {gone} has vanished. The game goes on without {gone} when "
                "these players say so too: {others}. To do that: {command}",
                sayers=", ".join(players[seat] for seat in sorted(sayers)),
                gone=players[gone],
                others=", ".join(players[seat] for seat in sorted(others)),
                command=f"porto reveal {path} {option('--without', players[gone])}",
            )
        )
    if state.phase == OVER:
        left = [
            players[seat]
            for seat, by in enumerate(sealed.order)
            if by not in sealed.revealed and seat not in sealed.given_up
        ]
        if left:
            told.append(
                say(
                    "So that everybody can check the whole game, these players have still to "
                    "reveal what they drew lots with: {players}. To do that: {command}",
                    players=", ".join(left),
                    command=f"porto reveal {path}",
                )
            )
    elif (
        set(replay.game.to_move(state)) <= set(replay.game.sealed.unrevealed(state))
        and sealed.revealed
    ):
        names = [players[seat] for seat in replay.game.to_move(state)]
        told.append(
            say(
                "The last turn is over. Send the record to {player}, who goes on with: {command}",
                player=names[0],
                command=f"porto reveal {path}",
            )
        )
        if names[1:]:
            told.append(
                say(
                    "These players have still to reveal what they kept, in any order: {players}.",
                    players=", ".join(names),
                )
            )
        return told, True
    return told, False
