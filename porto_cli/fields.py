"""The fields of a position: one table per game, by which positions are read, compared with what a
scenario expects, and written.

The positions of a game are a module with the names of :class:`Positions`.
"""

# No ``from __future__ import annotations``, see porto_cli/seam.py.

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol

from porto_cli.core.chance import Chance, drawn, scripted_chance
from porto_cli.core.yaml import Node
from porto_cli.kinds import NONE, Kind, Plain, as_yaml, key_of, read_all, words

SEED = "scenario"
"""The seed of everything that a position leaves to chance."""
_RESERVED = "reserved"
"""A stream for things that should not come up yet."""
_WIDTH = 95


class Field(NamedTuple):
    """A key of a position: the kind of its value (:mod:`porto_cli.kinds`), and where it is found in
    a state.

    What is not in a state, such as what comes up next, has no ``find``. What follows from the rest
    is not ``given``: it can only be expected. Without the key a state has what is ``usual`` there,
    given all that comes before it; by default nothing. What is usual is not written.
    """

    kind: Kind
    find: Callable[[Any], Any] | None = None
    given: bool = True
    usual: Callable[[Any], Any] | None = None

    def of(self, state: Any) -> Plain:
        """Return the value in a state, as it is written."""
        assert self.find is not None
        return self.kind.write(self.find(state), state.config)

    def needed(self, state: Any) -> Plain | None:
        """Return the value in a state if a position has to name it."""
        if not self.given or self.find is None:
            return None
        if self.usual is None:
            return _something(self.of(state))
        return None if self.find(state) == self.usual(state) else self.of(state)


def unwritten(kind: Kind, find: Callable[[Any], Any]) -> Field:
    """Return a key that may be given, although the others tell enough."""
    return Field(kind, find, usual=find)


def always(state: Any) -> None:
    """Return that nothing is usual for a key, so it is always written."""


# -- Reading


class Given(dict[str, Any]):
    """The values of a position by keys; errors are raised at their places in the file."""

    def __init__(self, fields: Mapping[str, Field], node: Node, config: Any) -> None:
        kinds = {key: field.kind for key, field in fields.items() if field.given}
        super().__init__(read_all(kinds, node, config))
        self.node, self.fields = node, fields

    def or_usual(self, key: str, state: Any) -> Any:
        """Return the value of a key, or what is usual in the state so far."""
        usual = self.fields[key].usual
        return self[key] if key in self or usual is None else usual(state)

    def fail(self, key: str, why: str) -> NoReturn:
        """Raise InvalidFileError at a key, or at the position if the key is missing."""
        self.node.nearest(key).fail(why)

    def each(self, key: str, count: int, nothing: Any) -> tuple[Any, ...]:
        """Return what each of several numbered things has; ``nothing`` where none is named."""
        named = self.get(key, {})
        return tuple(named.get(nth, nothing) for nth in range(count))

    def refuse(self, broken: "Iterable[Broken]") -> None:
        """Raise InvalidFileError for the first broken law, if there is one."""
        for likeliest, why, *entry in broken:
            keys = likeliest.split()
            key = next((key for key in keys if key in self), keys[0])
            self.node.nearest(key, *entry).fail(f"{key}: {why}")

    def refuse_more_than(self, pile: bytes, coming: bytes, key: str, names: Sequence[str]) -> None:
        """Raise InvalidFileError if more of something should come up than a pile has."""
        for thing in coming:
            times, count = coming.count(thing), pile.count(thing)
            if times > count:
                self.fail(
                    key, f"More {names[thing]} come up ({times}) than are face down ({count})."
                )

    def position(
        self, state: Any, streams: Mapping[str, str], first: dict[str, int], *alike: str
    ) -> "Position":
        """Return a state with the chance for what follows.

        ``streams`` has for each stream of chance the key that says what comes up; ``first`` says
        how much of each came up before. For ``alike`` see scripted_chance().
        """
        coming = {stream: self.get(key, b"") for stream, key in streams.items()}
        return Position(
            state,
            scripted_chance(SEED, coming, first, alike),
            {stream: self.node.nearest(key) for stream, key in streams.items()},
        )


class Position(NamedTuple):
    """The start of a case: a state, the chance for what follows, and the source of both."""

    state: Any
    chance: Chance
    nodes: Mapping[str, Node]
    """The nodes that say what comes up, by the stream of chance."""
    replay: Any = None
    """The game that it is from, if it is from a record."""


Broken = tuple[str, str] | tuple[str, str, str]
"""A law of positions that a state breaks, so no game leads to it: the keys to blame, likeliest
first, separated by blanks; why; and optionally the entry below the key.
"""


def more_than_the_box(
    keys: str, things: str, have: int, needed: int, entry: str = ""
) -> "Iterator[Broken]":
    """Yield a broken law if a position needs more things than there are in this game."""
    if needed > have:
        why = f"This game has {have or 'no'} {things}, but this position needs {needed}."
        yield keys, why, entry


