"""What a mail of a game says, as rows that become its text and its HTML.

A letter follows from the record, its readers and its writer alone, without dates or settings, so
the program can write it again.

It says only what everybody at the table may know: the sender sees a mail before it is sent, and it
is quoted, forwarded and kept. It has its reader's secrets only if the sender asks for that. (The
attached record of an open game reveals everything to anyone who looks.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import dropwhile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from porto_cli import pages
from porto_cli.core import enumerated
from porto_cli.core.characters import in_one_line
from porto_cli.core.shell import option, quoted, word_of
from porto_cli.installed import rulings_of
from porto_cli.mail.ids import attachment_name, named, table_code
from porto_cli.mail.offers import Offers, ReplyTo, turn_page
from porto_cli.match.items import stands
from porto_cli.match.orders import can_order, not_fitting, place_after_last_act
from porto_cli.match.record import OPEN, Record
from porto_cli.match.replay import Replay, path_of, who_are_bots
from porto_cli.match.said import said_in, sat_down
from porto_cli.next_step import what_next
from porto_cli.pages import step_in_words
from porto_cli.paper import (
    BOLD,
    DIM,
    Block,
    Document,
    Grid,
    Heading,
    Items,
    Node,
    Paragraph,
    TypedLines,
    described,
    grid_sentences,
    put,
    sentences,
)
from porto_cli.paper.html import GROUND, INK, PAPER, RULE, escaped, mail, tag
from porto_cli.paper.page import page as paper_page
from porto_cli.seam import OVER, MoveGroup, MoveOffer
from porto_cli.term import Screen, cut, plain
from porto_cli.words import MOST_OFFERED

if TYPE_CHECKING:
    from porto_cli.sealed.chain import Beginning

Row = Node | Offers
"""A block is the table of a game or of its score; moves to choose from are links in HTML and words
in a text."""
_LONGEST_TITLE = 60
"""Columns of a title in the subject, as lists of mails show little of it."""
_MOST_SAID = 20


def text(*sentences: str) -> Paragraph:
    """Return sentences as a row."""
    return Paragraph(sentences)


class Letter(NamedTuple):
    """What a mail says, and functions that make its pages, by file name."""

    subject: str
    rows: tuple[Row, ...]
    pages: Mapping[str, Callable[[], str]] = {}


def letter(
    replay: Replay,
    readers: Sequence[int],
    sender: str,
    *,
    private: bool = False,
    alone: bool = False,
    commands: bool = True,
    address: str = "",
    note: str | None = None,
    page: bool = False,
) -> Letter:
    """Return the letter to some seats: those to move, or all others when the game is over.

    ``sender`` is the writer's name, ``address`` where answers go. With ``private`` it has the
    secrets of its one reader. If nobody else sees it (``alone``), it says why the reader's orders
    do not fit. Without ``commands`` it is for somebody without the program, and comes with the
    rules until that player's first move. ``note`` is what the writer adds. With ``page`` it comes
    with a page of the table, on which the reader can click an answer.
    """
    seat = readers[0] if private and len(readers) == 1 else None
    offers = None
    if len(readers) == 1 and can_answer_in_words(replay.record):
        found = offers_to(replay, readers[0], sender, address, private=seat is not None)
        offers = found if found.groups else None
    chosen = [Heading("Without the program" if commands else "Your move"), offers] if offers else []
    is_new = not commands and not any(step.seat in readers for step in replay.turns())
    sheet = f"{replay.game.meta.id}-rules.html" if is_new else ""
    stem = PurePath(attachment_name(replay.record)).stem
    table = f"{stem}-{'open-to-move' if offers else 'table'}.html" if page else ""
    table_of = cache(partial(pages.table, replay))
    rows = [
        *_opening(replay, readers),
        *_attached(replay, sheet, table, sender, can_click=offers is not None),
        *(text(one) for one in who_are_bots(replay)),
        *([text(note)] if note else ()),
        *_said(replay, readers),
        *_news(replay, readers),
        *(text(one) for one in (not_fitting(replay, readers[0]) if alone else ())),
        *_what_can_be_done(replay, readers, commands=commands),
        *(_how_to_answer(replay, readers) if commands else ()),
        *(chosen if offers and offers.are_few else [_BELOW] if offers else ()),
        *_tables(replay, seat, table_of(seat)),
        *(() if offers and offers.are_few else chosen),
        *_what_is_left_out(replay, readers, sender, seat, table_of, commands=commands),
        _code(replay),
    ]
    made: dict[str, Callable[[], str]] = {}
    if sheet:
        made[sheet] = partial(_rules_sheet, replay)
    if table and offers:
        made[table] = partial(turn_page, replay, readers[0], offers, attachment_name(replay.record))
    elif table:
        made[table] = partial(pages.table_html, replay, seat)
    return Letter(subject(replay), tuple(rows), made)


def _attached(
    replay: Replay, sheet: str, page: str, sender: str, *, can_click: bool
) -> Iterator[Row]:
    """Say what the attached pages are for."""
    if sheet:
        yield text(
            f"If you are new to {replay.game.meta.title}: the attached {sheet} has the rules."
        )
    if page and can_click:
        yield text(
            f"To click your move on the table, open the attached {page} in a browser; then send "
            f"{sender} the mail that it starts."
        )
    elif page:
        yield text(f"The attached {page} shows the table in a browser.")


_BELOW = text("The moves to choose from are below the table.")


def _rules_sheet(replay: Replay) -> str:
    """Return the rules of a game on one page, as ``porto rules`` shows them."""
    meta = replay.game.meta
    body: list[Node] = []
    for section in (*rulings_of(meta.id).card(), *replay.game.shown.in_brief(replay.state)):
        lines = [Paragraph([text], first=[(f"{label}: ", BOLD)]) for label, text in section.lines]
        body += [Heading(section.title), Items(lines)]
    return paper_page(meta.title, [], body)


def subject(replay: Replay) -> str:
    """Return the subject: the game, who is to move, round and turn, fingerprint or table code."""
    turn, players = replay.state.turn + 1, _names(replay, replay.game.to_move(replay.state))
    if replay.state.phase == OVER:
        state = "the game is over"
    elif gone := [*_undecided(replay)]:
        state = f"continue without {enumerated(_names(replay, gone))}?"
    elif len(players) > 1:
        state = f"{enumerated(players)} can move"
    elif number := replay.game.glance(replay.state, None).round:
        state = f"{enumerated(players)} is to move, round {number}, turn {turn}"
    else:
        state = f"{enumerated(players)} is to move, turn {turn}"
    return f"{game_and_title(replay.record)}: {state} [{table_code(replay)}]"


def game_and_title(record: Record) -> str:
    """Return the name of a record's game, with the record's title, if any, in one line."""
    game, title = record.game.meta.title, record.title
    title = " ".join(in_one_line(title).split())
    return f"{game}, {cut(title, _LONGEST_TITLE)}" if title else game


def _names(replay: Replay, seats: Sequence[int]) -> list[str]:
    return [replay.holders[seat] for seat in seats]


# -- What has happened


def _opening(replay: Replay, readers: Sequence[int]) -> Iterator[Row]:
    """Say whose turn it is; how a game ended comes later."""
    to_move = replay.game.to_move(replay.state)
    if replay.state.phase == OVER:
        return
    if asked := [*_question(replay, readers)]:
        yield from asked
        return
    names = enumerated(_names(replay, readers))
    others = enumerated(_names(replay, [seat for seat in to_move if seat not in readers]))
    if not set(readers) <= set(to_move):
        yield text(f"{names}, this is the state of the game; {others} is to move.")
    elif others:
        yield text(f"{names}, it is your turn; {others} can move as well, in any order.")
    else:
        yield text(f"{names}, it is your turn{', in any order' if readers[1:] else ''}.")


def _said(replay: Replay, readers: Sequence[int]) -> Iterator[Row]:
    """Yield what others said since the last turn of the reader with the oldest one."""
    place = min((place_after_last_act(replay, seat) for seat in readers), default=0)
    since = replay.steps[place - 1].item if place else -1
    own = _names(replay, readers) if len(readers) == 1 else ()
    found = [one for one in said_in(replay.record) if one.item >= since and one.player not in own]
    yield from (text(one.sentence) for one in found[-_MOST_SAID:])


def _news(replay: Replay, readers: Sequence[int]) -> Iterator[Row]:
    """Yield, turn by turn, what is new for the reader with the oldest last turn."""
    count = len(replay.steps)
    first = min((place_after_last_act(replay, seat) for seat in readers), default=count)
    items = [*sat_down(replay, first - 1)] if first else []
    for place in range(first, count):
        if stands(replay.steps[place]):
            items += [step_in_words(replay, place), *sat_down(replay, place)]
    if items:
        has_moved = any(step.seat in readers for step in replay.turns())
        yield Heading("Since your last turn" if has_moved else "What has happened")
        yield Items([text(item) for item in items if item])


# -- Players who vanished


def decision(replay: Replay) -> tuple[int, ...]:
    """Return the seats to mail a decision about vanished players to, those who have yet to agree
    first; none if there is nothing to decide.

    The vanished players get it, too.
    """
    undecided = _undecided(replay)
    return (*sorted({seat for some in undecided.values() for seat in some}), *undecided)


def _undecided(replay: Replay) -> dict[int, list[int]]:
    """Return the seats of the players who may have vanished, each with the seats that have not yet
    agreed to go on without them.
    """
    sealed = replay.sealed
    return {one: [*sealed.undecided(one)] for one in sorted(sealed.awaited)} if sealed else {}


def _question(replay: Replay, readers: Sequence[int]) -> Iterator[Row]:
    """Yield the opening of a mail: a question to the readers, or news about themselves."""
    players = replay.config.players
    for one, undecided in _undecided(replay).items():
        gone = players[one]
        sayers = ", ".join(players[seat] for seat in sorted(replay.sealed.awaited[one]))
        open_ = ", ".join(players[seat] for seat in undecided)
        if asked := [players[seat] for seat in undecided if seat in readers]:
            yield text(
                f"{', '.join(asked)}: {sayers} said that {gone} has vanished. Do you want to "
                f"continue without {gone}? The game does so once these players have agreed: "
                f"{open_}."
            )
        if one in readers:
            yield text(
                f"{gone}: {sayers} said that you have vanished. The game continues without "
                f"you once these players have agreed: {open_}. What you kept then scores "
                "nothing. To stay in the game, make your move and send it; if it is not your "
                "turn, write to the others."
            )


# -- What can be done


def _what_can_be_done(replay: Replay, readers: Sequence[int], *, commands: bool) -> Iterator[Row]:
    """Yield what each player can do, each command on its own line; without ``commands`` only what
    takes none.
    """
    reader = readers[0] if len(readers) == 1 else None
    rows: list[Row] = []
    for what, typed in what_next(replay, attachment_name(replay.record), reader):
        if not typed:
            rows.append(text(what))
        elif commands and not typed.startswith("porto score "):
            # The final scores are in the letter.
            rows += [text(f"{what}:"), TypedLines([typed])]
    if rows:
        is_over = replay.state.phase == OVER
        now = "What can be done now" if commands else "Good to know"
        yield Heading("How it ended" if is_over else now)
        yield from rows


def _how_to_answer(replay: Replay, readers: Sequence[int]) -> Iterator[Row]:
    name = attachment_name(replay.record)
    word = path_of(replay, name)
    if replay.state.phase == OVER:
        yield text(f"The attached file {name} has the whole game. To read all its turns:")
        yield TypedLines([f"porto log {word}"])
        return
    agree = [
        f"porto reveal {word} {option('--without', replay.config.players[gone])}"
        for gone, undecided in _undecided(replay).items()
        if {*undecided} & {*readers}
    ]
    to_move = replay.game.to_move(replay.state)
    players = [option("--as", replay.holders[seat]) for seat in readers if seat in to_move]
    if not players and not agree:
        return
    yield Heading("How to answer")
    if agree:
        then = "If you agree, type this in its folder; if you do not, do nothing:"
        yield text(f"{_save(name)}.", then)
        yield TypedLines(agree)
    if players:
        then = "and type one of the commands above in its folder."
        yield text(f"{_save(name)}, {then}", "To be asked for each choice instead:")
        yield TypedLines([f"porto play {word} {player}" for player in players])
        if can_order(replay) and len(replay.people) > 1:
            yield text("To give orders for your next turns, so that fewer mails are needed:")
            yield TypedLines([f"porto order {word} {player}" for player in players])
    yield from _pass_on(word)


def _save(name: str) -> str:
    return (
        f"Save the attached file {name}, replacing any copy you have of this game (or give this "
        "mail to 'porto receive')"
    )


def _pass_on(word: str) -> Iterator[Row]:
    yield text("Then write the mail to the next player:")
    yield TypedLines([f"porto mail {word}"])


def can_answer_in_words(record: Record) -> bool:
    """Return whether a player can answer with a move in words, for somebody else to play.

    Not if the player has to sign, or to report what came up on a real table.
    """
    return record.secrecy == OPEN


def offers_to(
    replay: Replay, seat: int, sender: str = "", address: str = "", *, private: bool
) -> Offers:
    """Return a limited number of legal moves for a seat to choose from, the best-scoring first;
    none if it is not the seat's turn. Answers go to ``address``, if given.

    With ``private`` only the seat sees them, so they may show its secrets.
    """
    found: list[MoveGroup] = []
    left = MOST_OFFERED if seat in replay.game.to_move(replay.state) else 0
    # A game's own groups need not keep to the limit.
    for group in replay.game.words.move_groups(replay.state, seat, private=private) if left else ():
        found.append(group._replace(offers=group.offers[:left]))
        left -= len(found[-1].offers)
    reply = None
    if can_answer_in_words(replay.record):
        reply = ReplyTo(address, subject(replay), named(replay))
    return Offers(tuple(group for group in found if group.offers), reply, sender, private)


# -- The table, and the secrets left out of it


def _tables(replay: Replay, seat: int | None, shown: Document) -> Iterator[Row]:
    """Yield the table as the game shows it, and at the end of a game where the VP came from, unless
    the table says it.
    """
    # Its fingerprint is in the last line of the letter, and in the subject.
    own = f"Fingerprint: {replay.fingerprint}"
    table = [node for node in shown.nodes if own not in described([node])]
    yield Block("The table", table)
    if _MARK in str(table):  # in any row: rendering the table takes as long as the rest
        yield text(f"{_MARK} marks the player to move, or what that player can pay for.")
    if replay.state.phase == OVER:
        # Its headings would name the winner again.
        nodes = pages.score(replay, seat).nodes
        score = [*dropwhile(lambda node: isinstance(node, Heading), nodes)]
        if not {*described(score)} <= {*described(table)}:
            yield Block(_SOURCES, score)


_SOURCES = "Where the VP came from"
_MARK = "▸"


def _narrow(node: Node) -> Sequence[Node]:
    """Return a grid of numbers in words: it may be wider than a phone, and mails do not scroll
    sideways.
    """
    return [*map(text, grid_sentences(node))] if isinstance(node, Grid) else [node]


def _what_is_left_out(
    replay: Replay,
    readers: Sequence[int],
    sender: str,
    seat: int | None,
    table_of: Callable[[int | None], Document],
    *,
    commands: bool,
) -> Iterator[Row]:
    """Say why a reader's secrets are, or are not, in the mail."""
    if replay.state.phase == OVER:
        return
    public = sentences(table_of(None))
    blind = [one for one in readers if sentences(table_of(one)) != public]
    if not blind:
        return
    if seat is not None and _is_known(replay, seat):
        why = f", because {sender} asked for that" if commands else ""
        yield text(
            f"This mail also shows what only you may see{why}, and so would a copy of it: do not "
            "forward it, and delete the quoted mail when you answer in your own words."
        )
        return
    word = path_of(replay, attachment_name(replay.record))
    yield text("This mail leaves out what only you may see. To see it:")
    yield TypedLines([f"porto show {word} {option('--as', replay.holders[one])}" for one in blind])
    if can_answer_in_words(replay.record):
        name = "NAME" if blind[1:] else quoted(replay.holders[blind[0]])
        yield text(
            f"If you do not have the program, ask {sender} to show it in your mails, with: "
            f"porto address {name} --no-program"
        )


