"""Reports of a game: its log, and who is ahead and why; after the end, each private contract
house by house.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from porto_cli.core.message import Sentence, both, either, say
from porto_cli.games.porto.engine.components import COLORS, HOUSES, PRIVATE
from porto_cli.games.porto.engine.moves import SOURCES
from porto_cli.games.porto.engine.scoring import (
    LOST,
    SOLO_WIN,
    Progress,
    level,
    progress,
    ranking,
    score_private,
)
from porto_cli.games.porto.engine.state import OVER, State
from porto_cli.games.porto.event_text import Turn, turn_of, turns_of
from porto_cli.games.porto.hidden_information import private_of
from porto_cli.games.porto.notation import PRIVATE_NAMES
from porto_cli.games.porto.ui import phrases
from porto_cli.match.replay import Replay
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    SCORED,
    Chunk,
    Document,
    Flow,
    Gap,
    Grid,
    Heading,
    Node,
    Paragraph,
)

BY_CONTRACTS, BY_SEAT = "contracts", "seat"
"""What decides a tie: public contracts fulfilled, or sitting further from the first player."""


class CountedContract(NamedTuple):
    """A private contract and what it counts."""

    contract: str
    vp: int
    scale: tuple[int, ...]
    """The VP it pays for one, two … of what it asks for."""
    groups: tuple[tuple[str, ...], ...]
    """What counted once each: a house, a pair, a trio, a whole side."""
    missing: tuple[tuple[str, ...], ...]
    """Started houses that would have made it count once more had they been complete, each
    alternative by itself; of a side all houses that the better side lacks."""
    missing_colors: tuple[str, ...]
    """Of a palette: the colors that its better side lacks."""
    progress: Progress | None = None
    """What it can still bring, while the game goes on."""


class Standing(NamedTuple):
    """A player's score and where it came from."""

    name: str
    place: int
    """1 is the first place; before the end those with the same VP share one."""
    score: int
    sources: tuple[int, ...]
    """VP from each of ``SOURCES``."""
    fulfilled: int
    private: tuple[CountedContract, ...] | None
    """The private contracts kept, as far as the asking seat may see them."""


class TieBreak(NamedTuple):
    """Two neighboring places with the same VP: what put one of them first."""

    winner: str
    other: str
    vp: int
    decided_by: str
    """``contracts`` or ``seat``."""
    winner_fulfilled: int
    other_fulfilled: int


class Standings(NamedTuple):
    """All players from the first place to the last, as of now."""

    over: bool
    players: tuple[Standing, ...]
    tie_breaks: tuple[TieBreak, ...]
    solo: bool
    level: str | None
    """Of a finished solo game: ``lost``, ``apprentice``, ``builder`` or ``master-builder``."""
    private_counted: bool
    """The private contracts are part of the scores: the game is over, and a solo game won."""
    given_up: tuple[str, ...] = ()
    """The players of a sealed game without whom the others went on."""


def standings(replay: Replay, seat: int | None = None) -> Standings:
    """Return who is ahead and where the VP came from, as a seat or (``None``) anyone may see it."""
    state = replay.state
    over = state.phase == OVER
    solo = bool(state.config.timer)
    order = ranking(state) if over else _so_far(state)
    sources = _sources(replay)
    return Standings(
        over=over,
        players=tuple(
            Standing(
                name=state.config.players[each],
                place=place
                if over
                else 1 + sum(score > state.scores[each] for score in state.scores),
                score=state.scores[each],
                sources=tuple(sources[each][source] for source in SOURCES),
                fulfilled=state.fulfilled[each],
                private=_private(state, each, seat),
            )
            for place, each in enumerate(order, start=1)
        ),
        tie_breaks=tuple(_tie_breaks(state, order)) if over else (),
        solo=solo,
        level=level(state) if over and solo else None,
        private_counted=over and not (solo and level(state) == LOST),
        given_up=tuple(
            player for each, player in enumerate(state.config.players) if state.is_out(each)
        ),
    )


def _so_far(state: State) -> list[int]:
    """Return the seats by their VP: before the end nothing breaks a tie."""
    return sorted(range(state.config.seats), key=lambda seat: -state.scores[seat])


def _sources(replay: Replay) -> list[dict[str, int]]:
    """Add up the scores of all turns that were not taken back."""
    names = replay.record.config.players
    sums = [dict.fromkeys(SOURCES, 0) for _ in names]
    for turn in turns_of(replay):
        if not turn.undone:
            for score in turn.scores:
                sums[names.index(turn.player)][score.kind] += score.vp
    for seat, score in enumerate(replay.state.scores):
        sums[seat]["private"] = score - sum(sums[seat].values())
    return sums


