"""The words of a command: as moves, and what can follow them.

What is missing of a move is asked for, or named; completion offers what the record and the rules
allow now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from porto_cli.commands import Command
from porto_cli.core.characters import command
from porto_cli.core.message import (
    InvalidMoveError,
    refuse,
    unnamed,
    usage,
    whole_number,
)
from porto_cli.games.porto.engine.components import CARDS, EMPTY, HIDDEN, HOUSES, NOWHERE
from porto_cli.games.porto.engine.legal_moves import builds_with_parts, may_keep, suggestions
from porto_cli.games.porto.engine.moves import CLAIM_NONE, KEEPS, Build, Draw, Move, Scored, draw_of
from porto_cli.games.porto.engine.scoring import met_by, outcome
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER, State
from porto_cli.games.porto.notation import (
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    TOKEN,
    card_names,
    parse_card,
    parse_house,
)
from porto_cli.match.replay import path_of
from porto_cli.user_ui import commands

if TYPE_CHECKING:
    from porto_cli.games.porto.options import Option
    from porto_cli.match.match import Match
    from porto_cli.ui_values import Completion, Typed

    Offer = Callable[[Match, Typed], Iterable[Completion]]

CONTRACT = "contract"


class Parts(NamedTuple):
    """The words of a build, as far as they were typed."""

    number: str | None
    color: str | None
    house: str | None
    token: str | None


def parts_of(words: Sequence[str]) -> Parts:
    """Return the parts of a build that may be incomplete: cards, house, ``token``, its roof."""

    def part(nth: int) -> str | None:
        return words[nth] if nth < len(words) else None

    return Parts(part(0), part(1), part(2), part(4) if _names_a_token(words) else None)


def _names_a_token(words: Sequence[str]) -> bool:
    return len(words) > 3 and words[3].lower() == TOKEN


def read_command(typed: Command) -> tuple[int, list[str]]:
    """Return whose move it is, and the moves: a build, and maybe the public contracts with it."""
    if typed.verb == "keep" and typed.seat is None:
        typed = _with_who_keeps(typed)
    readers = {"keep": _keep, "draw": _draw, "build": _build, CONTRACT: _claim}
    reader = readers.get(typed.verb)
    return typed.mover, reader(typed) if reader else [" ".join([typed.verb, *typed.words])]


def _draw(typed: Command) -> list[str]:
    """Return the draw that is typed, or that a player chooses if nothing is."""
    if typed.words:
        row = typed.match.state.cards
        return [" ".join(["draw", *(_card_in_space(word, row) for word in typed.words)])]
    if not typed.asker:
        missing = "Something is missing: the cards to draw, like: blue-1 red-2."
        _say_what_is_missing(typed, missing, suggestions(typed.match.state, Draw(()), typed.mover))
    found = _options(typed)
    if not found:
        refuse("There is no card to draw.")
    from porto_cli.games.porto.ui import turn_prompts

    return [turn_prompts.draw(typed.asker(), found)]


def by_name(words: Sequence[str], state: State) -> list[str]:
    """Return a draw, or a choice of public contracts, by names instead of spaces; other moves as
    they are, also where nothing lies in a space, or names and spaces are mixed.
    """
    verb, *rest = words
    rows = {"draw": (state.cards, CARDS), CONTRACT: (state.contracts, PUBLIC_NAMES)}
    row, names = rows.get(verb, (b"", ()))
    spaces = [whole_number(word) - 1 for word in rest]
    if not all(0 <= space < len(row) and row[space] != EMPTY for space in spaces):
        return list(words)
    if verb == "draw":
        return [verb, *(_card_in_space(word, row) for word in rest)]
    return [verb, *(names[row[space]] for space in spaces)]


def _card_in_space(word: str, row: bytes) -> str:
    """Return the face-up card of a number that is typed; any other word as it is."""
    space = whole_number(word)
    if space < 0:
        return word
    if not 1 <= space <= len(row) or row[space - 1] == EMPTY:
        usage(f"No card lies in space {space} of the row.")
    return f"{CARDS[row[space - 1]]}@{space}"


def _build(typed: Command) -> list[str]:
    """Return the build that is typed, or that a player chooses where something is missing.

    A player is also asked for the public contracts that it could fulfill. A build that is typed in
    full is returned as it is, for the rules to judge, unless it leaves a choice open that the
    rules demand.
    """
    words, claim = _with_options(typed)
    parts = parts_of(words)
    whole = [" ".join(["build", *words]), *claim]
    missing = _missing_of(parts, words)
    ask_claim = not claim and not typed.dry_run
    if missing:
        if not typed.asker:
            _say_what_is_missing(typed, missing, _builds_with(typed, parts))
    elif not typed.asker or _says_all(typed, whole[0], claim=ask_claim):
        return whole
    from porto_cli.games.porto.ui import turn_prompts
    from porto_cli.games.porto.ui.turn_prompts import fitting

    found = fitting(
        _options(typed),
        number=parts.number and CARDS[parse_card(parts.number)],
        color=parts.color and CARDS[parse_card(parts.color)],
        house=parts.house and HOUSES[parse_house(parts.house)],
        token=parts.token and HOUSES[parse_house(parts.token)],
    )
    if not found and not missing:
        return whole
    if not found:
        named = " ".join(part for part in parts if part) or "this hand"
        refuse(
            f"No build with {named} is legal now.",
            suggestions=commands(typed.match.replay, _builds_with(typed, parts), typed.mover),
        )
    asked = turn_prompts.build(typed.asker(), typed.match.state, found, claim=ask_claim)
    return [*asked, *claim]


def _with_options(typed: Command) -> tuple[list[str], list[str]]:
    """Return the words of a build, and its claim as a move, from words and options."""
    words, claim = typed.words, None
    token, contracts = typed.options.get("token"), typed.options.get(CONTRACT)
    lower = [word.lower() for word in words]
    if CONTRACT in lower:
        end = lower.index(CONTRACT)
        words, claim = words[:end], words[end + 1 :]
    if token is not None:
        if len(words) > 3:
            usage("The house for the token is named twice: leave out --token or the word.")
        words = [*words, TOKEN, token]
    if contracts:
        if claim is not None:
            usage("The contracts are named twice: leave out --contract or the word.")
        claim = [word for text in contracts for word in text.replace(",", " ").split()]
    return words, [] if claim is None else [" ".join([CONTRACT, *claim])]


def _claim(typed: Command) -> list[str]:
    """Return the claim that is typed, or that a player chooses if nothing is."""
    if typed.words:
        return [" ".join([CONTRACT, *typed.words])]
    if not typed.asker:
        missing = "Something is missing: the public contracts to fulfill, or none."
        _say_what_is_missing(
            typed, missing, suggestions(typed.match.state, CLAIM_NONE, typed.mover)
        )
    found = _options(typed)
    from porto_cli.games.porto.ui import turn_prompts

    met = max((option.contracts for option in found), key=len)
    return [turn_prompts.contracts(typed.asker(), met)]


def _keep(typed: Command) -> list[str]:
    """Return what is typed to be kept, or which private contracts a player chooses to keep."""
    if typed.words:
        return [" ".join(["keep", *typed.words])]
    state = typed.match.state
    if not typed.asker:
        missing = (
            "Something is missing: the three private contracts to keep, like: 1 2 5."
            if state.dealt and not state.is_revealing
            else (
                "Something is missing: the names of the three private contracts to keep, "
                "like: palette side ends-blue."
            )
        )
        _say_what_is_missing(typed, missing, suggestions(state, KEEPS[0], typed.mover))
    _demand_the_time(typed)
    from porto_cli.games.porto.ui import turn_prompts

    return [turn_prompts.keep(typed.asker(), state, typed.mover)]


def _with_who_keeps(typed: Command) -> Command:
    """Say who keeps private contracts, so that no one chooses for another player by mistake."""
    match = typed.match
    able = [name for seat, name in enumerate(match.players) if may_keep(match.state, seat)]
    if not able or len(match.players) == 1:
        return typed
    if not typed.asker:
        by_number = match.state.dealt and not match.state.is_revealing
        move = " ".join(["keep", *(typed.words or ("123" if by_number else ["NAME"] * 3))])
        unnamed(
            "Who keeps these contracts? Say it with --as; these players still can: "
            f"{', '.join(able)}.",
            suggestions=[command(move, path_of(match.replay), name) for name in able],
        )
    from porto_cli.term.prompt import which_player

    return typed._replace(seat=match.seat(which_player(typed.asker(), able, ("P-SETUP-5",))))


def _say_what_is_missing(typed: Command, sentence: str, legal: Sequence[Move]) -> NoReturn:
    """End with exit code 2, or with 1 if it is not the time for any move of this kind."""
    _demand_the_time(typed)
    usage(sentence, suggestions=commands(typed.match.replay, legal, typed.mover))


def _missing_of(parts: Parts, words: Sequence[str]) -> str | None:
    """Say what a build lacks that has to be said."""
    if not parts.number:
        return (
            "Something is missing: the card for the number of floors, the card for their "
            "color and the house, like: red-3 blue-1 L4."
        )
    if not parts.color:
        return "Something is missing: the card for their color and the house, like: blue-1 L4."
    if not parts.house:
        return "Something is missing: the house, like: L4."
    if _names_a_token(words) and not parts.token:
        return "Something is missing: the house whose roof receives the token, like: L6."
    return None


def _builds_with(typed: Command, parts: Parts) -> list[Move]:
    """Return a few legal builds with these parts. Raises InvalidMoveError."""
    return builds_with_parts(
        typed.match.state,
        typed.mover,
        number=parse_card(parts.number) if parts.number else None,
        color=parse_card(parts.color) if parts.color else None,
        house=parse_house(parts.house) if parts.house else None,
        token=parse_house(parts.token) if parts.token else None,
    )


def _says_all(typed: Command, text: str, *, claim: bool) -> bool:
    """Return whether a build that is typed in full leaves nothing to choose."""
    match, player = typed.match, typed.match.players[typed.mover]
    state = match.state
    move = match.move(text, player)
    if not isinstance(move, Build) or match.check(move, player):
        return False
    meets = state.phase == ACT and bool(met_by(outcome(state, move), state.contracts))
    return not (claim and meets)


def _options(typed: Command) -> list[Option]:
    """Return the legal moves of a kind; exits with 1 if it is not the time for any of them."""
    from porto_cli.games.porto.options import options

    _demand_the_time(typed)
    found = options(typed.match.state, typed.mover)
    return [option for option in found if option.kind == typed.verb]


def _demand_the_time(typed: Command) -> None:
    """Refuse what no move of this kind could be legal for, whatever it says (exit code 1)."""
    match, seat = typed.match, typed.mover
    state = match.state
    example, phases = _WHEN[typed.verb]
    if typed.verb == "keep":
        known = bool(state.dealt) and not state.is_revealing
        refused = known and bool(match.check(example, match.players[seat]))
    else:
        refused = seat != state.seat or state.phase not in phases
    if refused:
        refuse(
            *match.check(example, match.players[seat]),
            suggestions=commands(match.replay, suggestions(state, example, seat), seat),
        )


_WHEN: dict[str, tuple[Move, tuple[str, ...]]] = {
    "draw": (draw_of((0,)), (ACT,)),
    "build": (Build(0, 0, 0), (ACT, TIMER)),
    CONTRACT: (CLAIM_NONE, (CONTRACTS,)),
    "keep": (KEEPS[0], ()),
}
"""A move of each kind, and the phases in which one of its kind can be legal."""


def complete(what: str, typed: Typed) -> Iterable[Completion]:
    """Return the next word of a verb's move, or the values of a kind of option."""
    if what == "editions":
        from porto_cli.games.porto.editions import names

        return names()
    if typed.match is None or what not in _OFFERS:
        return ()
    return _OFFERS[what](typed.match, typed)


