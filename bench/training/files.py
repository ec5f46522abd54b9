"""Files of weights, and what a run has to remember to go on.

A file of weights has the form of the program's own ``weights.json``, for some numbers of players or
all. Beside it each step keeps a file that it goes on from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.training.forms import COLUMNS, Recipe, entry_of_weights, read_weights
from porto_cli.games.porto.engine import PRIVATE
from porto_cli.games.porto.players.evaluation import FILE, SOLO, Prices, Weights, weights_of

SHIPPED = "shipped"
"""In place of a file: the weights that come with the program."""
NOTHING = "nothing"
"""In place of a file: weights that know nothing, to begin with."""


class RefusedError(Exception):
    """Something that cannot be done as it was asked for; the text says why."""


def read(source: str, players: str) -> tuple[Weights, Recipe]:
    """Return the weights of a file for so many players, and how they came about.

    ``source`` is the name of a file, ``SHIPPED`` or ``NOTHING``. Raises RefusedError.
    """
    if source == NOTHING:
        return knows_nothing(players), [{"step": "start", "text": "Weights that know nothing."}]
    path = FILE if source == SHIPPED else Path(source)
    try:
        text = path.read_text("utf-8")
        found = read_weights(text)
    except (OSError, ValueError) as error:
        raise RefusedError(f"{path}: {error}") from None
    if players not in found:
        raise RefusedError(f"{path}: There are no weights for {players!r}, only for {list(found)}.")
    return found[players], json.loads(text)[players]["recipe"]


def knows_nothing(players: str) -> Weights:
    """Return weights to begin with: plain prices, and nothing known of features.

    What private contracts bring alone is left as it is: no step learns it.
    """
    shipped = weights_of(players)
    start = shipped._replace(
        rows=((0.0,) * len(shipped.features),) * len(shipped.rows),
        prices=Prices((2.0, 2.5, 3.5), (0.0,) * len(shipped.prices.gaps), 0.0, -0.1, 0.5, 0.0),
    )
    if players == SOLO:
        return start
    even = (1.0, *[0.5] * (len(COLUMNS) - 1))
    return start._replace(completion=(even,) * len(shipped.completion), keep=(1.0,) * len(PRIVATE))


def text_of(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a file of weights: a line for each row of numbers."""
    return "{\n" + ",\n".join(f' "{key}": {_entry(one)}' for key, one in entries.items()) + "\n}\n"


def _entry(entry: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f'  "{key}": {_value(one)}' for key, one in entry.items()) + "\n }"


SHORT = 8
"""Numbers of a list that does not need a line of its own."""


def _value(value: Any) -> str:
    first = next(iter(value.values()), None) if isinstance(value, Mapping) else None
    # The rows of a network have a line each; short lists of prices share one.
    if isinstance(value, Mapping) and isinstance(first, list | tuple) and len(first) > SHORT:
        lines = [f"   {json.dumps(name)}: {_plain(row)}" for name, row in value.items()]
        return "{\n" + ",\n".join(lines) + "\n  }"
    rows = list(value) if isinstance(value, list | tuple) else []
    if rows and not isinstance(rows[0], str | int | float):
        return "[\n" + ",\n".join(f"   {_plain(row)}" for row in rows) + "\n  ]"
    return _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(_rounded(value), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    """Return a value with numbers of six digits that count, whole ones as such."""
    if isinstance(value, float):
        short = float(f"{value:.6g}")
        return int(short) if short == int(short) else short
    if isinstance(value, Mapping):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value


def write(path: Path, players: str, weights: Weights, recipe: Recipe) -> None:
    """Write weights, with how they came about, in place of what was in the file."""
    replace(path, text_of({players: entry_of_weights(weights, recipe)}))


def adopt(
    path: Path, into: Path = FILE, check: Callable[[str], object] = read_weights
) -> list[str]:
    """Put the weights of a file in place of those of another one; return for whom there were some.

    ``check`` reads a file and raises ValueError if it has another form than those of the game.
    Raises RefusedError.
    """
    try:
        text = path.read_text("utf-8")
        check(text)
        former = json.loads(into.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RefusedError(f"{path}: {error}") from None
    new = json.loads(text)
    replace(into, text_of({**former, **new}))
    return list(new)


def digest(weights: Weights) -> str:
    """Return a short name for weights that no others have."""
    text = text_of({"": entry_of_weights(weights, ())})
    return sha256(text.encode()).hexdigest()[:16]


def checkpoint(out: Path, step: str) -> Path:
    """Return where a step remembers how far it is."""
    return out.with_name(f"{out.stem}.{step}.json")


def remembered(path: Path, settings: Mapping[str, object]) -> Any:
    """Return how far a step is; ``None`` if it has not begun.

    Raises RefusedError if it was begun with other settings, for then it would lead elsewhere.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        begun, progress = found["settings"], found["progress"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise RefusedError(
            f"{path} is no file that a step has kept. Delete it, or name another --out."
        ) from None
    other = [
        f"{key} {begun.get(key)!r} instead of {wanted!r}"
        for key, wanted in settings.items()
        if begun.get(key) != wanted
    ]
    if other:
        raise RefusedError(
            f"{path} was begun with other settings: {'; '.join(other)}. Go on with those, delete "
            "it, or name another --out."
        )
    return progress


def remember(path: Path, settings: Mapping[str, object], progress: object) -> None:
    """Write down how far a step is."""
    replace(path, json.dumps({"settings": settings, "progress": progress}) + "\n")


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, "utf-8")
    new.replace(path)