def _private(state: State, seat: int, asking: int | None) -> tuple[CountedContract, ...] | None:
    seen = private_of(state, seat, asking)
    if seen is None:
        return None
    if not state.kept[seat]:
        return ()
    if state.phase == OVER:
        return tuple(count_contract(state, contract) for contract in seen)
    return tuple(
        count_contract(state, contract)._replace(progress=progress(state, contract))
        for contract in seen
    )


def _tie_breaks(state: State, order: list[int]) -> list[TieBreak]:
    ties = []
    for winner, other in pairwise(order):
        if state.scores[winner] != state.scores[other]:
            continue
        by_seat = state.config.seat_first or state.fulfilled[winner] == state.fulfilled[other]
        ties.append(
            TieBreak(
                winner=state.config.players[winner],
                other=state.config.players[other],
                vp=state.scores[winner],
                decided_by=BY_SEAT if by_seat else BY_CONTRACTS,
                winner_fulfilled=state.fulfilled[winner],
                other_fulfilled=state.fulfilled[other],
            )
        )
    return ties


def count_contract(state: State, contract: int) -> CountedContract:
    """Count a private contract as if the game ended now, and say what it lacks for more."""
    result = score_private(state, contract)
    scale = state.config.edition.private[PRIVATE[contract].kind]
    full = len(result.groups) >= len(scale)
    kind = PRIVATE[contract].kind
    return CountedContract(
        contract=PRIVATE_NAMES[contract],
        vp=result.vp,
        scale=scale,
        groups=tuple(_names(group) for group in result.groups),
        missing=() if full else _missing(state, contract, len(result.groups)),
        missing_colors=_missing_colors(state) if kind == "palette" and not full else (),
    )


