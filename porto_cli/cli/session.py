"""A game at one keyboard: from its present state to its end, or until a player stops.

The record is written after every move, so that leaving at any time loses nothing but a choice
that was not finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import NoReturn

from porto_cli import asking
from porto_cli.cli import hint, lobby, results
from porto_cli.cli.common import own_move, what_happened
from porto_cli.cli.finale import Finale, finale_of
from porto_cli.cli.lesson import ENDED, FINISHED, Guide, guide_of
from porto_cli.cli.new_game_prompts import remember_all_play_here
from porto_cli.cli.output import drawn, in_lines, to_look_at, whole_table, write_story
from porto_cli.cli.rules import explained
from porto_cli.cli.seat import asked_order
from porto_cli.core import FileError, InvalidMoveError, PortoError, SentenceError, cited, files
from porto_cli.games import commands_of
from porto_cli.match.items import R_UNDO, IllegalMoveError, demand_legal
from porto_cli.match.match import Match
from porto_cli.match.orders import can_order, not_fitting, replaced
from porto_cli.match.record import HINTS_NOTED, SEALED, TABLE
from porto_cli.match.replay import last_mover, taken_back_last
from porto_cli.match.said import Said, one_line
from porto_cli.pages import above as above_question
from porto_cli.players.hint import ahead_of
from porto_cli.players.named import coach_of, play_a_bot
from porto_cli.players.review import analysis_rows
from porto_cli.scene import Scene
from porto_cli.seam import Move, Step
from porto_cli.term import drop_typed
from porto_cli.term.prompt import (
    Above,
    Asker,
    CancelledError,
    Choice,
    HintedError,
    StaleError,
    Text,
    Told,
    any_text,
    labeled,
    signs_of,
)
from porto_cli.words import Option

Action = Callable[[], object]
Entry = Choice[Action]


class StoppedError(Exception):
    """A player stops for now. The record is written."""


Way = Iterator[tuple[str, ...]]
"""What a player can do besides a move: a method yields the sign that chooses it on every screen (a
sign, because letters and digits belong to moves), its line in the menu, and what it is found by
besides; or nothing, if it cannot be done now. Going on from there does it."""


class Session:
    """Plays a match. ``seat`` is the only one that is played here; ``None`` plays all of them."""

    def __init__(self, match: Match, asker: Asker, seat: int | None = None) -> None:
        self.match = match.known
        self.game = match.game
        self.asker = asker
        self.seat = seat
        self.sent: tuple[str, ...] = ()
        """What was sent by mail when the last turn was over."""
        self.is_user = False
        """The seat is that of the user according to the settings, not to an option."""
        self.has_moved = False
        """Whether the game has something that only this computer has, so that it is to be sent."""
        self._is_new = cache(lambda: not results.known())
        self._next: Match | None = None
        """The game that was begun when this one had ended."""
        self._at_the_keyboard: int | None = None
        self._ending: Finale | None = None
        """How the game ended, found once, as it may take a moment."""
        self._hints: list[hint.Taken] = []
        """The hints that were asked for in this position."""
        self._left: Sequence[Option] = ()
        """The moves that are left where a part of the move is chosen; none before."""
        self._ahead = ""
        """The move that the last hint named for after its own one."""
        self._news: Sequence[str] = ()
        """What is said above the next question: words, orders, the lesson."""
        self._said = 0
        """How often there was something new to say: the question has then to be asked anew."""

    def sit_down_as_user(self, seat: int | None) -> None:
        """Play only the turns of the user, if the user plays and others do too.

        A name that is set once means the same for every command; others who sit here as well are
        one answer away.
        """
        if seat in self.match.people and len(self.match.people) > 1:
            self.seat = seat
            self.is_user = True

    def run(self) -> Match:
        """Play to the end of the game, and return the next one, which others may play. A game that
        is over already is shown.

        Raises StoppedError, KeyboardInterrupt.
        """
        while self._next is None:
            # What was saved is on the screen from here on.
            files.reported()
            if self.match.over:
                self._at_the_end()
            elif not self._bots_move():
                self._ask(self._whose_turn())
        return self._next

    # -- Whose turn it is: five moments, each with its question and what can be done in it

    def _ask(self, seat: int) -> None:
        if self._guide.is_done:
            self._after_the_lesson(seat)
        elif self.seat is not None and seat != self.seat:
            self._wait(self.seat)
        elif self.is_secret() and seat != self._at_the_keyboard:
            self._hand_over(seat)
        else:
            self._take_turn(seat)

    def _bots_move(self) -> bool:
        """Let bots move whose turn it is, and write the record; return whether there was one.

        Each move is shown at once, as some bots are slow.
        """
        if not self.match.goes_on_by_itself:
            return False
        moved = False
        while turn := play_a_bot(self.match):
            moved = True
            if not self.asker.plain:
                events = " ".join(what_happened(self.match, turn.events))
                self.asker.notify(f"{turn.who}: {events}")
        if moved:
            self._save()
            drop_typed()
        return moved

    @property
    def _guide(self) -> Guide:
        """Where the game is in its lesson, and what is said to a new player."""
        return guide_of(self.match, is_new=self._is_new)

    def _whose_turn(self) -> int:
        """Return who moves next; if several players can, they move one after the other."""
        waiting = self.match.game.to_move(self.match.state)
        return self.seat if self.seat in waiting else waiting[0]

    @property
    def _several(self) -> bool:
        """Whether several people play here, so that they are called by their names."""
        return self.seat is None and len(self.match.people) > 1

    def is_secret(self) -> bool:
        """Return whether players sit here who must not see each other's secrets."""
        return self._several and self.game.has_secrets(self.match.state)

    def _take_turn(self, seat: int) -> None:
        """Offer what a player can do; begin at once with the only thing to do."""
        offer = self._offer(seat)
        ways = (self.redo, self.undo, self.send, self.look_around, self.type_move, self.take_hint)
        others = self._offers(seat, *ways, self.end_lesson, self.order_ahead, self.stop)
        self._keep_signs(others)
        begins = offer.at_once if offer.fills or not self._hint() else None
        if begins and not self._redoable() and self._do(begins):
            return
        self._choose(offer.question, [*offer.entries, *others], offer.rules)

    def _offer(self, seat: int) -> asking.Offer:
        """Show the table, and return what a player whose turn it is can do, first what the lesson
        or a hint says.
        """
        self._left = ()
        above = self._above(seat, seat)
        self.asker.put_above(above, self._table(seat))
        guide = self._guide
        taught = guide.expected if self._news or not guide.finds else ()
        found = self._hint()
        self.asker.hinted = next(iter(taught), found.best if found else self._ahead)
        self.asker.taught = bool(guide.expected) and not self._news
        self.asker.hinted_by = "taught" if guide.expected else "hinted"
        options = self.game.words.options(self.match.state, seat, asking=True)
        said = found.say(found.best) if found else ""
        play, follow = partial(self._play, seat), partial(self._follow, above, len(options))
        return asking.offer(self.match.players[seat], options, self.asker, play, follow, said)

    def _follow(self, above: Above, of: int, options: Sequence[Option]) -> None:
        """Raise StaleError, and say what the lesson plays, if none of these options (``of`` so many
        in all) does that. A hint is above what leads to its move, and above nothing else, and names
        the answer that does.
        """
        if (guide := self._guide).expected and not guide.leads_to(options):
            self._say_above(guide.again(self.match, options))
            raise StaleError
        self._left = options if len(options) < of else ()
        if found := self._hint():
            self.asker.hinted = found.best
        if isinstance(above, Scene):
            above.note = self._hint_in_brief("")

    def _hand_over(self, seat: int) -> None:
        """Clear the screen and wait until the right player sits in front of it."""
        self._at_the_keyboard = None
        self.asker.clear()
        self.asker.put_above(self._above(None, seat), self._table(None))
        last = self._last_mover()
        ahead = self._offers(last, self.order_ahead) if last != seat else []
        here = self._offers(seat, self.sit_down, self.send)
        besides = self._offers(seat, self.redo, self.undo, self.stop)
        question = f"Hand the keyboard to {self.match.holders[seat]}."
        rules = commands_of(self.game.meta.id).rules_about("secret")
        self._choose(question, [*here, *ahead, *besides], ("secret", *rules))

    def _wait(self, seat: int) -> None:
        """Wait after the user's turn: by mail, another player is next."""
        match, leave = self.match, [self.stop, self.send]
        waiting = ", ".join(match.to_move())
        question = f"It is {waiting}'s turn. Send {match.path} to {waiting}."
        if is_to_be_sent := self._is_to_be_sent(seat):
            leave.reverse()
            question = f"It is {waiting}'s turn. {match.path} has not been mailed yet."
        ways = [*leave, self.order_ahead, self.redo, self.undo, self.say]
        # Until one of the others has moved, they may all sit here.
        is_begun = any(step.seat in match.people and step.seat != seat for step in match.steps)
        ways.insert(len(ways) if is_begun else is_to_be_sent, self.play_for_all)
        others = self._offers(seat, *ways, self.read_again, self.look_around, self.type_move)
        self._choose(question, [*self._offer(seat).entries, *others], ("wait", R_UNDO))

    def _at_the_end(self) -> None:
        """Show how the game ended, and ask what then. Raises StoppedError."""
        seat = self._last_mover()
        # A key pressed once too often changes nothing.
        ways = [self.look_around, *self._others(), self.analyze, self.write_story, self.undo]
        # Who has just moved in a game by mail sends it first.
        is_first = self._is_to_be_sent(seat)
        ways = [self.send, self.stop, *ways] if is_first else [*ways, self.stop, self.send]
        self.asker.put_above(self.how_it_ended(), self._table(None))
        self._choose("What would you like to do now?", self._offers(seat, *ways), ("over",))

    def _after_the_lesson(self, seat: int) -> None:
        """Show what was learned, and ask what then."""
        self.asker.put_above(Told(self._guide.says), self._table(seat))
        ways = (self.end_lesson, *self._others(), self.look_around, self.undo, self.stop)
        self._choose("What would you like to do now?", self._offers(seat, *ways), ("taught",))

    def _is_to_be_sent(self, seat: int) -> bool:
        """Return whether a turn was made here, or never mailed, and can be mailed: that is offered
        first. A key pressed once too often may choose it, so it is asked about again.
        """
        if self.seat is None or not self._offers(seat, self.send):
            return False
        return self.has_moved or lobby.is_unsent(self.match, self.seat)

    # -- Asking what to do, and doing it

    def _offers(self, seat: int, *ways: Callable[[int], Way]) -> list[Entry]:
        """Return what a player can do besides a move, of these ways."""
        return [
            labeled(line, partial(self._go, way, seat), sign, *also)
            for way in ways
            for sign, line, *also in islice(way(seat), 1)
        ]

    def _go(self, way: Callable[[int], Way], seat: int) -> None:
        """Do what a way does."""
        for _ in way(seat):
            pass

    def _choose(self, question: str, entries: list[Entry], rules: tuple[str, ...]) -> None:
        """Ask what to do, and do it."""
        self._keep_signs(entries)
        self._do(self.asker.choose(question, entries, rules=rules, back=False))

    def _keep_signs(self, entries: Sequence[Entry]) -> None:
        """Let the signs of a menu work in the menus that it leads to; keys of moves do not."""
        aside = [one._replace(value=partial(self._aside, one.value)) for one in signs_of(entries)]
        self.asker.signs = {one.key: one for one in aside}

    def _aside(self, action: Action) -> None:
        """Do something while something else is asked. Raises StaleError if that makes it another
        question.
        """
        before, hints = self._said, len(self._hints)
        # In what is done aside signs do not work: each of them would lie in the one before.
        signs, self.asker.signs = self.asker.signs, {}
        try:
            self._do(action)
        finally:
            self.asker.signs = signs
        if (before, hints) != (self._said, len(self._hints)):
            raise HintedError if before == self._said and self._left else StaleError

    def _do(self, action: Action) -> bool:
        """Do something and return True, or False if the player backed out of it or it is refused:
        what is refused and begun at once again would never end. What fails is told.
        """
        try:
            with suppress(StaleError):
                action()
        except CancelledError:
            return False
        except IllegalMoveError as error:
            self.asker.show(partial(explained, error))
            return False
        except PortoError as error:
            self._tell(*error.sentences)
            return False
        return True

    def _tell(self, *sentences: str) -> None:
        self.asker.show(in_lines(sentences))

    # -- What is above a question

    def _above(self, seat: int | None, reader: int) -> Above:
        """Return the table as ``seat`` may see it, what is new, and the hint."""
        above = above_question(self.match, seat, reader, shared=self._several)
        if isinstance(above, Scene):
            above.title = [*above.title, *["Today's deal."] * results.is_todays(self.match)]
            above.said = self._said_above(seat)
            # It says itself what matters of what happened.
            above.news = () if self._guide.expected else above.news
            above.note = "" if seat is None else self._hint_in_brief("")
            return above
        hinted = self._hint_in_brief() if seat is not None else ""
        return Told([*self._said_above(seat), *([hinted] if hinted else [])], above)

    def _hint(self) -> hint.Taken | None:
        """Return the hint for the question of now, if one was asked for."""
        return next((one for one in self._hints if one.is_for(self._left)), None)

    def _hint_in_brief(self, named: str | None = None) -> str:
        found = self._hint()
        return found.in_brief(self._left, named) if found else ""

    def _said_above(self, seat: int | None) -> Sequence[str]:
        """Say what is new here, and to a player why the own orders do not fit."""
        own = () if seat is None else not_fitting(self.match, seat)
        # The answer to a player who does not follow the lesson says again what it asks for.
        if self._news and self._guide.expected:
            return self._news
        return [*self._news, *self._guide.says, *own, *self.asker.opening]

    def _say_above(self, *sentences: str) -> None:
        """Say something above the next question, which is then asked anew."""
        self._news = sentences
        self._said += 1

    def _table(self, seat: int | None) -> Text:
        """Return the whole table, with no secrets but those of ``seat``."""
        return whole_table(self.match, seat, plain=self.asker.plain)

    # -- What can be done besides a move

    def undo(self, _: int) -> Way:
        """Take back the last turn, which the record shows forever: offered to whom it belongs."""
        match, seat = self.match, self._last_mover()
        past = match.past()
        if self.seat not in (None, seat) or past.check_whole(seat):
            return
        undo = f"Undo {self._turn_in_short(seat, match.steps[past.standing_of_people[-1]])}"
        yield "<", undo
        alone = match.over and len(match.people) == 1
        counts = " This game then doesn't count as a best result." * alone
        question = f"{undo}? The record will show that it was taken back.{counts}"
        if self.asker.confirm(question, rules=("undo", R_UNDO), sign="<"):
            match.undo(seat)
            self._save_the_new()

    def redo(self, _: int) -> Way:
        """Play again what was taken back: offered to whom it belongs."""
        if step := self._redoable():
            yield ">", f"Redo {self._turn_in_short(step.seat, step)}"
            self._play(step.seat, step.moves)

    def _redoable(self) -> Step | None:
        """Return the turn that was taken back last, if its player can play it again here.

        Not in a sealed game, where something else would come up.
        """
        match = self.match
        step = None if match.record.secrecy == SEALED else taken_back_last(match)
        if step is None or step.seat not in match.people or self.seat not in (None, step.seat):
            return None
        # Some moves can be made before those of the player who is waited for.
        return step if self.game.legal_moves(match.state, step.seat, 1) else None

    def _turn_in_short(self, seat: int, step: Step) -> str:
        whose = f"{self.match.holders[seat]}'s" if self._several else "your"
        return f"{whose} turn ({self.game.in_short_words(step)})"

    def send(self, seat: int) -> Way:
        """Mail the game to whoever is next, and stop: where a mail server and addresses are known.
        Who goes on here needs no mail.

        A mail cannot be undone. Raises PortoError, StoppedError.
        """
        goes_on = seat == self._writer() and seat in self.game.to_move(self.match.state)
        readers = "" if goes_on else self.readers()
        if not readers:
            return
        yield "@", f"Send the game by mail to {readers}"
        if not self.asker.confirm(f"Send the game by mail to {readers} now?"):
            return
        if not self.match.is_saved():
            changed = f"{self.match.path} has been changed by another program; nothing was sent."
            self._tell(changed, "The file is read again.")
            self._read_the_file()
            return
        from porto_cli.mail.posting import send_game

        mailed = send_game(self.match, self._writer())
        error = mailed.error
        if error and not mailed.said:
            raise error
        self.sent = (*mailed.said, *(error.sentences if error else ()))
        raise StoppedError

    def look_around(self, seat: int) -> Way:
        """Show what does not fit above the questions. Secrets are shown to ``seat`` only."""
        yield "=", "Look: the table, the log, the scores"
        pages = to_look_at(self.match, seat, plain=self.asker.plain)
        show = self.asker.show
        choices = [labeled(title, partial(show, text, end)) for title, text, end in pages]
        self.asker.signs = {key: one for key, one in self.asker.signs.items() if key != "="}
        while True:
            self.asker.choose("What would you like to see?", choices)()

    def type_move(self, seat: int) -> Way:
        """Play a move that is typed, or explain what is wrong with it and ask again."""
        yield ":", "Type a move (or find out why it isn't legal)"
        legal, state = self.game.legal_moves, self.match.state
        found = legal(state, seat, 2) or legal(state, self._whose_turn(), 2)
        # One may be a pass, which shows little of how moves are written.
        like = self.match.text(self.game.example(state, found)) if found else ""
        question = f"Type a move, like: {like}"
        text = self.asker.typed
        while text := self.asker.write(question, any_text, text, rules=("type",), does="play it"):
            if self._do(partial(self._play_typed, seat, text)):
                return

    def _play_typed(self, seat: int, text: str) -> None:
        """Play a move that was typed, maybe after its player's name, or as a whole command."""
        text = own_move(self.match, text.lstrip(": "), seat)
        typed = text.casefold()
        if typed == "undo":
            demand_legal(self.match.past().check_whole(self._writer()))
            self._go(self.undo, seat)
        elif typed == "redo" and self._redoable():
            self._go(self.redo, seat)
        else:
            try:
                self._play(seat, [text])
            except InvalidMoveError:
                if typed.startswith("order") and self._offers(seat, self.order_ahead):
                    raise SentenceError(f"To order ahead, go back and type {cited('+')}.") from None
                if fits := self.game.words.with_verb(self.match.state, seat, typed):
                    text = self.asker.write("Did you mean this?", any_text, fits, does="play it")
                    return self._play_typed(seat, text)
                raise

    def take_hint(self, seat: int) -> Way:
        """Think, show a hint, and note in the record that it was taken if it is to be noted: where
        the game has a coach, and the players have not agreed on no hints.
        """
        match, asker = self.match, self.asker
        is_noted = match.record.hints == HINTS_NOTED
        if coach_of(self.game.meta.id) is None or hint.refusal(match):
            return
        noting = "The record will show that you took one"
        best = f"which move looks best{f'. {noting}' if is_noted else ', and why'}"
        yield "!", f"Hint: {'in full, with other good moves' if self._hint() else best}"
        if (guide := self._guide).expected:
            # Another move would not be played.
            self._say_above(guide.again(self.match))
            return
        if len(self._left) == 1:
            raise SentenceError(hint.NOT_HERE)
        if first := not (found := self._hint()):
            if is_noted and not asker.confirm(f"Take a hint? {noting}."):
                return
            found = hint.thought(match, seat, self._left, asker)
            self._hints.append(found)
            if found.is_noted:
                self._save()
        if asker.plain or not first:
            asker.show(drawn(found.rows(), plain=asker.plain))

    def end_lesson(self, _: int) -> Way:
        """Play on without the lesson, for good: the record notes it."""
        if (guide := self._guide).is_done:
            yield "", "Play on: this game goes on to its end"
        elif guide.expected:
            yield "-", "End the lesson (and play on from here as you like)"
            if not self.asker.confirm("End the lesson, and play on from here as you like?"):
                return
        else:
            return
        self.match.note(FINISHED if guide.is_done else ENDED)
        self._save_the_new()
        self._say_above("The lesson has ended, and the game goes on. From now on, ! advises you.")

    def order_ahead(self, seat: int) -> Way:
        """Ask for orders until the player goes back, and write each of them: if the game has orders
        and people who would wait for a turn. Bots need no time.
        """
        match = self.match
        if not can_order(match) or seat not in match.people or len(match.people) == 1:
            return
        yield "+", f"Plan ahead: queue moves for {match.holders[seat]}"
        self._say_above(*self._news)
        looker = None if self.is_secret() and seat != self._at_the_keyboard else seat
        gone = list[str]()  # not news: others at this keyboard read these

        def show(notes: Sequence[str]) -> None:
            plain = Told(self._said_above(seat)) if self.asker.plain else None
            above = Told([*gone, *notes], plain or self._above(looker, seat))
            self.asker.put_above(above, self._table(looker))

        while True:
            text = asked_order(self.match, seat, self.asker, show)
            before = self.match.replay
            try:
                order = self.match.order(text, seat)
            except PortoError as error:
                self._tell(*error.sentences)
                continue
            gone[:] = replaced(before, order, seat)
            self._save()

    def say(self, seat: int) -> Way:
        """Ask for words, and write them into the record, as ``--say`` does."""
        yield '"', "Say something to the others"
        text = self.asker.write("What would you like to say?", any_text, does="say it")
        if not text:
            return
        said = Said(0, self.match.holders[seat], one_line(text))
        self.match.note(said.comment)
        self._say_above(said.sentence)
        self._save()

    def play_for_all(self, _: int) -> Way:
        """From now on everybody plays here. Whoever is next is asked to take the keyboard. Not in a
        sealed game: the keys of others are elsewhere.
        """
        others_too = self.is_user and self.match.sealed is None
        if others_too and not (self.asker.plain and self.game.has_secrets(self.match.state)):
            yield "*", "Play for all at this keyboard"
            question = "Do all of you play here, taking turns at this keyboard?"
            if not self.asker.confirm(question, rules=("here",), sign="*"):
                return
            self._forget()
            self.seat = None
            self.is_user = False
            self._at_the_keyboard = None
            remember_all_play_here(self.match)

    def read_again(self, _: int) -> Way:
        """Go on with the present contents of the file. Raises PortoError."""
        yield "&", "Read the file again: it has come back"
        self._read_the_file()

    def stop(self, _: int) -> Way:
        """Stop for now. Raises StoppedError."""
        yield ".", f"Stop: the game is saved in {self.match.path}", "quit exit"
        raise StoppedError

    def sit_down(self, seat: int) -> Way:
        """Go on as the player to whom the keyboard was handed."""
        yield "", f"Go on as {self.match.holders[seat]}"
        self._at_the_keyboard = seat

    def _others(self) -> list[Callable[[int], Way]]:
        return [partial(self.begin, *one) for one in lobby.others(self.asker, self.match)]

    def begin(self, label: str, other: Callable[[], Match], _: int) -> Way:
        """Begin another game, in a file of its own. Raises PortoError."""
        yield "", label
        # Nothing of the old game belongs to the questions about the new one.
        self.asker.signs = {}
        try:
            self._next = other()
        except ValueError as error:
            self._tell(str(error))

    def analyze(self, _: int) -> Way:
        """Judge all moves, and show the result."""
        if coach_of(self.game.meta.id) is None:
            return
        yield "", "Analyze: what each move was worth"
        self.asker.notify(f"Analyzing… {'Ctrl-C' if self.asker.plain else 'Esc'} ends it early.")
        try:
            with self.asker.thinking() as typed:
                analysis = hint.analyzed(self.match, None)
                typed.clear()
        except KeyboardInterrupt:
            return
        drop_typed()
        self.asker.show(drawn(analysis_rows(analysis, self.match), plain=self.asker.plain))

    def write_story(self, _: int) -> Way:
        """Write the story of the game, as a page."""
        assert self.match.path is not None
        page = self.match.path.with_suffix(".html")
        yield "", f"Write the story: {page.name}"
        self._tell(*write_story(self.match, page, self.asker.confirm))

    # -- Playing, and writing the record

    def _last_mover(self) -> int:
        last = last_mover(self.match)
        return self._whose_turn() if last is None else last

    def _writer(self) -> int:
        """Return who has made the last turn here."""
        return self._last_mover() if self.seat is None else self.seat

    def readers(self) -> str:
        """Return who would get a mail with the game."""
        return lobby.readers_of(self.match, self._writer())

    def how_it_ended(self) -> Finale:
        """Return how the finished game ended, and keep its result."""
        if self._ending is None:
            compared = results.keep(self.match)
            self._ending = finale_of(self.match, compared, self.seat)
        return self._ending

    def _play(self, seat: int, moves: Sequence[Move | str]) -> None:
        """Play a move and write the record.

        Raises IllegalMoveError, InvalidMoveError, CancelledError.
        """
        match = self.match
        if other := (guide := self._guide).other_than(match, seat, moves):
            demand_legal(match.check(moves[0], match.players[seat]))
            self._say_above(guide.again(self.match, move=other))
            return
        real = match.record.secrecy == TABLE
        came_up = self.game.setting_up.asked_chance(self.asker, None) if real else None
        match.play(*moves, player=match.players[seat], came_up=came_up)
        ahead = "".join(ahead_of(found.hint, moves[0]) for found in self._hints[-1:])
        self._save_the_new()
        self._ahead = ahead

    def _save_the_new(self) -> None:
        """Write the record of a new position, see :meth:`_save`."""
        self._forget()
        self._save()

    def _forget(self) -> None:
        """Forget what was said of a position that is gone."""
        self._say_above()
        self._hints, self._ending = [], None
        self.asker.opening, self._ahead = (), ""

    def _save(self) -> None:
        """Write the record; if that fails, ask what to do about it."""
        self.has_moved = True
        while True:
            try:
                self.match.save()
            except FileError as error:
                self.asker.put_above(None)
                entries: list[Choice[Action | None]] = [
                    labeled("Try again", None),
                    labeled("Read the file again, without this turn", self._read_the_file),
                    labeled("Stop, without this turn", self._stop_unsaved, "."),
                ]
                instead = self.asker.choose(error.sentence, entries, back=False)
                if instead and self._do(instead):
                    return
            else:
                for warning in files.warned():
                    self._tell(warning)
                return

    def _stop_unsaved(self) -> NoReturn:
        self._do(self._read_the_file)
        raise StoppedError

    def _read_the_file(self) -> None:
        """Go on with the present contents of the file. Raises PortoError."""
        self.match = lobby.read_again(self.asker, self.match)
        self._forget()