def _is_known(replay: Replay, seat: int) -> bool:
    """Return whether a player's secrets can be shown; a sealed game needs the key for that."""
    sealed = replay.sealed
    return sealed is None or sealed.order[seat] in sealed.secrets


def _code(replay: Replay) -> Row:
    name = "Fingerprint" if replay.chain is None else "Table code"
    return text(
        f"{name} {table_code(replay)}: everyone with the same table has the same "
        f"{name.removeprefix('Table ').lower()}."
    )


# -- A sealed game that is still being set up


def invitation(begun: Beginning, by: int, sender: str) -> Letter:
    """Return the letter to the player who is next to join or to unlock."""
    players = begun.chain.players
    reader, game = players[by], game_and_title(begun.record)
    name = attachment_name(begun.record)
    word = word_of(name)
    rest = enumerated([one for one in players if one not in (reader, sender)])
    others = enumerated([one for one in players if one != reader])
    invited = f"{reader}, {sender} invites you to a sealed game of {game}"
    if by < len(begun.setup.joins):
        first = f"{reader}, the sealed game with {others} needs you once more before it begins."
    else:
        first = f"{invited}, with {rest}." if rest else f"{invited}."
    rows = [
        text(first),
        Heading("What can be done now"),
        text(f"{_save(name)}, and type this in its folder:"),
        TypedLines([f"porto join {word} {option('--as', reader)}"]),
        *_pass_on(word),
        Heading("About sealed games"),
        text(
            "In a sealed game, players cannot see what others hold or what will come up, and "
            "cannot influence it: what a server would know is in the file, locked with "
            "everybody's keys.",
            "Your key is made when you join, and stays on your computer.",
            f"It takes the program, porto; if you do not have it, ask {sender} for it.",
            "'man porto-sealed' explains what is proven, and what is not.",
        ),
        text(
            "The file goes around the table before the first turn: step "
            f"{begun.done} of {begun.hops} is complete."
        ),
    ]
    step = f"setup step {begun.done + 1} of {begun.hops}"
    return Letter(f"{game}: {reader} is to join, {step}", tuple(rows))


