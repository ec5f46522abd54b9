"""What is shown of a table, thing by thing, and put together for each medium."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.observation import LATER, NEVER, NOW, Contract, House, Player, Table
from porto_cli.games.porto.ui import houses, phrases
from porto_cli.games.porto.ui.houses import PAINTS, ROOF, TO_BE_MET, Size, chip
from porto_cli.paper.document import (
    BOLD,
    DIM,
    MAIL,
    PLAIN,
    SCREEN,
    Block,
    Chunk,
    Columns,
    Document,
    Drawing,
    Fitted,
    Flow,
    Gap,
    Grid,
    Heading,
    Items,
    Node,
    Paragraph,
    joined_text,
)
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cells, cut, padded

MARGIN = 1
PANEL = 40
"""Columns that the panel beside the houses needs."""
ROOMY = 72
"""Columns from which on headings stand at the left instead of above."""
WIDE = 160
"""Columns from which on floors are two rows high."""
SMALLEST_CELL, LARGEST_CELL = 6, 14
GOOD_CELL = 10
"""Columns of a house for which the panel is worth having."""
LONGEST_CONTRACT = 16
"""Columns of the longest public contract."""
LEAST_TRACK = 60
"""VP at the end of the score track, unless somebody has more."""
SHORTEST_TRACK, LONGEST_TRACK = 16, 61
"""Columns of the score track."""
SIGNS = {NOW: "●", LATER: "○", NEVER: "×"}
"""When a public contract can be met."""
TURN = "▸"
"""The mark in front of the player to move."""


def table_document(table: Table, medium: str) -> Document:
    """Return the table for a screen, in sentences, or for a mail; for a page see :mod:`.pages`."""
    if medium == SCREEN:
        return _on_screen(table)
    if medium == MAIL:
        return Document(table.title, [*situation(table), *_in_mail(table)])
    return Document(table.title, [*_in_sentences(table)])


def _on_screen(table: Table) -> Document:
    code = say("fingerprint {fingerprint}", fingerprint=table.fingerprint)
    heading = Heading(table.title or phrases.GAME, 1, code if table.fingerprint else "")
    arranged = Fitted(lambda screen: _arranged(table, screen))
    return Document(table.title, [heading, *situation(table), Gap(), arranged], MARGIN)


def _arranged(table: Table, screen: Screen) -> list[Node]:
    """Arrange the table for a width.

    On a wide screen everything is beside the houses, on a middling one the contracts and
    the scores do, on a narrow one all follows below.
    """
    width = screen.width
    most = max(len(side) for side in table.sides)
    floor = 2 if width + 2 * MARGIN >= WIDE else 1
    cell = (width - PANEL) // most
    beside_houses = cell >= GOOD_CELL
    size = Size(_even(cell if beside_houses else width // most), floor)
    left = size.cell * most + 2
    street = Drawing(lambda screen: _street(table, size, screen.ascii))
    rest = [hands(table), *private(table), *_piles(table), *last_turn(table)]
    if not beside_houses:
        return [street, Gap(), *cards(table), contracts(table), _scores(table), *rest]
    if width - left >= ROOMY:
        panel = [*cards(table), contracts(table), _scores(table), *rest]
        return [Columns([street], panel, left)]
    panel = [contracts(table), Gap(), _scores(table)]
    return [Columns([street], panel, left), Gap(), *cards(table), *rest]


def _in_sentences(table: Table) -> Iterator[Node]:
    if table.title:
        yield Heading(table.title, 1)
    yield Paragraph(phrases.situation(table))
    yield from last_turn(table)
    yield from sides(table)
    yield from cards(table)
    yield contracts(table)
    yield players(table)
    yield from private(table)
    yield supplies(table)
    if table.fingerprint:
        yield Paragraph([say("Fingerprint: {fingerprint}", fingerprint=table.fingerprint)])


def _in_mail(table: Table) -> Iterator[Node]:
    yield from (Drawing(cells=partial(houses.cells, side)) for side in table.sides)
    legend = say(
        "A letter is a floor of that color, ▲ a roof, a number a token worth that many VP, · "
        "an empty space."
    )
    yield Paragraph([legend], DIM)
    yield from cards(table)
    yield contracts(table)
    yield players(table)
    yield from private(table)
    yield supplies(table)


def _even(cell: int) -> int:
    return max(SMALLEST_CELL, min(LARGEST_CELL, cell) // 2 * 2)


def _street(table: Table, size: Size, ascii_only: bool) -> list[Line]:
    left, right = (houses.fronts(side, size, ascii_only) for side in table.sides)
    water = houses.river(size.cell * max(map(len, table.sides)) - 1, ascii_only)
    return [*left, [], *right, water]


def situation(table: Table) -> list[Node]:
    """Return whose turn it is, how long the game will be, and what is sealed."""
    return [Paragraph([sentence], BOLD) for sentence in phrases.situation(table)]


def last_turn(table: Table) -> list[Node]:
    """Return what happened last; on a screen the houses show it with a dotted outline."""
    if table.last is None:
        return []
    scored = phrases.scored(table.last)
    spoken = [*phrases.turn_sentences(table.last), *([scored] if scored else [])]
    return [
        Block(
            say("Last turn"),
            [Paragraph(spoken)],
            page=[Items([Paragraph([sentence]) for sentence in spoken])],
            spoken=[joined_text([say("The last turn:"), *spoken])],
        )
    ]


def sides(table: Table) -> list[Node]:
    """Return the houses of each side as a table, with what the last turn has built."""
    left = Block(say("Left side"), [_side(table.sides[0])], spoken=_LEFT)
    right = Block(say("Right side"), [_side(table.sides[1])], spoken=_RIGHT)
    found = []
    for block, side in ((left, table.sides[0]), (right, table.sides[1])):
        spoken = [joined_text(_house(house)) for house in side]
        found.append(replace(block, spoken=[*(block.spoken or ()), *spoken]))
    return [*found]


_LEFT = (say("The left side, from left to right:"),)
_RIGHT = (say("The right side, from left to right:"),)


def _side(side: tuple[House, ...]) -> Grid:
    return Grid(
        ["house", "color", "floors", "ground space", "roof space"],
        [
            [
                [house.name],
                [chip(house.color) if house.color else "empty"],
                [say("{floors} of {height}", floors=house.floors, height=house.height)],
                [_token(house.ground_token)],
                ["roof" if house.complete else _token(house.roof_token)],
            ]
            for house in side
        ],
    )


def _token(value: int | None) -> Sentence | str:
    return say("{vp} VP", vp=value) if value else "–"


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


def cards(table: Table) -> list[Node]:
    """Return the face-up cards, and those that the solo timer has turned up."""
    chunks: list[Chunk] = [
        [(f"{space} ", DIM), chip(card) if card else (say("empty"), DIM)]
        for space, card in enumerate(table.cards, start=1)
    ]
    heading = say("Construction cards")
    spoken = [_face_up(table)]
    found: list[Node] = [Block(say("Cards"), [Flow(chunks)], spoken=spoken, heading=heading)]
    if table.turned:
        turned = Flow([[chip(card)] for card in table.turned])
        found.append(Block(say("Timer"), [turned], spoken=[]))
    return found


def _face_up(table: Table) -> Sentence:
    face_up = ", ".join(
        str(say("{card} in space {space}", card=card, space=space))
        for space, card in enumerate(table.cards, start=1)
        if card
    )
    if not face_up:
        return say("No construction cards lie face up.")
    return say("Face-up construction cards: {cards}.", cards=face_up)


def contracts(table: Table) -> Block:
    """Return the public contracts, and whether they can be met."""
    grid = Grid(
        [say("contract"), say("VP"), say("asks to"), say("can be met")],
        [
            [
                [f"{space} {contract.name}"],
                [str(contract.vp)],
                [phrases.public_contract(contract.name)],
                [phrases.CHANCES[contract.chance]],
            ]
            if contract
            else [[f"{space} ", say("empty")], [], [], []]
            for space, contract in enumerate(table.contracts, start=1)
        ],
        numbers=(1,),
    )
    spoken = [
        joined_text(_contract(number, contract, table))
        for number, contract in enumerate(table.contracts, start=1)
    ]
    fitted = Fitted(lambda screen: [*_contract_rows(table, screen.width)])
    heading = say("Public contracts")
    return Block(say("Contracts"), [fitted], page=[grid], spoken=spoken, heading=heading)


def _contract_rows(table: Table, width: int) -> Iterator[Node]:
    """Yield a line for each contract; what it asks for is below if there is no room."""
    for space, contract in enumerate(table.contracts, start=1):
        if contract is None:
            yield Flow([[(f"{space}   ", DIM), (say("empty"), DIM)]])
            continue
        never = contract.chance == NEVER
        head: Chunk = [
            (f"{space} ", DIM),
            (f"{SIGNS[contract.chance]} ", TO_BE_MET if contract.chance == NOW else _soft(never)),
            (contract.name.ljust(LONGEST_CONTRACT), DIM if never else BOLD),
            f"{contract.vp} VP ",
        ]
        meaning = str(phrases.public_contract(contract.name))
        if 4 + LONGEST_CONTRACT + len(f"{contract.vp} VP ") + cells(meaning) <= width:
            yield Flow([[*head, (meaning, _soft(never))]])
        else:
            yield Flow([head])
            yield Flow([[("    " + meaning, DIM)]])
    if table.phase != OVER:
        there = {contract.chance for contract in table.contracts if contract}
        meanings = [
            [(f"{SIGNS[chance]} {meaning}", DIM)]
            for chance, meaning in phrases.CHANCES.items()
            if chance in there
        ]
        yield Flow(meanings, first=[(say("Can be met: "), DIM)])


def _soft(never: bool) -> str:
    return DIM if never else PLAIN


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
        *([] if table.phase == OVER else [_CHANCES[contract.chance]]),
    ]


_CHANCES = {
    NOW: say("It can be met this turn."),
    LATER: say("It could still be met later."),
    NEVER: say("It can no longer be met."),
}


def players(table: Table) -> Block:
    """Return the score and the hand of each player in words."""
    grid = Grid(
        [say("player"), say("VP"), say("public contracts"), say("cards in hand")],
        [
            [
                [player.name],
                [str(player.score)],
                [str(player.fulfilled)],
                [*_apart(player.hand)] or [say("none")],
            ]
            for player in table.players
        ],
        numbers=(1, 2),
    )
    return Block(say("Players"), [grid], spoken=[_player(player) for player in table.players])


def _apart(hand: tuple[str, ...]) -> Chunk:
    return [piece for card in hand for piece in (" ", chip(card))][1:]


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


def _scores(table: Table) -> Block:
    """Return the score track, with a marker for each player."""
    return Block(say("Scores"), [Drawing(lambda screen: _track(table, screen))])


def _track(table: Table, screen: Screen) -> list[Line]:
    run, rail, stone, turn = ("=", "-", "O", ">") if screen.ascii else ("━", "─", "●", TURN)
    name = _name_column(table, screen.width)
    length = min(screen.width - name - 3 - _TAIL, LONGEST_TRACK)
    end = max(LEAST_TRACK, *(-(-player.score // 10) * 10 for player in table.players))
    rows: list[Line] = []
    for player in table.players:
        at = min(length - 1, round(player.score / end * (length - 1)))
        mover = player.name in table.to_move
        shown = cut(player.name, name, "..." if screen.ascii else "…")
        rows.append(
            [
                (f"{turn if mover else ' '} ", BOLD),
                *padded([(shown, BOLD if mover else PLAIN)], name + 1),
                (run * at, PLAIN),
                (stone, BOLD),
                (rail * (length - 1 - at), DIM),
                (f"{player.score:4} VP", BOLD),
            ]
        )
    scale = [" "] * length
    for vp in range(0, end + 1, 10 if length > 40 else 20 if length > 20 else 50):
        label = str(vp)
        start = min(round(vp / end * (length - 1)), length - len(label))
        scale[start : start + len(label)] = label
    rows.append([(" " * (name + 3), PLAIN), ("".join(scale), DIM)])
    return rows


_TAIL = len(" 100 VP")


def _name_column(table: Table, width: int) -> int:
    """Return the columns of the players' names: of all of them, or what the track leaves."""
    longest = max(cells(player.name) for player in table.players)
    return min(longest, width - 3 - _TAIL - SHORTEST_TRACK)


