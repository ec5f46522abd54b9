"""Cards, names, numbers, rulings and commands in what people read.

Prose may change, but what it is about may not get lost: the words of a table, page, picture, log
or mail that stand for something of the position are a superset of those of the old version.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial
from html import unescape

from tests.same.bench import FIXED_KEY, PROSE, Bench, Gone, exits
from tests.same.documents import addresses
from tests.same.jobs import Job
from tests.same.mails import Mail
from tests.same.material import Game
from tests.same.program import HOME, Files, Json, Outcome, command_line, on_table

KIND = "words"
MEDIA = (
    "show g.yaml --as {player}",
    "show g.yaml --plain --as {player}",
    "show g.yaml --format svg --as {player}",
    "show g.yaml --format html --as {player}",
    "show g.yaml --format reply --as {player}",
    "log g.yaml --as {player}",
    "log g.yaml --format html --as {player}",
    "moves g.yaml",
    "score g.yaml --as {player}",
    "score g.yaml --plain",
    "mail g.yaml --format text --to {other}",
    "mail g.yaml --format eml --private --as {player} --to {other}",
)
"""What is read, of a position; {player} and {other} are two players."""
SOURCES = ("show", "log", "moves")
"""The documents that say what a position is about."""
OF_PROGRAMS = frozenset({
    "count", "digest", "earns", "event", "fingerprint", "from", "game", "kind", "phase", "porto",
    "reason", "scores", "secrecy", "to",
})  # fmt: skip
"""Keys whose values are words for programs."""
OF_NAMES = frozenset({
    "buildings", "cargo", "city", "colonists", "goods", "goods_supply", "houses", "island",
    "roles", "tile_discards", "tiles",
})  # fmt: skip
"""Keys of mappings whose keys are names of things."""
RULING = re.compile(r"\b[A-Z]{1,2}-[A-Z]+-\d+")
COMMAND = re.compile(r"\bporto ([a-z]+)(?= [\w-]+\.yaml)")
UNREAD = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
READ_OUT = re.compile(r'\b(?:aria-label|title|alt)="([^"]*)"')
TAG = re.compile(r"<[^>]*>")


def of(bench: Bench) -> Iterator[Job]:
    """Each medium of random positions, without end: all media in turn."""
    number = 0
    games = [game for game in bench.games if len(game.players) > 1]
    while True:
        for medium in random.Random(f"{bench.seed} media {number}").sample(MEDIA, len(MEDIA)):
            number += 1
            rng = random.Random(f"{bench.seed} words {number}")
            kind = ("porto", "puerto-rico")[number % 2]
            game = rng.choice([game for game in games if game.kind == kind])
            yield partial(compare, bench, medium, game, rng)


def compare(bench: Bench, medium: str, game: Game, rng: random.Random) -> None:
    """Nothing of a position is missing in one medium that the old version has there."""
    files = on_table({"g.yaml": game.cut(rng.randint(0, game.length))})
    files[f"{HOME}/addresses.yaml"] = addresses(game)
    player, other = rng.sample(game.players, 2)
    args = [word.format(player=player, other=other) for word in medium.split()]
    try:
        old, new = bench.both(files, args)
        found = exits(old, new)
        if not found:
            known = things(bench, files, player)
            found = lost(medium, known, readable(old), readable(new))
        bench.tally.add(KIND, found, command_line(args), files)
    except Gone:
        bench.tally.leave_out(KIND)


def things(bench: Bench, files: Files, player: str) -> dict[str, str]:
    """The names and numbers of a position, each with its place in a document."""
    found: dict[str, str] = {}
    for source in SOURCES:
        args = [source, "g.yaml", "--as", player, "--format", "json"]
        if not bench.is_gone(args):
            for path, word in named(bench.run(bench.old, files, args).json()):
                found.setdefault(word.casefold(), f"{source}{path}")
    return found


def named(document: Json, path: str = "", key: str = "") -> Iterator[tuple[str, str]]:
    """The names and numbers of a document, with their places: cards, houses, players …"""
    if isinstance(document, dict):
        for below, value in document.items():
            name = key in OF_NAMES or not FIXED_KEY.fullmatch(below)
            if name:
                yield f"{path}.*", below
            if below not in PROSE and below not in OF_PROGRAMS:
                yield from named(value, f"{path}.*" if name else f"{path}.{below}", below)
    elif isinstance(document, list):
        for value in document:
            yield from named(value, f"{path}[]", key)
    elif key == "move" and document:
        # Of a move the words that name something, but not those between them.
        yield from ((path, word) for word in str(document).split() if re.search(r"[\d+-]", word))
    elif document not in (None, "") and not isinstance(document, bool):
        yield path, str(document)


def lost(medium: str, known: dict[str, str], old: str, new: str) -> dict[str, str]:
    """What of a position only the old text has, by its place in a document."""
    found: dict[str, list[str]] = {}
    for word, place in known.items():
        pattern = spelled(word)
        if pattern.search(old) and not pattern.search(new):
            found.setdefault(place, []).append(word)
    for shape, what in ((RULING, "rulings"), (COMMAND, "commands")):
        if missing := set(shape.findall(old)) - set(shape.findall(new)):
            found[what] = sorted(missing)
    title = medium.replace(" g.yaml", "").split(" --as")[0].split(" --to")[0]
    return {f"{title}: {place}": f"no more: {words}" for place, words in found.items()}


def spelled(word: str) -> re.Pattern[str]:
    """A word as it may stand in a text: on pages small-market is small market."""
    parts = [re.escape(part) for part in re.split(r"[- ]", word)]
    return re.compile(r"(?<!\w)" + r"[-\s]+".join(parts) + r"(?!\w)", re.IGNORECASE)


def readable(outcome: Outcome) -> str:
    """The words that a command prints: of a page without its tags, of a mail all its parts."""
    text = outcome.out
    if "\nMIME-Version:" in text or text.startswith("MIME-Version:"):
        return "\n".join(map(plain, Mail(text.encode()).texts))
    return plain(text)


def plain(text: str) -> str:
    """A text without tags."""
    if "</" not in text:
        return text
    text = UNREAD.sub(" ", text)
    return unescape(" ".join([TAG.sub(" ", text), *READ_OUT.findall(text)]))
