"""Editions: the component data of a box, from YAML files here or anywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.core.files import name_of, read_text
from porto_cli.core.message import say, whole_number
from porto_cli.core.yaml import InvalidFileError, Mapping, Node, Place, Reader, flow, read, scalar
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
    return edition_of_node(read(text, file), Reader(file))


def edition_of_node(node: Mapping, reader: Reader) -> Edition:
    """Return the edition that a node describes. Raises InvalidFileError."""
    reader.keys(node, _REQUIRED, _OPTIONAL)
    entries = node.entries
    heights = reader.mapping(entries["heights"], "heights")
    reader.keys(heights, HOUSES)
    cards = reader.mapping(entries["cards"], "cards")
    reader.keys(cards, [str(value) for value in VALUES])
    one, two, three = (
        reader.number(cards.entries[str(value)], "cards", most=40) for value in VALUES
    )
    tokens = reader.mapping(entries["tokens"], "tokens")
    values: list[int] = []
    for value, count in tokens.entries.items():
        if not 1 <= whole_number(value) <= 9:
            reader.fail(
                tokens.keys[value],
                say("The value of a VP token is a number from 1 to 9, not {value!r}.", value=value),
            )
        values += [int(value)] * reader.number(count, "tokens", most=99)
    edition = Edition(
        name=reader.title(entries["name"], "name"),
        heights=bytes(reader.number(heights.entries[house], house, most=99) for house in HOUSES),
        cards_per_value=(one, two, three),
        ground_floors=reader.number(entries["ground-floors"], "ground-floors", most=99),
        upper_floors=reader.number(entries["upper-floors"], "upper-floors", most=99),
        tokens=bytes(sorted(values)),
        public=_public(entries.get("public-contracts"), reader),
        private=_private(entries.get("private-contracts"), reader),
        artificial="artificial" in entries and reader.flag(entries["artificial"], "artificial"),
    )
    faults = edition.faults()
    if faults:
        raise InvalidFileError(
            Place(reader.file, node.line, node.column),
            say(
                "This edition does not make a game: {faults}",
                faults=" ".join(map(str, faults)),
            ),
        )
    return edition


def _public(node: Node | None, reader: Reader) -> dict[str, int]:
    """Left out, the contracts are those of the default edition."""
    if node is None:
        return shipped(DEFAULT).public
    families = reader.mapping(node, "public-contracts")
    reader.keys(families, (), PUBLIC_FAMILIES)
    return {
        family: reader.number(families.entries[family], family, most=99)
        for family in PUBLIC_FAMILIES
        if family in families.entries
    }


def _private(node: Node | None, reader: Reader) -> dict[str, tuple[int, ...]]:
    if node is None:
        return shipped(DEFAULT).private
    kinds = reader.mapping(node, "private-contracts")
    reader.keys(kinds, (), PRIVATE_KINDS)
    scales = {}
    for kind in PRIVATE_KINDS:
        if kind in kinds.entries:
            scale = reader.sequence(kinds.entries[kind], kind)
            scales[kind] = tuple(reader.number(vp, kind, most=99) for vp in scale.items)
            if not scales[kind]:
                reader.fail(
                    scale, say("Under {kind!r} there should be at least one VP.", kind=kind)
                )
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
