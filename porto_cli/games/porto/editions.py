"""The editions of the box: what is in it, from YAML files here or anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from porto_cli.core import cited
from porto_cli.core.yaml import Node, read
from porto_cli.games.porto.engine import HOUSES, PRIVATE_KINDS, PUBLIC_FAMILIES, VALUES, Edition
from porto_cli.kinds import FLAG, TITLE, Kind, by, canonical_lines, many, number, read_all, word

DEFAULT = "mebo-2019"
_FOLDER = Path(__file__).with_name("editions")
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
"""The keys of an edition file: the kind of the value, and how to get it from an edition."""
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


def edition_of_text(text: str, file: str) -> Edition:
    """Read an edition from the text of its file. Raises InvalidFileError."""
    return edition_of_node(read(text, file))


def edition_of_node(node: Node) -> Edition:
    """Return the edition that a node describes. Raises InvalidFileError.

    Contracts that are left out are taken from the default edition.
    """
    found = read_all(_KINDS, node, required=_REQUIRED)
    for key in ("public-contracts", "private-contracts"):
        if key not in found:
            found[key] = edition_values(shipped(DEFAULT))[key]
    cards, public, private = found["cards"], found["public-contracts"], found["private-contracts"]
    for kind, scale in private.items():
        if not scale:
            node["private-contracts"][kind].fail(f"{cited(kind)} needs at least one number of VP.")
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


def edition_lines(edition: Edition) -> list[str]:
    """Return an edition as the lines of its file; :func:`edition_of_text` reads them back."""
    values = edition_values(edition)
    if not edition.artificial:
        del values["artificial"]
    return canonical_lines(_KINDS, values)


def edition_values(edition: Edition) -> dict[str, Any]:
    """Return the values of an edition by the keys of its file."""
    return {key: find(edition) for key, (_, find) in _FIELDS.items()}


def edition_of(node: Node | None) -> Edition:
    """Return the edition that a file names or holds; the default if it does neither."""
    if node is None:
        return shipped(DEFAULT)
    if node.is_mapping:
        return edition_of_node(node)
    name = node.text()
    if name not in names():
        node.fail(
            f"The edition {cited(name)} does not come with the program; these do: "
            f"{', '.join(names())}. Any other has to be written out under this key."
        )
    return shipped(name)