def _names(houses: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(HOUSES[house] for house in houses)


def _missing(state: State, contract: int, groups: int) -> tuple[tuple[str, ...], ...]:
    """Find the houses whose completion would have added a group: as few of them as it takes.

    A group has three houses at most; only a side can lack more, so it is asked for all of them.
    """
    unfinished = [
        house
        for house in state.config.houses
        if state.floors[house] and not state.is_complete(house)
    ]
    if PRIVATE[contract].kind == "side":
        lacking = [
            tuple(house for house in side if not state.is_complete(house))
            for side in state.config.sides
        ]
        return (_names(min(lacking, key=len)),)
    for size in (1, 2, 3):
        found = tuple(
            _names(houses)
            for houses in combinations(unfinished, size)
            if len(score_private(_completed(state, houses), contract).groups) > groups
        )
        if found:
            return found
    return ()


def _completed(state: State, houses: tuple[int, ...]) -> State:
    """Return the table as if these houses were complete, without any token on their roofs."""
    what_if = state.copy()
    floors, tokens = bytearray(state.floors), bytearray(state.roof_tokens)
    for house in houses:
        floors[house] = state.config.heights[house]
        tokens[house] = 0
    what_if.floors, what_if.roof_tokens = bytes(floors), bytes(tokens)
    what_if.survey()
    return what_if


def _missing_colors(state: State) -> tuple[str, ...]:
    """Return the colors that no completed house has on the side that has most of them."""
    lacking = [
        tuple(
            name
            for color, name in enumerate(COLORS)
            if not any(state.colors[house] == color and state.is_complete(house) for house in side)
        )
        for side in state.config.sides
    ]
    return min(lacking, key=len)


_INDENT = 7


def score(standings: Standings, title: str = "") -> Document:
    """Return the standings, the first place first."""
    nodes: list[Node] = [
        sources(standings),
        *(Paragraph([tie_break_sentence(tie)]) for tie in standings.tie_breaks),
        *(Paragraph([phrases.given_up(name)]) for name in standings.given_up),
    ]
    if standings.level:
        nodes.append(Paragraph([level_sentence(standings)], BOLD))
    for player in standings.players:
        if player.private:
            nodes += [Gap(), *_counted(player, standings)]
    return Document(title, nodes)


def ending(standings: Standings) -> Document:
    """Return how a game ended, see :meth:`porto_cli.ui.Ui.ending`."""
    # The level is part of how it ended.
    rest = score(standings._replace(level=None)).nodes
    return Document("", [Heading(how_it_ended(standings)), Gap(), *rest])


_SHORT = ("", "floors", "neighbors", "ground", "roof", "public", "private", "total")


def sources(standings: Standings, *, on_page: bool = False) -> Grid:
    """Return where the VP of each player came from; a page has room for the whole headings."""
    note = say("Ground and roof are VP tokens, public and private are contracts.")
    return Grid(
        heads=[say("player"), *phrases.SOURCES.values(), say("VP")] if on_page else _SHORT,
        rows=[
            [
                [f"{player.place:2}. ", (player.name, BOLD)],
                *([str(vp)] for vp in player.sources),
                [(str(player.score), BOLD)],
            ]
            for player in standings.players
        ],
        numbers=range(1, 8),
        spoken=[_standing(player) for player in standings.players],
        shortest=9,
        note="" if on_page else note,
    )


def _standing(player: Standing) -> Sentence:
    from_each = zip(SOURCES, player.sources, strict=True)
    return say(
        "{place}. {player}, {vp} VP: {sources}.",
        place=player.place,
        player=player.name,
        vp=player.score,
        sources=", ".join(f"{phrases.SOURCES[source]} {vp}" for source, vp in from_each),
    )


def _counted(player: Standing, standings: Standings) -> Iterator[Node]:
    facts: dict[str, object] = {
        "player": player.name,
        "vp": sum(contract.vp for contract in player.private or ()),
    }
    if standings.private_counted:
        heading = say("Private contracts of {player}: {vp} VP", **facts)
    elif standings.over:
        heading = say("Private contracts of {player}, which do not count after a loss", **facts)
    else:
        heading = say("Private contracts of {player}, {vp} VP as of now", **facts)
    yield Heading(heading)
    for contract in player.private or ():
        yield from _contract(contract)


def counted(contract: CountedContract) -> Paragraph:
    """Return an item of a list: a private contract, what it pays, what it counts."""
    meaning = phrases.private_contract(contract.contract, contract.scale)
    worth = say("{vp} VP.", vp=contract.vp)
    first = [(contract.contract, BOLD), (": ", PLAIN)]
    return Paragraph([worth, meaning, *houses_counted(contract)], first=first)


def _contract(contract: CountedContract) -> Iterator[Node]:
    """Return what a private contract pays, and below that what it counts."""
    head = f"{contract.vp:3} VP {contract.contract}: "
    meaning = phrases.private_contract(contract.contract, contract.scale)
    yield Paragraph([meaning], DIM, first=[(head, BOLD)], indent=_INDENT)
    yield Paragraph(houses_counted(contract), first=[" " * _INDENT], indent=_INDENT)


_LEVELS = {
    "lost": "no level",
    "apprentice": "Apprentice",
    "builder": "Builder",
    "master-builder": "Master Builder",
}


_NO_MORE = {
    "houses": ("No {one} house is started.", "No other {one} house is started."),
    "pairs": (
        "No neighboring houses are {one} and {two}.",
        "No other neighboring houses are {one} and {two}.",
    ),
    "trios": (
        "No three neighboring houses are {one}, {two} and {three}.",
        "No other three neighboring houses are {one}, {two} and {three}.",
    ),
    "mirror": ("No {one} houses of the same height stand on both sides.", ""),
    "ends": ("No end has a {one} house.", "No other end has a {one} house."),
}
"""Why nothing, or nothing more, could have counted: no started houses are of that kind."""


def houses_counted(contract: CountedContract) -> list[Sentence]:
    """Return which houses a private contract counts, and what it lacks or lacked for more."""
    found: list[Sentence] = []
    if contract.groups:
        counted = "; ".join(" ".join(group) for group in contract.groups)
        found.append(say("Counted: {houses}.", houses=counted))
    else:
        found.append(say("Nothing counts."))
    if contract.progress:
        far = contract.progress
        found.append(
            phrases.worth(
                contract.contract,
                contract.vp,
                contract.scale[-1],
                far.most,
                [dict(way) for way in far.ways],
            )
        )
        return found
    if contract.missing_colors:
        found.append(
            say(
                "The better side lacks a completed house in {colors}.",
                colors=both(contract.missing_colors),
            )
        )
    if contract.missing:
        houses = either([both(group) for group in contract.missing])
        found.append(say("For one more, {houses} would have had to be complete.", houses=houses))
    elif not contract.missing_colors and len(contract.groups) < len(contract.scale):
        kind, colors = phrases.private_kind(contract.contract)
        found.append(say(_NO_MORE[kind][bool(contract.groups)], **colors))
    return found


def level_sentence(standings: Standings) -> Sentence:
    """Return how a solo game ended (P-SOLO-6)."""
    player = standings.players[0]
    facts: dict[str, object] = {
        "player": player.name,
        "vp": player.score,
        "level": _LEVELS[standings.level or ""],
        "win": SOLO_WIN,
    }
    if standings.private_counted:
        return say("{player} wins with {vp} VP: {level}.", **facts)
    return say("{player} has {vp} VP and loses; {win} VP are needed to win.", **facts)


def outcome_sentence(standings: Standings) -> Sentence:
    """Return who has won a finished game, and with how many VP."""
    if standings.level:
        return level_sentence(standings)
    first = standings.players[0]
    return say("{player} wins with {vp} VP.", player=first.name, vp=first.score)


def how_it_ended(standings: Standings) -> Sentence:
    """Return who has won a finished game, and by how much; alone, what was missing or to spare."""
    first, *others = standings.players
    facts: dict[str, object] = {"player": first.name, "vp": first.score}
    if standings.level:
        facts |= {"by": abs(first.score - SOLO_WIN), "level": _LEVELS[standings.level]}
        if not facts["by"]:
            text = "The game is over: {player} wins with exactly the {vp} VP needed: {level}."
        elif standings.private_counted:
            text = "The game is over: {player} wins with {vp} VP, {by} more than needed: {level}."
        else:
            text = "The game is over: {player} loses with {vp} VP, {by} too few."
        return say(text, **facts)
    facts |= {"second": others[0].name, "by": first.score - others[0].score}
    if facts["by"]:
        return say("The game is over: {player} wins with {vp} VP, {by} ahead of {second}.", **facts)
    return say("The game is over: {player} wins with {vp} VP, as many as {second}.", **facts)


def tie_break_sentence(tie: TieBreak) -> Sentence:
    """Return what put one of two players with the same VP first (P-RANK-1, P-RANK-2)."""
    facts: dict[str, object] = {
        "winner": tie.winner,
        "other": tie.other,
        "vp": tie.vp,
        "more": tie.winner_fulfilled,
        "fewer": tie.other_fulfilled,
    }
    if tie.decided_by != "seat":
        return say(
            "{winner} and {other} both have {vp} VP; {winner} has fulfilled more public contracts: "
            "{more} against {fewer}.",
            **facts,
        )
    if tie.winner_fulfilled == tie.other_fulfilled:
        return say(
            "{winner} and {other} both have {vp} VP and equally many public contracts; "
            "{winner} sits further from the first player.",
            **facts,
        )
    return say(
        "{winner} and {other} both have {vp} VP; this game is played with the tie-break by seat, "
        "and {winner} sits further from the first player.",
        **facts,
    )


_COLUMN = 6


def log(turns: Sequence[Turn], standings: Standings, title: str = "") -> Document:
    """Return the history of a game; a finished game ends with its private contracts and result."""
    nodes: list[Node] = []
    round_shown = 0
    for turn in turns:
        if turn.round != round_shown and turn.number is not None:
            round_shown = turn.round
            nodes.append(Heading(say("Round {round}", round=round_shown)))
        nodes += _turn(turn)
    if standings.over:
        nodes += _end(standings)
    return Document(title, nodes)


def _turn(turn: Turn) -> Iterator[Node]:
    """Yield what the player did, what that scored, and what the solo timer did then."""
    own, timer = phrases.own_and_timer(turn)
    scored = phrases.scored(turn)
    if turn.undone:
        own.append(say("(Taken back.)"))
    number: Chunk = [(f"{turn.number or '':>4}  ", DIM)]
    blank: Chunk = [" " * _COLUMN]
    for sentences, style, first in (
        (own, PLAIN, number),
        ([scored] if scored else [], SCORED, blank),
        (timer, PLAIN, blank),
    ):
        if sentences:
            yield Paragraph(sentences, DIM if turn.undone else style, first, _COLUMN)
    for one in turn.said:
        yield Paragraph([one], BOLD, blank, _COLUMN)


def _end(standings: Standings) -> Iterator[Node]:
    yield Heading(say("Final scores"))
    for player in standings.players:
        if standings.private_counted:
            for contract in player.private or ():
                sentence = say(
                    "{player} scores {vp} VP for the private contract {name}.",
                    player=player.name,
                    vp=contract.vp,
                    name=contract.contract,
                )
                yield Paragraph([sentence], indent=5)
    for name in standings.given_up:
        yield Paragraph([phrases.given_up(name)], indent=5)
    for player in standings.players:
        yield Flow([[f"{player.place:3}. ", (player.name, BOLD), f" {player.score} VP"]])


def last_turn(replay: Replay) -> list[Sentence]:
    """Return what the last turn was and what it scored."""
    last = replay.last_step()
    if last is None:
        return []
    turn = turn_of(last)
    scored = phrases.scored(turn)
    return [*phrases.turn_sentences(turn), *([scored] if scored else [])]