def _card_to_draw(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the cards that can be drawn together with those that are there."""
    move = match.move(" ".join(["draw", *typed.words]), typed.seat)
    assert isinstance(move, Draw)
    draws = [draw for draw in match.legal_moves(typed.seat) if isinstance(draw, Draw)]
    return _more_cards(match, move, draws)


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


def _word_of_a_build(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the cards, the house, the word token with its house, and the word contract."""
    words = typed.words
    if len(words) < 2:
        builds = _builds(match, typed)
        return (CARDS[(build.number, build.color)[len(words)]] for build in builds)
    if len(words) == 2:
        return _houses(match, typed)
    if "contract" in words:
        claimed = words[words.index("contract") + 1 :]
        return _claims(match, _met_by_builds(match, typed), claimed)
    roofs = list(_roofs(match, typed))
    if words[3:] == [TOKEN]:
        return roofs
    if roofs and len(words) == 3 and not typed.options.get("token"):
        return [TOKEN]
    is_claimed = bool(typed.options.get("contract"))
    return ["contract"] if _met_by_builds(match, typed) and not is_claimed else []


def _contract_to_claim(match: Match, typed: Typed) -> Iterable[Completion]:
    return _claims(match, match.state.claimable, typed.words)


def _contract_to_keep(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the numbers of the deal; what they are is shown only to a player named by --as."""
    state = match.state
    if not state.dealt or state.is_revealing:
        names = (PRIVATE_NAMES[contract] for contract in state.config.private_deck())
        return (name for name in names if name not in typed.words)
    if HIDDEN in state.dealt[typed.seat]:
        return []
    numbered = [
        (str(number), PRIVATE_NAMES[card])
        for number, card in enumerate(state.dealt[typed.seat], start=1)
    ]
    left = [(number, name) for number, name in numbered if number not in typed.words]
    return left if typed.named else [number for number, _ in left]


def _playable_cards(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the cards that can be drawn or played."""
    from porto_cli.games.porto.options import options

    return (card for option in options(match.state, typed.seat) for card in option.cards)


def _houses(match: Match, typed: Typed) -> list[Completion]:
    one_each = {build.house: build for build in reversed(list(_builds(match, typed)))}
    words: list[Completion] = []
    for house in sorted(one_each):
        events = match.preview(one_each[house], player=typed.seat)
        vp = sum(event.vp for event in events if isinstance(event, Scored))
        floors, height = match.state.floors[house], match.state.config.heights[house]
        facts = f"{floors} of {height} floors, {vp} VP"
        words.append((HOUSES[house], facts))
    return words


def _roofs(match: Match, typed: Typed) -> Iterable[str]:
    """Offer the houses whose roof can receive the token."""
    tokens = {build.token for build in _builds(match, typed)} - {NOWHERE}
    return (HOUSES[house] for house in sorted(tokens))


def _contracts_of_build(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the public contracts that the build would meet, and none."""
    claimed = " ".join(typed.options.get("contract") or ()).lower().replace(",", " ").split()
    return _claims(match, _met_by_builds(match, typed), claimed)


def _met_by_builds(match: Match, typed: Typed) -> set[int]:
    state = match.state
    return {
        space
        for build in _builds(match, typed)
        for space in met_by(outcome(state, build), state.contracts)
    }


def _face_up_contracts(match: Match, typed: Typed) -> Iterable[Completion]:
    return (PUBLIC_NAMES[card] for card in match.state.contracts if card != EMPTY)


def _face_down_cards(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the construction cards that can still come up."""
    return card_names(match.state.deck + match.state.discards)


def _face_down_contracts(match: Match, typed: Typed) -> Iterable[Completion]:
    """Offer the public contracts that can still come up."""
    return (PUBLIC_NAMES[card] for card in match.state.contract_deck)


def _builds(match: Match, typed: Typed) -> Iterator[Build]:
    """Return the legal builds that have the cards, the house and the roof that are typed."""
    parts = parts_of(typed.words if typed.verb == "build" else ())
    token = parts.token or typed.options.get("token")
    wanted = []
    for word, parse in (
        (parts.number, parse_card),
        (parts.color, parse_card),
        (parts.house, parse_house),
        (token, parse_house),
    ):
        try:
            wanted.append(parse(word) if word else None)
        except InvalidMoveError:
            return
    for build in match.legal_moves(typed.seat):
        if isinstance(build, Build):
            found = (build.number, build.color, build.house, build.token)
            if all(want in (None, part) for want, part in zip(wanted, found, strict=True)):
                yield build


def _claims(match: Match, spaces: Iterable[int], claimed: Sequence[str]) -> list[Completion]:
    state = match.state
    words: list[Completion] = []
    for space in sorted(spaces):
        name = PUBLIC_NAMES[state.contracts[space]]
        if name not in claimed:
            words.append((name, f"{state.config.public[state.contracts[space]]} VP"))
    if not claimed and words:
        words.append(NONE)
    return words


_OFFERS: dict[str, Offer] = {
    "keep": _contract_to_keep,
    "draw": _card_to_draw,
    "build": _word_of_a_build,
    "contract": _contract_to_claim,
    "playable-cards": _playable_cards,
    "houses": _houses,
    "roofs": _roofs,
    "contracts-of-build": _contracts_of_build,
    "face-up-contracts": _face_up_contracts,
    "face-down-cards": _face_down_cards,
    "face-down-contracts": _face_down_contracts,
}
"""What offers the next word of a verb, and the values of options."""
