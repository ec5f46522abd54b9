"""The commands that an error suggests: whoever pastes one must not get another error."""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import partial

from tests.same.bench import Bench, Gone, exits
from tests.same.documents import addresses
from tests.same.jobs import Job
from tests.same.program import HOME, TABLE, Files, Outcome, command_line, on_table

KIND = "advice"
FILE = "g.yaml"
ASIDE = re.compile(r"'porto ([^'\n]+)'|^ +porto (.+)$|: porto (.+)$", re.MULTILINE)
"""A command in a sentence, on a line of its own, and at the end of a sentence."""
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|…|\.\.\.")
"""FILE, NAME and the like: what is to be replaced before one can type it."""
ASKING = ("play", "key")
"""Commands that ask, or change what is not on the table."""
REFUSED = 1
"""The exit status of a command that is one, but against the rules at that table."""
MOST = 2
"""So many of the commands of one error are tried."""
VERBS = {
    "porto": ("keep", "draw", "build", "contract", "pass", "undo"),
    "puerto-rico": (
        "role", "take", "place", "build", "sell", "load", "store", "guest", "choose", "pass",
    ),
}  # fmt: skip
MISTAKES = (
    "{verb} g.yaml", "{verb} g.yaml --as {player}", "{verb} g.yaml nonsense", "{verb} g.yml",
    "{verb} {verb} g.yaml", "show g.yaml --as {player}x", "moves", "{verb}x g.yaml",
    "{verb} g.yaml --dry", "undo g.yaml --as {player}", "mail g.yaml --to Nobody",
)  # fmt: skip


def of(bench: Bench) -> Iterator[Job]:
    """Mistakes at random positions of all games, without end."""
    number = 0
    while True:
        for game in bench.games:
            number += 1
            rng = random.Random(f"{bench.seed} advice {number}")
            # With the last turn and without the result it would be no record.
            text = game.cut(rng.randrange(max(1, game.length - 1)))
            args = rng.choice(MISTAKES).format(
                verb=rng.choice(VERBS[game.kind]), player=rng.choice(game.players)
            )
            files = on_table({FILE: text})
            files[f"{HOME}/addresses.yaml"] = addresses(game)
            yield partial(mistake, bench, files, shlex.split(args))


def mistake(bench: Bench, files: Files, args: list[str]) -> None:
    """Both versions judge a command alike, and suggest something that works."""
    try:
        old, new = bench.both(files, args)
    except Gone:
        bench.tally.leave_out(KIND)
        return
    found = exits(old, new) or refused(bench, files, args, old, new)
    bench.tally.add(KIND, found, command_line(args), files)


def refused(
    bench: Bench, files: Files, args: Sequence[str], old: Outcome, new: Outcome
) -> dict[str, str]:
    """Which commands that the error of the new version suggests are not accepted by it.

    It must suggest some if the old one does.
    """
    if not new.exit:
        return {}
    commands, before = suggested(new, args), suggested(old, args)
    if before and not commands:
        return {"no command is suggested anymore": f"{before[0]}: {new.err}"}
    found = {}
    for command in commands[:MOST]:
        words = shlex.split(command)
        if bench.is_gone(words) or (words[0] != "new" and elsewhere(files, words)):
            continue
        outcome = bench.run(bench.new, files, words)
        answered = outcome.exit == REFUSED or suggested(outcome, words, forms=True)
        if outcome.crashed or (outcome.exit and not answered):
            title = f"the suggested {words[0]} ends with {outcome.exit}"
            found[title] = f"porto {command}: {outcome.err}"
    return found


def elsewhere(files: Files, words: Sequence[str]) -> list[str]:
    """Files that a command names and that are not there, as in an example."""
    return [word for word in words if "." in word[1:] and f"{TABLE}/{word}" not in files]


def suggested(outcome: Outcome, args: Sequence[str], *, forms: bool = False) -> list[str]:
    """The commands of an error that can be typed as they are, but for the one that has failed.

    One that lacks something is fine, too, if it goes on to suggest what: a command, or with
    ``forms`` one with a word to replace, such as a card that only the players can see.
    """
    document = outcome.json()
    if isinstance(document, dict):
        text = "\n".join(f"  {line}" for line in document.get("suggestions", ()))
    else:
        text = outcome.err
    commands = [next(filter(None, found)) for found in ASIDE.findall(text)]
    failed = shlex.join(args)
    return [
        command
        for command in dict.fromkeys(commands)
        if (forms or not PLACEHOLDER.search(command))
        and command.split()[0] not in ASKING
        and not failed.startswith(command)
    ]
