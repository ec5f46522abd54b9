"""The interface of a game that is played, with what only the seals of a sealed game know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.game import OVER
from porto_cli.match.command_lines import path_of
from porto_cli.ui import ui_of

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay
    from porto_cli.ui import Ui


def ui_for(replay: Replay) -> Ui:
    """Return the interface of the game that is played, sealed or not."""
    ui = ui_of(replay.game.meta.id)
    return ui if replay.sealed is None else cast("Ui", SealedUi(ui))


class SealedUi:
    """The interface of a game, and with it what only the seals of a sealed game know."""

    def __init__(self, ui: Ui) -> None:
        self._ui = ui

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ui, name)

    def what_next(
        self, replay: Replay, file: str | None = None, user: int | None = None
    ) -> list[Sentence]:
        """Say who can do what now, with the commands to type."""
        told, is_all = _sealed_next(replay, file)
        return told if is_all else [*told, *self._ui.what_next(replay, file, user)]

    def last_turn(self, replay: Replay) -> list[Sentence]:
        """Say what the last turn was, or whom its player has given up."""
        last = replay.last_step()
        if last is None or last.moves or last.takes_back is not None:
            return self._ui.last_turn(replay)
        from porto_cli.match.sealed import WITHOUT

        facts: dict[str, object] = {
            "player": replay.config.players[last.seat],
            "gone": last.entries[0][1].removeprefix(f"{WITHOUT} "),
        }
        told = [say("{player} said that {gone} has vanished.", **facts)]
        if last.after != last.before:
            told.append(say("The game goes on without {gone}.", **facts))
        return told


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
        others = sealed.undecided(gone)
        told.append(
            say(
                "{sayers} said that {gone} has vanished. The game goes on without {gone} when all "
                "who stay have said so; these have not said so yet: {others}. To do that: {command}"
                if others
                else "All others said that {gone} has vanished, in an earlier version of porto. "
                "The game goes on without {gone} when one of them says so again: {command}",
                sayers=", ".join(players[seat] for seat in sorted(sayers)),
                gone=players[gone],
                others=", ".join(players[seat] for seat in others),
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
                "The last turn is over. These players have still to reveal what they kept, each "
                "with their own key: {players}. To do that: {command}",
                players=", ".join(names),
                command=f"porto reveal {path}",
            )
        )
        return told, True
    return told, False