def hands(table: Table) -> Block:
    """Return the hand of each player, and how many public contracts each has fulfilled."""
    return Block(say("Hands"), [Fitted(lambda screen: [*_hands(table, screen)])])


def _hands(table: Table, screen: Screen) -> Iterator[Node]:
    name = _name_column(table, screen.width)
    for player in table.players:
        mover = player.name in table.to_move
        shown = cut(player.name, name, "..." if screen.ascii else "…")
        kinds = ((card, player.hand.count(card)) for card in sorted(set(player.hand)))
        chunks: list[Chunk] = [[chip(card, count)] for card, count in kinds]
        yield Flow(
            [*(chunks or [[(say("no cards"), DIM)]]), [(phrases.fulfilled(player), DIM)]],
            first=[(f"{TURN if mover else ' '} ", BOLD), (shown, BOLD if mover else PLAIN)],
            indent=name + 3,
        )


def private(table: Table) -> list[Node]:
    """Return the private contracts as far as they are known, numbered while three of five have to
    be chosen.
    """
    found: list[Node] = []
    for player in table.players:
        if player.private:
            items = Items([*_private(player)], numbered=player.choosing)
            found += [Heading(phrases.private_heading(player, table), 3), items]
    return found


def _private(player: Player) -> Iterator[Paragraph]:
    for contract in player.private or ():
        meaning = phrases.private_contract(contract.name, contract.scale)
        facts = {"name": contract.name, "meaning": meaning}
        if player.choosing:
            spoken, sentences = say("{name}. {meaning}", **facts), [meaning]
        else:
            worth = phrases.worth_now(contract)
            sentences = [meaning, worth]
            spoken = say("{name}. {meaning} {worth}", worth=worth, **facts)
        first = [(f"{contract.name}:", BOLD), (" ", PLAIN)]
        yield Paragraph(sentences, first=first, indent=4, spoken=[spoken])


