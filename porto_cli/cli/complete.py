"""What a shell offers when the Tab key is pressed: what the record and the rules allow now.

Each function returns the words that fit what has been typed so far, some with a line that
explains them. A record that cannot be read offers nothing; secrets are never offered but to a
player who is named with ``--as``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from porto_cli.core.printable import printable

if TYPE_CHECKING:
    from porto_cli.games.porto.engine.moves import Build, Draw
    from porto_cli.match.match import Match

Word = str | tuple[str, str]


def records(incomplete: str) -> list[str]:
    """Offer the records of the folder; where there are none a shell offers all files.

    Left out are names that are options in this place, and those that cannot be printed, which
    would fall apart on their way to the shell.
    """
    from porto_cli.match.record_files import SUFFIXES

    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = Path(folder + slash).iterdir()
        paths = sorted(path for path in entries if path.suffix in SUFFIXES)
    except OSError:
        return []
    words = {folder + slash + path.name: path for path in paths if path.name.startswith(start)}
    return [
        word
        for word, path in words.items()
        if not word.startswith("-") and printable(word) == word and os.path.isfile(path)
    ]


def players(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the players of the record, or of the game that is being set up."""
    match = _match(ctx)
    names = match.players if match else ctx.params.get("players") or ()
    return _beginning(incomplete, names)


