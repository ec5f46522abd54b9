"""The table as plain sentences, for screen readers: no boxes, no drawing, one thing a line."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.table import LATER, NEVER, NOW, Contract, House, Player, Table
from porto_cli.games.porto.ui import phrases

_CHANCES = {
    NOW: "It can be met this turn.",
    LATER: "It could still be met later.",
    NEVER: "It can no longer be met.",
}


def plain(table: Table) -> list[str]:
    """Return the table as lines of whole sentences."""
    lines = [table.title] if table.title else []
    lines.append(_joined(phrases.situation(table)))
    if table.last:
        lines.append(_joined([say("The last turn:"), *_last(table)]))
    for name, side in zip(_SIDES, table.sides, strict=True):
        lines.append(str(say(name)))
        lines += [_joined(_house(house)) for house in side]
    lines.append(str(_cards(table)))
    lines += [
        _joined(_contract(number, contract, table))
        for number, contract in enumerate(table.contracts, start=1)
    ]
    lines += [str(_player(player)) for player in table.players]
    for player in table.players:
        lines += _private(player, table)
    lines.append(str(phrases.decks(table)))
    if table.roofs_to_end:
        lines.append(_joined([say("Roofs:"), phrases.roofs(table)]))
    lines += [
        str(
            say(
                "Tiles left of {color}: {ground} ground floors, {upper} upper floors.",
                color=color,
                ground=ground,
                upper=upper,
            )
        )
        for color, (ground, upper) in table.tiles.items()
    ]
    if table.fingerprint:
        lines.append(str(say("Fingerprint: {fingerprint}", fingerprint=table.fingerprint)))
    return lines


_SIDES = (
    "The left side, from left to right:",
    "The right side, from left to right:",
)


def _joined(sentences: list[Sentence]) -> str:
    return " ".join(map(str, sentences))


def _last(table: Table) -> list[Sentence]:
    assert table.last is not None
    scored = phrases.scored(table.last)
    return [*phrases.told(table.last), *([scored] if scored else [])]


def _house(house: House) -> list[Sentence]:
    facts: dict[str, object] = {
        "house": house.name,
        "color": house.color,
        "floors": house.floors,
        "height": house.height,
    }
    if house.complete:
        found = [say("{house} is {color} and complete, with {height} floors.", **facts)]
    elif house.floors:
        found = [say("{house} is {color} and has {floors} of {height} floors.", **facts)]
    else:
        found = [say("{house} is empty and has room for {height} floors.", **facts)]
    if house.new_floors == 1:
        found.append(say("The last turn built its top floor."))
    elif house.new_floors:
        found.append(say("The last turn built its {count} top floors.", count=house.new_floors))
    if house.ground_token:
        found.append(
            say("On its ground floor space lies a token of {vp} VP.", vp=house.ground_token)
        )
    if house.roof_token:
        found.append(say("On its roof space lies a token of {vp} VP.", vp=house.roof_token))
    return found


def _cards(table: Table) -> Sentence:
    cards = ", ".join(
        str(say("{card} in space {space}", card=card, space=space))
        for space, card in enumerate(table.cards, start=1)
        if card
    )
    if not cards:
        return say("No construction cards lie face up.")
    return say("Face-up construction cards: {cards}.", cards=cards)


def _contract(number: int, contract: Contract | None, table: Table) -> list[Sentence]:
    if contract is None:
        return [say("The space {number} of the public contracts is empty.", number=number)]
    return [
        say(
            "Public contract {number}, {name}, {vp} VP:",
            number=number,
            name=contract.name,
            vp=contract.vp,
        ),
        phrases.public_contract(contract.name),
        *([] if table.phase == OVER else [say(_CHANCES[contract.chance])]),
    ]


def _player(player: Player) -> Sentence:
    facts: dict[str, object] = {
        "player": player.name,
        "vp": player.score,
        "count": player.fulfilled,
        "cards": ", ".join(player.hand),
    }
    if player.hand:
        return say(
            "{player} has {vp} VP, public contracts fulfilled: {count}, cards in hand: {cards}.",
            **facts,
        )
    return say("{player} has {vp} VP, public contracts fulfilled: {count}, no cards.", **facts)


def _private(player: Player, table: Table) -> list[str]:
    if not player.private:
        return []
    lines = [str(phrases.private_heading(player, table))]
    for number, contract in enumerate(player.private, start=1):
        meaning = phrases.private_contract(contract.name, contract.scale)
        facts = {"number": number, "name": contract.name, "meaning": meaning}
        if player.choosing:
            lines.append(str(say("{number}: {name}. {meaning}", **facts)))
        else:
            worth = phrases.worth_now(contract)
            lines.append(str(say("{name}. {meaning} {worth}", worth=worth, **facts)))
    return lines
