"""Editions: the component data of a box, from YAML files here or anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from porto_cli.core.files import name_of, read_text
from porto_cli.core.message import shown
from porto_cli.core.yaml import Node, read
from porto_cli.games.porto.engine.components import (
    HOUSES,
    PRIVATE_KINDS,
    PUBLIC_FAMILIES,
    VALUES,
    Edition,
)
from porto_cli.kinds import FLAG, TITLE, Kind, by, canonical_lines, many, number, read_all, word

DEFAULT = "mebo-2019"
_FOLDER = Path(__file__).parent
_COUNT = number(0, 99)
_OF_VALUES = by(number(1, max(VALUES)), number(0, 40), [str(value) for value in VALUES])
_FIELDS: dict[str, tuple[Kind, Callable[[Edition], Any]]] = {
    "name": (TITLE, lambda one: one.name),
    "heights": (
        by(word(*HOUSES), _COUNT, HOUSES),
        lambda one: dict(zip(HOUSES, one.heights, strict=True)),
    ),
    "cards": (_OF_VALUES, lambda one: dict(zip(VALUES, one.cards_per_value, strict=True))),
    "ground-floors": (_COUNT, lambda one: one.ground_floors),
    "upper-floors": (_COUNT, lambda one: one.upper_floors),
    "tokens": (by(number(1, 9), _COUNT), lambda one: Counter(sorted(one.tokens))),
    "public-contracts": (by(word(*PUBLIC_FAMILIES), _COUNT), lambda one: one.public),
    "private-contracts": (
        by(word(*PRIVATE_KINDS), many(_COUNT, tuple)),
        lambda one: one.private,
    ),
    "artificial": (FLAG, lambda one: one.artificial),
}
"""The keys of an edition: what each holds, and where an edition has it."""
_KINDS = {key: kind for key, (kind, _) in _FIELDS.items()}
_REQUIRED = tuple(_KINDS)[:6]


@cache
def names() -> tuple[str, ...]:
    """Return the names of the editions that come with the program."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


@cache
def shipped(name: str) -> Edition:
    """Return an edition that comes with the program. Raises KeyError if there is none."""
    if name != DEFAULT and name not in names():
        raise KeyError(name)
    path = _FOLDER / f"{name}.yaml"
    return edition_of_text(path.read_text("utf-8"), str(path))


def is_shipped(edition: Edition) -> bool:
    """Return whether an edition is one of those that come with the program."""
    return edition.name in names() and shipped(edition.name) == edition


def passes_for(edition: Edition) -> Edition | None:
    """Return the edition of the program that one with other contents is called like; ``None`` if
    there is none. Case, blanks and signs in a name make no difference.
    """
    called = _bare(edition.name)
    alike = (shipped(name) for name in names() if _bare(name) == called)
    return next((one for one in alike if one != edition._replace(name=one.name)), None)


def _bare(name: str) -> str:
    from unicodedata import normalize

    return "".join(filter(str.isalnum, normalize("NFKC", name))).casefold()


def edition_of_file(path: Path) -> Edition:
    """Return the edition of a file. Raises InvalidFileError, FileError."""
    return edition_of_text(read_text(path), name_of(path))


def edition_of_text(text: str, file: str) -> Edition:
    """Return the edition of an edition file's text. Raises InvalidFileError."""
    return edition_of_node(read(text, file))


def edition_of_node(node: Node) -> Edition:
    """Return the edition that a node describes. Raises InvalidFileError.

    Contracts that are left out are those of the default edition.
    """
    found = read_all(_KINDS, node, required=_REQUIRED)
    for key in ("public-contracts", "private-contracts"):
        if key not in found:
            found[key] = _values(shipped(DEFAULT))[key]
    cards, public, private = found["cards"], found["public-contracts"], found["private-contracts"]
    for kind, scale in private.items():
        if not scale:
            node["private-contracts"][kind].fail(f"{shown(kind)} needs at least one number of VP.")
    edition = Edition(
        name=found["name"],
        heights=bytes(found["heights"][house] for house in HOUSES),
        cards_per_value=(cards[1], cards[2], cards[3]),
        ground_floors=found["ground-floors"],
        upper_floors=found["upper-floors"],
        tokens=bytes(sorted(Counter(found["tokens"]).elements())),
        public={one: public[one] for one in PUBLIC_FAMILIES if one in public},
        private={one: private[one] for one in PRIVATE_KINDS if one in private},
        artificial=found.get("artificial", False),
    )
    if faults := [*edition.faults()]:
        node.fail(f"This edition does not make a game: {' '.join(faults)}")
    return edition


def differences(edition: Edition, other: Edition) -> list[str]:
    """Return the keys of an edition file, besides the name, under which two editions differ."""
    one, two = (_values(each._replace(name="")) for each in (edition, other))
    return [key for key, value in one.items() if value != two[key]]


def edition_lines(edition: Edition) -> list[str]:
    """Return an edition as the lines of its file; :func:`edition_of_text` reads them back."""
    values = _values(edition)
    if not edition.artificial:
        del values["artificial"]
    return canonical_lines(_KINDS, values)


def _values(edition: Edition) -> dict[str, Any]:
    return {key: find(edition) for key, (_, find) in _FIELDS.items()}
