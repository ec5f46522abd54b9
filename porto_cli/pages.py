"""A game as a whole, for all media: its history, its table, its score, and its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core import enumerated
from porto_cli.core.values import document
from porto_cli.match.items import stands
from porto_cli.match.replay import Replay, decisions
from porto_cli.match.said import heard, ordered
from porto_cli.paper import Document, Gap, Heading, Node, Paragraph, sentences
from porto_cli.seam import (
    MATTERS,
    OVER,
    UNDO,
    WITHOUT,
    CardSection,
    News,
    Short,
    Step,
    Turn,
    told_to,
)
from porto_cli.term import BOLD, DIM, SCORED

if TYPE_CHECKING:
    from porto_cli.installed import Ruling
    from porto_cli.paper.page import Story
    from porto_cli.players.analysis import Analysis
    from porto_cli.term.prompt import Above

# -- What happened in a game, turn by turn: the log, its JSON, and what is new to a player
#
# Each game describes its steps (``porto_cli.games.Game.turn``). Undos, what players said and what
# their orders did are described here, in the same way for all games.


def turns_told(
    replay: Replay, seat: int | None = None, since: int = 0
) -> Iterator[tuple[int, Turn]]:
    """Yield ``replay.steps[since:]`` as a seat, or (``None``) a bystander, may know them, each with
    its place in the steps. Several undos in a row by one player are one, with those of the bots
    between them.
    """
    steps, over = replay.steps, replay.state.phase == OVER
    counts: dict[int, int] = {}
    last = len(steps)
    for place in range(len(steps) - 1, -1, -1):
        if steps[place].takes_back is None:
            last = len(steps)
        else:
            is_more = last in counts and steps[place].seat in (steps[last].seat, *replay.bot_seats)
            last = last if is_more else place
            counts[last] = counts.get(last, 0) + 1
    said: tuple[str, ...] = ()
    for place, step in enumerate(steps[since:], since):
        said += (*(ordered(replay, place) if stands(step) else ()), *heard(replay, place, None))
        undo = step.takes_back is not None
        if undo and place not in counts:
            continue
        turn = replay.game.turn(step, seat, over=over)._replace(said=said)
        names = told_to(step.before.config.players, seat).players
        if undo:
            moves = "move" if counts[place] == 1 else f"{counts[place]} moves"
            turn = _in_full(turn, f"{names[step.seat]} took back the last {moves}.")
        elif not step.moves:
            turn = _in_full(turn, _vanished(step, names), *turn.done)
        yield place, turn
        said = ()


def _in_full(turn: Turn, *done: str) -> Turn:
    """Return an item that is not a turn as these sentences, which matter to every reader."""
    return turn._replace(part="", done=done, short=[Short(one, MATTERS) for one in done])


def _vanished(step: Step, names: Sequence[str]) -> str:
    """Return a sentence about a step in which a player of a sealed game gave up others."""
    stated = step.entries[0][1].removeprefix(f"{WITHOUT} ").split(", ")
    players = zip(step.before.config.players, names, strict=True)
    gone = [name for player, name in players if player in stated]
    have = "has" if gone == stated[:1] else "have"
    return f"{names[step.seat]} said that {enumerated(gone)} {have} vanished."


def paragraphs(turn: Turn) -> Iterator[Paragraph]:
    """Yield what the player did, what it brought, what happened then, and what was said."""
    undone = bool(turn.facts["undone"])
    done = [*turn.done, "(Taken back.)"] if undone else turn.done
    for words, style in ((done, turn.style), (turn.gains, SCORED), (turn.then, DIM)):
        if words:
            yield Paragraph(words, DIM if undone else style)
    for word in turn.said:
        yield Paragraph([word], BOLD)


def last_turn(replay: Replay) -> list[str]:
    """Return sentences about the last turn as everybody may know it: what was done and what it
    brought, that a turn was taken back, or which players were given up.
    """
    if not replay.steps:
        return []
    ((_, turn),) = turns_told(replay, since=len(replay.steps) - 1)
    return turn.sentences


def step_in_words(replay: Replay, place: int) -> str:
    """Return sentences about a step as everybody may know it, with a note if it was ordered."""
    step = replay.steps[place]
    if step.takes_back is not None:
        taken = replay.game.in_short_words(replay.steps[step.takes_back])
        return f"{replay.config.players[step.seat]} took back: {taken}."
    told = last_turn(replay._replace(steps=replay.steps[: place + 1], state=step.after))
    return " ".join((*told, *ordered(replay, place)))


def step_in_moves(replay: Replay, step: Step, since: int = 0) -> list[str]:
    """Return the moves of a step, from the index ``since`` on, as everybody may know them.

    Each is written for the table on which it was made: after it, what came up may lie where it took
    something, so the later table would name the wrong thing.
    """
    game = replay.game
    if step.takes_back is not None:
        return [UNDO]
    if not step.moves or any(map(game.is_secret, step.moves)):
        return [game.in_short(step)]
    return [game.format_move(one.move, one.before) for one in decisions(replay, step)[since:]]


_COLUMN = 6
"""Width of the column with the turn numbers."""


def log(replay: Replay, since: int = 0) -> Document:
    """Return the history of a game, or of ``replay.steps[since:]``; a finished game ends with who
    has won and the score.
    """
    nodes: list[Node] = [Paragraph(["Nothing has happened yet."])] * (not replay.steps)
    part = ""
    for _, turn in turns_told(replay, since=since):
        if turn.part and turn.part != part:
            part = turn.part
            nodes.append(Heading(part))
        first = f"{turn.facts['turn'] or '':>4}  "
        for words in paragraphs(turn):
            nodes.append(Paragraph(words.sentences, words.style, [(first, DIM)], _COLUMN))
            first = " " * _COLUMN
    if replay.state.phase == OVER:
        nodes += score(replay, None).nodes
    return Document("", nodes)


def log_json(replay: Replay, since: int = 0) -> dict[str, Any]:
    """Return the history of a game, or of ``replay.steps[since:]``, as a document."""
    over = replay.state.phase == OVER
    steps = replay.steps[since:]
    return document(
        game=replay.game.meta.id,
        title=replay.record.title,
        turns=[replay.game.turn(step, None, over=over).facts for step in steps],
        result=replay.game.shown.result(replay.state),
    )


# -- What is new to a player


def news(replay: Replay, reader: int, *, shared: bool = False) -> tuple[News, ...]:
    """Return what has happened since the last turn of a reader, turn by turn, and what was said:
    ``shared`` with others, who read it too, so that nobody is called ``you``.

    Readers know what they did, but neither what came of it nor what their orders did. Turns that
    were taken back are left out.
    """
    items: list[News] = []
    last = len(replay.steps) - 1
    for place, step in reversed(list(enumerate(replay.steps))):
        undo = step.takes_back is not None
        if step.undone or (undo and place < last):
            continue
        _, turn = next(turns_told(replay, None if shared else reader, place))
        by_order = [] if undo else ordered(replay, place)
        own = step.seat == reader and not by_order and not undo
        more = (*by_order, *heard(replay, place, reader))
        is_known = own and not turn.drawn
        full = turn._replace(done=turn.done[is_known:]).sentences
        if full or more:
            short = turn.news[is_known:]
            new = (Short(_begun(text), weight, _begun(who)) for text, weight, who in short)
            said = (Short(one, MATTERS) for one in more)
            items.append(News((*map(_begun, full), *more), (*new, *said)))
        if own and turn.facts["turn"] is not None:
            break
    return tuple(reversed(items))


def _begun(sentence: str) -> str:
    """Return a sentence that may begin with ``you``, see :func:`told_to`, with a capital letter."""
    return f"You{sentence[3:]}" if f"{sentence} ".startswith("you ") else sentence


def above(replay: Replay, seat: int | None, reader: int, *, shared: bool = False) -> Above:
    """Return what is shown above a question: the table as ``seat`` may see it, and what is new to
    ``reader``, see :func:`news`.
    """
    new = news(replay, reader, shared=shared)
    return replay.game.shown.above(replay, seat, reader, new, last_turn(replay))


# -- Rows of reference cards and rulings


def row(first: str, text: str) -> Paragraph:
    """Return a text after its label or blanks; further lines are indented by the same width."""
    return Paragraph([text], first=[first], indent=len(first))


def card_rows(sections: Iterable[CardSection]) -> Iterator[Node]:
    """Yield the sections of a reference card as rows."""
    for section in sections:
        yield Heading(section.title)
        column = max(len(label) for label, _ in section.lines) + 2
        yield from (row(f"  {label:{column}}", text) for label, text in section.lines)


def ruling_rows(one: Ruling) -> Iterator[Node]:
    """Yield a ruling in full."""
    first = f"{one.id}  "
    yield Paragraph([one.title], BOLD, first=[(first, BOLD)], indent=len(first))
    yield row("  ", one.text)
    if one.note:
        yield from (Gap(), Paragraph([one.note], first=["  Note: "], indent=2))


# -- Table, score and pages: the same for every game, except for the pictures


def table(replay: Replay, seat: int | None) -> Document:
    """Return the table as a seat, or (``None``) a bystander, may see it."""
    return replay.game.shown.table(replay, seat, last_turn(replay))


def table_svg(replay: Replay, seat: int | None) -> str:
    """Return the table as a picture."""
    from porto_cli.paper.page import table_picture

    sheet = replay.game.shown.sheet(replay, seat, last_turn(replay))
    return table_picture(_title(replay), sheet, sentences(table(replay, seat)))


def table_html(replay: Replay, seat: int | None) -> str:
    """Return the table as a page."""
    from porto_cli.paper.page import table_page

    sheet = replay.game.shown.sheet(replay, seat, last_turn(replay))
    return table_page(_title(replay), sheet, _standings(replay, seat), replay.fingerprint)


def score(replay: Replay, seat: int | None) -> Document:
    """Return who is ahead and why. For a finished game this begins with how it ended, followed by
    where the VP came from, below a heading.
    """
    rows = replay.game.shown.standing_rows(replay, seat)
    if replay.state.phase == OVER:
        ended = replay.game.how_it_ended(replay)
        rows = [Heading(ended), Heading("Final scores"), *rows]
    return Document("", [*rows])


def score_json(replay: Replay, seat: int | None) -> dict[str, Any]:
    """Return the standings as a document."""
    return document(game=replay.game.meta.id, **replay.game.shown.standings(replay, seat))


def _standings(replay: Replay, seat: int | None) -> list[Node]:
    """Return the standings for the end of a page."""
    return [Heading("Standings"), *replay.game.shown.standing_rows(replay, seat)]


def _title(replay: Replay) -> str:
    return replay.record.title or replay.game.meta.title


def story_html(replay: Replay, since: int = 0, analysis: Analysis | None = None) -> str:
    """Return a game as a page that opens at the first of ``replay.steps[since:]`` that was not
    taken back. With an analysis, each turn is judged.
    """
    from porto_cli.paper.page import story_page

    page = story(replay)
    if analysis is not None:
        from porto_cli.players.review import judged

        page = judged(page, analysis)
    return story_page(page, since)


def story(replay: Replay) -> Story:
    """Return a game as everybody may see it.

    There is a frame for each turn that was not taken back, and one more after the end. Steps that
    are not turns are in the frame of the next turn, or of the last one.
    """
    from porto_cli.paper.page import Frame, Story

    over = replay.state.phase == OVER
    result = replay.game.how_it_ended(replay) if over else ""
    body: list[Node] = [Paragraph(["The table before the first turn."])]
    frames = [Frame("The setup", body, -1)]
    body = []
    for place, turn in turns_told(replay):
        body += paragraphs(turn)
        if turn.facts["turn"] is not None and not turn.facts["undone"]:
            # Who plays alone is told of turns, which are then the same as rounds.
            number = turn.facts.get("round") if turn.part else None
            frames.append(Frame(turn.heading, body, place, number))
            body = []
    if over:
        body.append(Paragraph([result], BOLD))
        frames.append(Frame("The end", body, len(replay.steps), anchor="end"))
    else:
        frames[-1] = frames[-1]._replace(body=[*frames[-1].body, *body])
    whole = Story(
        title=_title(replay),
        players=replay.config.players,
        frames=frames,
        result=result,
        below=_standings(replay, None),
        fingerprint=replay.fingerprint,
    )
    places = (frame.place for frame in frames[:-1])
    states = [replay.opening if place < 0 else replay.steps[place].after for place in places]
    return replay.game.shown.illustrated(whole, replay, [*states, replay.state])