def _piles(table: Table) -> Iterator[Node]:
    """Yield what is left, for a screen."""
    yield Block(say("Decks"), [Paragraph([phrases.decks(table)])])
    if table.roofs_to_end:
        roofs = "▲" * table.roofs + "△" * (table.roofs_to_end - table.roofs)
        yield Block(say("Roofs"), [Paragraph([phrases.roofs(table)], first=[(f"{roofs} ", ROOF)])])
    tiles: list[Chunk] = [
        [(PAINTS[color].letter, PAINTS[color].chip), f" {ground}+{upper}"]
        for color, (ground, upper) in table.tiles.items()
    ]
    note = (say("ground floors + upper floors left"), DIM)
    yield Block(say("Tiles"), [Flow([*tiles, [note]])])


def supplies(table: Table) -> Block:
    """Return what is left, in words."""
    found = [phrases.decks(table)]
    if table.roofs_to_end:
        found.append(say("Roofs: {roofs}", roofs=phrases.roofs(table)))
    tiles = Grid(
        [say("tiles left"), say("ground floors"), say("upper floors")],
        [
            [[chip(color)], [str(ground)], [str(upper)]]
            for color, (ground, upper) in table.tiles.items()
        ],
        numbers=(1, 2),
    )
    spoken = [
        say(
            "Tiles left of {color}: {ground} ground floors, {upper} upper floors.",
            color=color,
            ground=ground,
            upper=upper,
        )
        for color, (ground, upper) in table.tiles.items()
    ]
    paragraphs = [Paragraph([sentence]) for sentence in found]
    return Block(say("Supplies"), [*paragraphs, tiles], spoken=[*found, *spoken])