# -- As text

WIDTH = 60
"""Columns. Quoted in an answer, each line is two wider, and still fits the screen."""
_EXAMPLES = 3
"""Moves given as examples where there are too many to list."""


def text_of(written: Letter, *, every_move: bool = False) -> str:
    """Return a letter as text. Commands stay on one line, however long, to be copied.

    ``every_move`` lists all moves on offer, however many.
    """
    lines: list[str] = []
    before: Node = Heading("")
    for row in written.rows:
        nodes = _offered(row, every_move=every_move) if isinstance(row, Offers) else [row]
        for node in nodes:
            found = _in_text(node)
            follows = isinstance(before, Heading) or isinstance(node, TypedLines)
            lines += ["", *found] if found and lines and not follows else found
            before = node
    return "\n".join(lines) + "\n"


def _in_text(node: Node) -> list[str]:
    match node:
        case Heading():
            return [node.text.upper()]
        case Items():
            return _lines(*(Paragraph(one.sentences, first=["- "], indent=2) for one in node.items))
        case TypedLines():
            return [f"    {line}" for line in node.lines]
        case Block():
            return [node.label.upper(), *_lines(*node.body)] if node.body else []
    return _lines(node)


def _lines(*nodes: Node) -> list[str]:
    """Return nodes as lines."""
    return [plain(line) for line in put(nodes, Screen(WIDTH))]


