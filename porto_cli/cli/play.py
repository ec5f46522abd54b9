"""The command that plays at one keyboard."""

from __future__ import annotations

from pathlib import Path

from porto_cli.cli import AsPlayer, GameOption, Within, arg, opt
from porto_cli.cli.completion import offer_records
from porto_cli.cli.output import Plain
from porto_cli.core import cited, usage
from porto_cli.core.shell import file_word
from porto_cli.match.record import meant


def play(
    file: Path | None = arg(
        None,
        "[FILE]",
        "The record to continue, or a new one to create.",
        show_default=False,
        autocompletion=offer_records,
    ),
    player: AsPlayer = None,
    everyone: bool = opt(
        False, "--all", "Play the turns of all players, whoever 'porto me' says you are."
    ),
    plain: Plain = False,
    learn: bool = opt(False, "--learn", "Learn a game by playing it: a guided first game."),
    daily: bool = opt(False, "--daily", "Play today's deal; it is the same for everybody."),
    solo: bool = opt(False, "--solo", "Start a new game alone, without questions."),
    level: int | None = opt(
        None,
        "N",
        "Start a new game against a bot of this level, 1 the weakest, without questions.",
        limits=Within(1),
        show_default=False,
    ),
    game: GameOption = None,
) -> None:
    """Play at this keyboard: alone, against bots, or several players in turn.

    You are asked for everything, and see what each choice scores before you choose it. Without
    FILE you choose a running game of this folder, learn one, or start a new one, with cards that
    the program deals or with the real ones on a table; --game asks at once about a new one. If your
    settings name an inbox, mail is fetched before. The game is saved after every turn; stop
    whenever you like and continue with the same command. With --as, or when 'porto me' says who you
    are, you play only the turns of one player, in a game by mail; with --all, or if you have said
    that all play here, those of everyone.

    Examples:
      porto play
      porto play --learn
      porto play friday.yaml --as Joana
    """
    wish = _wish(file, learn=learn, daily=daily, solo=solo, level=level, game=game)
    if everyone and player is not None:
        usage("--as plays for one player, and --all for everybody; leave out one of them.")
    # What asks is loaded only here: completing a command, or reading its help, needs none of it.
    from porto_cli.cli.keyboard import play_here
    from porto_cli.cli.lobby import start_of

    start = start_of(wish, file, game, level) if wish else None
    play_here(file, start, player, everyone=everyone, plain=plain)


def _wish(
    file: Path | None, *, learn: bool, daily: bool, solo: bool, level: int | None, game: str | None
) -> str:
    """Return the option that asks for a game to begin; nothing if none does.

    What does not go together, and what the game does not have, is refused (exit code 2).
    """
    wishes = {"--learn": learn, "--daily": daily, "--solo": solo, "--level": level is not None}
    asked = [flag for flag, wanted in wishes.items() if wanted]
    if len(asked) > 1:
        usage(f"{' and '.join(asked)} ask for different games; leave out all but one of them.")
    if not asked:
        if game is None:
            return ""
        asked = ["--game"]
    if file is not None and (learn or daily):
        usage(f"{asked[0]} names its file itself; leave out {cited(str(file))}.")
    if file is not None and meant(file).exists():
        usage(
            f"{asked[0]} starts a new game, and there is a file {meant(file)}.",
            suggestions=[f"porto play {file_word(str(meant(file)))}"],
        )
    return asked[0]