def words_of_a_move(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the next word of the move that is typed behind a record."""
    match = _match(ctx)
    offer = _NEXT.get(str(ctx.info_name))
    return _beginning(incomplete, offer(match, ctx)) if match and offer else []


def _card_to_draw(match: Match, ctx: typer.Context) -> Iterable[Word]:
    """Offer the cards that can be drawn together with those that are there."""
    from porto_cli.core.errors import InvalidMoveError
    from porto_cli.games.porto.engine.moves import Draw

    try:
        typed = match.move(" ".join(["draw", *_words(ctx)]), _player(match, ctx))
    except InvalidMoveError:
        return []
    assert isinstance(typed, Draw)
    draws = [draw for draw in _moves(match, ctx) if isinstance(draw, Draw)]
    return _more_cards(match, typed, draws)


def _more_cards(match: Match, typed: Draw, draws: Iterable[Draw]) -> Iterator[str]:
    taken = set(typed.spaces)
    if typed.named:
        return
    for draw in draws:
        if taken < set(draw.spaces):
            words = match.text(draw).split()[1:]
            yield from (
                word for space, word in zip(draw.spaces, words, strict=True) if space not in taken
            )


def _word_of_a_build(match: Match, ctx: typer.Context) -> Iterable[Word]:
    """Offer the cards, the house, the word token with its house, and the word contract."""
    from porto_cli.games.porto.engine.components import CARDS, HOUSES, NOWHERE
    from porto_cli.games.porto.notation import TOKEN

    words = _words(ctx)
    if len(words) < 2:
        return (CARDS[(build.number, build.color)[len(words)]] for build in _builds(ctx))
    if len(words) == 2:
        return _houses(match, ctx)
    if "contract" in words:
        claimed = words[words.index("contract") + 1 :]
        return _claims(match, _met_by_builds(match, ctx), claimed)
    roofs = sorted({build.token for build in _builds(ctx)} - {NOWHERE})
    if words[3:] == [TOKEN]:
        return [HOUSES[house] for house in roofs]
    if roofs and len(words) == 3 and not ctx.params.get("token"):
        return [TOKEN]
    return ["contract"] if _met_by_builds(match, ctx) and not ctx.params.get("contract") else []


def _contract_to_claim(match: Match, ctx: typer.Context) -> Iterable[Word]:
    return _claims(match, match.state.claimable, _words(ctx))


def _contract_to_keep(match: Match, ctx: typer.Context) -> Iterable[Word]:
    """Offer the numbers of the deal; what they are is told only to a player named by --as."""
    from porto_cli.games.porto.notation import PRIVATE_NAMES

    typed = _words(ctx)
    state = match.state
    if not state.dealt:
        names = (PRIVATE_NAMES[contract] for contract in state.config.private_deck())
        return (name for name in names if name not in typed)
    dealt = state.dealt[match.seat(_player(match, ctx))]
    numbered = [(str(number), PRIVATE_NAMES[card]) for number, card in enumerate(dealt, start=1)]
    left = [(number, name) for number, name in numbered if number not in typed]
    return left if ctx.params.get("player") else [word for word, _ in left]


_NEXT = {
    "keep": _contract_to_keep,
    "draw": _card_to_draw,
    "build": _word_of_a_build,
    "contract": _contract_to_claim,
}
"""What offers the next word of a move, by its verb."""


def playable_cards(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the cards that can be drawn or played."""
    match = _match(ctx)
    if match is None:
        return []
    from porto_cli.games.porto.move_list import options

    found = options(match.state, match.seat(_player(match, ctx)))
    return _beginning(incomplete, (card for option in found for card in option.cards))


def houses(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the houses that can be built on, with what the build would score."""
    match = _match(ctx)
    return _beginning(incomplete, _houses(match, ctx)) if match else []


def _houses(match: Match, ctx: typer.Context) -> list[Word]:
    from porto_cli.core.message import say
    from porto_cli.games.porto.engine.components import HOUSES
    from porto_cli.games.porto.engine.events import Scored

    one_each = {build.house: build for build in reversed(list(_builds(ctx)))}
    words: list[Word] = []
    for house in sorted(one_each):
        events = match.preview(one_each[house], player=_player(match, ctx))
        vp = sum(event.vp for event in events if isinstance(event, Scored))
        floors, height = match.state.floors[house], match.state.config.heights[house]
        facts = say("{floors} of {height} floors, {vp} VP", floors=floors, height=height, vp=vp)
        words.append((HOUSES[house], str(facts)))
    return words


def roofs(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the houses whose roof can receive the token."""
    from porto_cli.games.porto.engine.components import HOUSES, NOWHERE

    tokens = {build.token for build in _builds(ctx)} - {NOWHERE}
    return _beginning(incomplete, (HOUSES[house] for house in sorted(tokens)))


def contracts_of_build(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the public contracts that the build would meet, and none."""
    match = _match(ctx)
    if match is None:
        return []
    typed = [word.lower() for text in ctx.params.get("contract") or () for word in _split(text)]
    return _beginning(incomplete, _claims(match, _met_by_builds(match, ctx), typed))


def _met_by_builds(match: Match, ctx: typer.Context) -> set[int]:
    from porto_cli.games.porto.engine.contracts import met_by, outcome

    state = match.state
    return {
        space for build in _builds(ctx) for space in met_by(outcome(state, build), state.contracts)
    }


def face_up_contracts(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the face-up public contracts."""
    match = _match(ctx)
    if match is None:
        return []
    from porto_cli.games.porto.engine.components import EMPTY
    from porto_cli.games.porto.notation import PUBLIC_NAMES

    names = [PUBLIC_NAMES[card] for card in match.state.contracts if card != EMPTY]
    return _beginning(incomplete, names)


def face_down_cards(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the construction cards that can still come up."""
    match = _match(ctx)
    if match is None:
        return []
    from porto_cli.games.porto.notation import card_names

    return _beginning(incomplete, card_names(match.state.deck + match.state.discards))


def face_down_contracts(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the public contracts that can still come up."""
    match = _match(ctx)
    if match is None:
        return []
    from porto_cli.games.porto.notation import PUBLIC_NAMES

    return _beginning(incomplete, (PUBLIC_NAMES[card] for card in match.state.contract_deck))


def fingerprint(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the fingerprint that the record has."""
    match = _match(ctx)
    return _beginning(incomplete, [match.fingerprint]) if match else []


def editions(incomplete: str) -> list[Word]:
    """Offer the editions that come with the program, and files."""
    from porto_cli.games.porto.editions import names

    return [*_beginning(incomplete, names()), *records(incomplete)]


def _match(ctx: typer.Context) -> Match | None:
    """Return the game of the record that was typed. Standard input is left alone."""
    from porto_cli.core.errors import FileError
    from porto_cli.core.files import STANDARD, expanded, is_worth_a_look
    from porto_cli.core.yaml import InvalidFileError
    from porto_cli.match.match import load
    from porto_cli.match.record_files import meant

    typed = ctx.params.get("file")
    if typed is None or str(typed) == STANDARD:
        return None
    path = meant(expanded(Path(typed)))
    if not is_worth_a_look(path):
        return None
    try:
        return load(path)
    except (InvalidFileError, FileError):
        return None


def _player(match: Match, ctx: typer.Context) -> str:
    """Return who moves: who is named by --as, else who is to move."""
    name = ctx.params.get("player")
    try:
        return match.players[match.seat(name)]
    except LookupError:
        return match.players[match.seat()]


def _moves(match: Match, ctx: typer.Context) -> list[object]:
    return list(match.legal_moves(_player(match, ctx)))


def _builds(ctx: typer.Context) -> Iterator[Build]:
    """Return the legal builds that have the cards, the house and the roof that are typed."""
    match = _match(ctx)
    if match is None:
        return
    from porto_cli.cli.ask import parts_of
    from porto_cli.core.errors import InvalidMoveError
    from porto_cli.games.porto.engine.moves import Build
    from porto_cli.games.porto.notation import parse_card, parse_house

    typed = parts_of(_words(ctx) if ctx.info_name == "build" else ())
    wanted = []
    for word, parse in (
        (typed.number, parse_card),
        (typed.color, parse_card),
        (typed.house, parse_house),
        (typed.token or ctx.params.get("token"), parse_house),
    ):
        try:
            wanted.append(parse(word) if word else None)
        except InvalidMoveError:
            return
    for build in _moves(match, ctx):
        if isinstance(build, Build):
            parts = (build.number, build.color, build.house, build.token)
            if all(want in (None, part) for want, part in zip(wanted, parts, strict=True)):
                yield build


def _claims(match: Match, spaces: Iterable[int], typed: Sequence[str]) -> list[Word]:
    from porto_cli.core.message import say
    from porto_cli.games.porto.notation import NONE, PUBLIC_NAMES

    state = match.state
    words: list[Word] = []
    for space in sorted(spaces):
        name = PUBLIC_NAMES[state.contracts[space]]
        if name not in typed:
            words.append(
                (name, str(say("{vp} VP", vp=state.config.public[state.contracts[space]])))
            )
    if not typed and words:
        words.append(NONE)
    return words


def _words(ctx: typer.Context) -> list[str]:
    """Return the words of a move that stand behind the record, without its verb."""
    words: list[str] = []
    for param in ctx.command.params:
        if param.param_type_name == "argument" and param.name != "file":
            typed = ctx.params.get(str(param.name)) or ()
            for text in [typed] if isinstance(typed, str) else typed:
                words += _split(text)
    words = [word.lower() for word in words]
    return words[1:] if words[:1] == [ctx.info_name] else words


def _split(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _beginning(incomplete: str, words: Iterable[Word]) -> list[Word]:
    """Return each word once, in order, that begins with what is typed, in upper or lower case.

    The beginning stays as it was typed, or shells would not take the word for its completion.
    """
    size = len(incomplete)
    fitting: list[Word] = []
    for word in dict.fromkeys(words):
        name, note = (word, "") if isinstance(word, str) else word
        if name[:size].casefold() == incomplete.casefold():
            name = incomplete + name[size:]
            fitting.append((name, note) if note else name)
    return fitting