def in_words(offer: MoveOffer) -> str:
    """Return the line that a player writes to choose an offer."""
    return "; ".join(offer.moves)


def _offered(offers: Offers, *, every_move: bool) -> Iterator[Node]:
    """Yield the moves on offer, in words to copy."""
    yield text(
        "Answer this mail with your move alone in the first line, and "
        f"{offers.sender} will play it for you."
    )
    is_whole = every_move or offers.are_few
    if not is_whole:
        yield text("For example:")
        yield TypedLines([in_words(group.offers[0]) for group in offers.groups[:_EXAMPLES]])
    for group in offers.groups:
        if is_whole:
            yield text(group.title)
            yield TypedLines([*map(in_words, group.offers)])
        if group.more:
            yield text(group.more)


# -- As HTML

_TITLE = f"margin:14px 0 6px;color:{INK}"
_BUTTON = (
    f"margin:0 2px 8px 0;padding:10px 12px;border:1px solid {RULE};border-radius:6px;"
    f"background-color:{GROUND};color:{INK};text-decoration:none"
)
_SHORT = 26
"""Letters of a move that shares its line with others."""


def html_of(written: Letter) -> str:
    """Return a letter as HTML. Its frame asks mail programs to keep its colors, and every element
    repeats them.
    """
    frame = Path(__file__).with_name("letter.html").read_text("utf-8")
    body = "\n".join(map(_in_html, written.rows))
    title = escaped(written.subject)
    return frame.format(title=title, body=body, ground=GROUND, ink=INK, paper=PAPER)


