"""Editions: the component data of a box, from YAML files here or anywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.core.files import name_of, read_text
from porto_cli.core.message import shown, whole_number
from porto_cli.core.yaml import Node, flow, read, scalar
from porto_cli.games.porto.engine.components import (
    HOUSES,
    PRIVATE_KINDS,
    PUBLIC_FAMILIES,
    VALUES,
    Edition,
)

DEFAULT = "mebo-2019"
_FOLDER = Path(__file__).parent
_REQUIRED = (
    "name",
    "heights",
    "cards",
    "ground-floors",
    "upper-floors",
    "tokens",
)
_OPTIONAL = ("public-contracts", "private-contracts", "artificial")


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
    """Return the edition that a node describes. Raises InvalidFileError."""
    entries = node.mapping(_REQUIRED, _OPTIONAL)
    heights = entries["heights"].mapping(HOUSES, ())
    cards = entries["cards"].mapping([str(value) for value in VALUES], ())
    one, two, three = (cards[str(value)].number(most=40) for value in VALUES)
    tokens = entries["tokens"]
    values: list[int] = []
    for value, count in tokens.mapping().items():
        if not 1 <= whole_number(value) <= 9:
            tokens.keys[value].fail(
                f"The value of a VP token is a number from 1 to 9, not {shown(value)}."
            )
        values += [int(value)] * count.number(most=99)
    edition = Edition(
        name=entries["name"].title(),
        heights=bytes(heights[house].number(most=99) for house in HOUSES),
        cards_per_value=(one, two, three),
        ground_floors=entries["ground-floors"].number(most=99),
        upper_floors=entries["upper-floors"].number(most=99),
        tokens=bytes(sorted(values)),
        public=_public(entries.get("public-contracts")),
        private=_private(entries.get("private-contracts")),
        artificial="artificial" in entries and entries["artificial"].flag(),
    )
    faults = edition.faults()
    if faults:
        node.fail(f"This edition does not make a game: {' '.join(map(str, faults))}")
    return edition


def _public(node: Node | None) -> dict[str, int]:
    """Left out, the contracts are those of the default edition."""
    if node is None:
        return shipped(DEFAULT).public
    families = node.mapping((), PUBLIC_FAMILIES)
    return {
        family: families[family].number(most=99) for family in PUBLIC_FAMILIES if family in families
    }


def _private(node: Node | None) -> dict[str, tuple[int, ...]]:
    if node is None:
        return shipped(DEFAULT).private
    kinds = node.mapping((), PRIVATE_KINDS)
    scales = {}
    for kind in PRIVATE_KINDS:
        if kind in kinds:
            scale = kinds[kind]
            scales[kind] = tuple(vp.number(most=99) for vp in scale.items())
            if not scales[kind]:
                scale.fail(f"Under {shown(kind)} there should be at least one VP.")
    return scales


def edition_lines(edition: Edition) -> list[str]:
    """Return an edition as the lines of its file; :func:`edition_of_text` reads them back."""
    tokens = {value: edition.tokens.count(value) for value in sorted(set(edition.tokens))}
    lines = [
        f"name: {scalar(edition.name)}",
        "heights: " + flow({house: str(edition.heights[i]) for i, house in enumerate(HOUSES)}),
        "cards: " + flow({str(value): str(edition.cards_per_value[value - 1]) for value in VALUES}),
        f"ground-floors: {edition.ground_floors}",
        f"upper-floors: {edition.upper_floors}",
        "tokens: " + flow({str(value): str(count) for value, count in tokens.items()}),
        "public-contracts: " + flow({name: str(vp) for name, vp in edition.public.items()}),
        "private-contracts: "
        + flow({name: f"[{', '.join(map(str, vps))}]" for name, vps in edition.private.items()}),
    ]
    if edition.artificial:
        lines.append("artificial: true")
    return lines
