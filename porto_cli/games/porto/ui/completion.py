"""What can follow in a command: what the record and the rules allow now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.game_ui import Completion, Typed
from porto_cli.games.porto.engine.components import CARDS, EMPTY, HIDDEN, HOUSES, NOWHERE
from porto_cli.games.porto.engine.contracts import met_by, outcome
from porto_cli.games.porto.engine.events import Scored
from porto_cli.games.porto.engine.moves import Build, Draw
from porto_cli.games.porto.notation import (
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    TOKEN,
    card_names,
    parse_card,
    parse_house,
)
from porto_cli.games.porto.ui.command_words import parts_of
from porto_cli.match.match import Match

Offer = Callable[[Match, Typed], Iterable[Completion]]


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
    """Offer the numbers of the deal; what they are is told only to a player named by --as."""
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
    from porto_cli.games.porto.move_list import options

    return (card for option in options(match.state, typed.seat) for card in option.cards)


def _houses(match: Match, typed: Typed) -> list[Completion]:
    one_each = {build.house: build for build in reversed(list(_builds(match, typed)))}
    words: list[Completion] = []
    for house in sorted(one_each):
        events = match.preview(one_each[house], player=typed.seat)
        vp = sum(event.vp for event in events if isinstance(event, Scored))
        floors, height = match.state.floors[house], match.state.config.heights[house]
        facts = say("{floors} of {height} floors, {vp} VP", floors=floors, height=height, vp=vp)
        words.append((HOUSES[house], str(facts)))
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
            words.append(
                (name, str(say("{vp} VP", vp=state.config.public[state.contracts[space]])))
            )
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