def _in_html(row: Row) -> str:
    match row:
        case Block():
            nodes = row.body
            if row.label == _SOURCES:
                nodes = [one for node in nodes for one in _narrow(node)]
            return mail([Heading(row.label), *nodes]) if nodes else ""
        case Offers():
            return _offers_in_html(row)
    return mail([row])


def _offers_in_html(offers: Offers) -> str:
    """Return the moves on offer, as links that start a mail."""
    assert offers.reply is not None
    how = f"Click a move and send the mail that opens; {offers.sender} will play it for you."
    found = [mail([text(how)])]
    for group in offers.groups:
        found.append(tag("p", tag("b", group.title), style=_TITLE))
        found += [_link(offer, offers.reply.link(offer.moves)) for offer in group.offers]
        if group.more:
            found.append(mail([Paragraph([group.more], DIM)]))
    return "\n".join(found)


def _link(offer: MoveOffer, target: str) -> str:
    """Return a link as large as a finger, short ones side by side; blanks keep them apart where
    styles are dropped.
    """
    if offer.note or len(offer.label) > _SHORT:
        label = f"{offer.label} ({offer.note})" if offer.note else offer.label
        return tag("div", tag("a", label, href=target, style=f"display:block;{_BUTTON}"))
    return tag("a", offer.label, href=target, style=f"display:inline-block;{_BUTTON}") + "&nbsp; "