def turn_up(pile: bytes, count: int, stream: str, reserved: bytes = b"", start: int = 0) -> bytes:
    """Return what comes up where a position leaves it to chance, by the seed of all positions.

    What is ``reserved`` does not come up as long as there is anything else; ``start`` is the index
    of the first thing.
    """
    chance = scripted_chance(SEED, {_RESERVED: reserved}, {}, (stream, _RESERVED))
    return drawn(pile, count, stream, chance, start)[0]


# -- Comparing


class Difference(NamedTuple):
    """A difference between what was expected and what was found."""

    what: str
    expected: str
    actual: str


def compared(what: str, expected: Plain, actual: Plain) -> Iterator[Difference]:
    """Yield the difference between two values, if there is one."""
    if expected != actual:
        yield Difference(what, words(expected), words(actual))


def compared_fields(
    fields: Mapping[str, Field], expected: Mapping[str, Any], state: Any
) -> Iterator[Difference]:
    """Yield where a state differs from the expected values of some keys. In mappings only the named
    entries are compared.
    """
    for key, wanted in expected.items():
        kind, find = fields[key].kind, fields[key].find
        assert find is not None
        found = find(state)
        if isinstance(wanted, dict):
            actual = {named: found[named] for named in wanted if named in found}
            written, has = kind.write(wanted, state.config), kind.write(actual, state.config)
            assert isinstance(written, dict)
            assert isinstance(has, dict)
            for (named, value), (entry, text) in zip(wanted.items(), written.items(), strict=True):
                if value != found.get(named):
                    is_ = words(has.get(entry, NONE), "[]")
                    yield Difference(f"{key} {entry}", words(text, "[]"), is_)
        elif wanted != found and not (isinstance(wanted, tuple) and {*wanted} == {*found}):
            should_be, is_ = (words(kind.write(one, state.config)) for one in (wanted, found))
            yield Difference(key, should_be, is_)


# -- Writing


def described(
    fields: Mapping[str, Field], state: Any, own: Mapping[str, Plain | None]
) -> dict[str, Plain]:
    """Return the keys of a position from which a state can be read back.

    ``own`` replaces the values of some keys; ``None`` leaves a key out.
    """
    found = {key: own[key] if key in own else field.needed(state) for key, field in fields.items()}
    return {key: plain for key, plain in found.items() if plain is not None}


def _something(plain: Plain) -> Plain | None:
    """Return a value without empty entries of mappings, if it is not empty itself."""
    if isinstance(plain, dict):
        plain = {name: inner for name, inner in plain.items() if _something(inner) is not None}
    return None if plain in (NONE, 0, (), {}) else plain


def entry_lines(key: str, plain: Plain) -> list[str]:
    """Return a key with its value as lines of YAML, long lists broken between their items."""
    if isinstance(plain, dict):
        items, (start, end) = (
            [f"{key_of(one)}: {as_yaml(inner)}" for one, inner in plain.items()],
            "{}",
        )
    elif isinstance(plain, tuple):
        items, (start, end) = list(map(as_yaml, plain)), "[]"
    else:
        return [f"{key}: {as_yaml(plain)}"]
    lines = [f"{key}: {start}{items[0] if items else ''}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 3 > _WIDTH:
            lines[-1] += ","
            lines.append(f"  {item}")
        else:
            lines[-1] += f", {item}"
    lines[-1] += end
    return lines


def unusual_lines(options: Mapping[str, Plain], usual: Mapping[str, Plain]) -> list[str]:
    """Return the lines of those options that differ from the usual ones."""
    found = {key: one for key, one in options.items() if one != usual[key]}
    return entry_lines("options", found) if found else []


def lines_of(keys: Mapping[str, Plain]) -> list[str]:
    """Return keys with their values as lines of YAML."""
    return [line for key, plain in keys.items() for line in entry_lines(key, plain)]


# -- What a game has


Answers = Iterator[Difference | str]
"""Differences, and remarks that are shown in any case."""
Expectation = Callable[[Any, Sequence[Any]], Answers]
"""Compares what a case expects with a state and the events that led to it."""


class Positions(Protocol):
    """The positions of a game, and what can be asked of them."""

    @property
    def FIELDS(self) -> Mapping[str, Field]:  # noqa: N802 - a constant of a module
        """All keys of a position, in the order in which they are written."""

    @property
    def EXPECTATIONS(self) -> Mapping[str, Callable[[Node, Any], Expectation]]:  # noqa: N802
        """Which of ``scores``, ``earns`` and ``reckon`` a case can have, and how each is read.

        Reading raises InvalidFileError, as does evaluating what cannot be asked there.
        """

    def read_position(self, node: Node, config: Any, *, unchecked: bool) -> Position:
        """Return the position of a node. Raises InvalidFileError, unless ``unchecked`` also for one
        that no game could lead to.
        """

    def without_secrets(self, state: Any) -> Any:
        """Return a state that a scenario can start from, without what only one player knows."""

    def header_lines(self, config: Any) -> list[str]:
        """Return the lines between ``players`` and ``position``."""

    def describe_position(self, state: Any, events: Sequence[Any]) -> dict[str, Plain]:
        """Return the keys under ``position`` for a state without secrets, in which what ``events``
        say comes up next.
        """

    def consequences(self, step: Any) -> dict[str, Plain]:
        """Return the keys of a case about what a step scored and led to."""
