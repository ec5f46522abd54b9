"""A game at one keyboard: from where it stands to its end, or until somebody stops.

The record is written after every move, so that leaving at any time loses nothing but a choice
that was not finished.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from porto_cli.cli import hinting
from porto_cli.cli.advice import advice
from porto_cli.cli.common import ui_for
from porto_cli.cli.keys_here import keys_here
from porto_cli.commands import commands_of
from porto_cli.core import files
from porto_cli.core.errors import FileError, InvalidMoveError, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.game_ui import Entry as Offered
from porto_cli.match.bots import last_of_people, titled
from porto_cli.match.match import Match, load
from porto_cli.match.record import HINTS_TOLD, TABLE
from porto_cli.match.replay import IllegalMoveError
from porto_cli.match.undoing import R_UNDO, check_whole_undo
from porto_cli.term.prompt import Asker, CancelledError, Choice, Text
from porto_cli.term.screen import Screen
from porto_cli.term.spans import BOLD, PLAIN, Line, wrapped

Action = Callable[[], object]
Entry = Choice[Action]
_HINTED = 3
"""Moves that a hint tells."""
_UNDO, _MAIL, _LOOK, _TYPE, _HINT, _STOP, _ALL, _READ = "umlthsar"
"""The letters of what can be done besides a move, on all screens of a turn: there may be more or
fewer moves, which have the digits.
"""


class StoppedError(Exception):
    """Somebody has had enough for now. The record is written."""


class Session:
    """Plays a match. ``seat`` is the only one that is played here; ``None`` plays all of them."""

    def __init__(self, match: Match, asker: Asker, seat: int | None = None) -> None:
        self.match = match
        self.ui = ui_for(match)
        self.asker = asker
        self.seat = seat
        self.sent: tuple[Sentence, ...] = ()
        """What was sent by mail when the last turn was over."""
        self.is_user = False
        """The seat is that of the user, as the settings know it, and nobody typed it."""
        self._at_the_keyboard: int | None = None

    def sit_down_as_user(self, seat: int | None) -> None:
        """Play only the turns of the user, if the user plays and others do too.

        A name that is set once means the same for every command; others who sit here as well are
        one answer away.
        """
        if seat in self.match.people and len(self.match.people) > 1:
            self.seat = seat
            self.is_user = True

    def run(self) -> None:
        """Play to the end of the game. Raises StoppedError, KeyboardInterrupt."""
        was_over = self.match.over
        while not self.match.over:
            # What was saved stands on the screen from here on.
            files.told()
            if self._bots_move():
                continue
            seat = self._whose_turn()
            if self.seat is not None and seat != self.seat:
                self._wait(self.seat)
            else:
                if self.is_secret() and seat != self._at_the_keyboard:
                    self._hand_over(seat)
                else:
                    self._take_turn(seat)

        if not was_over:
            self._offer_to_send_the_end()

    def _bots_move(self) -> bool:
        """Let bots move whose turn it is, and write the record; tell whether there was one.

        It is told at once, as some take their time, and among what is new above the next question.
        """
        bots = self.match.record.bots
        if bots is None:
            return False
        from porto_cli.players.bots import play_a_bot

        moved = False
        while turn := play_a_bot(self.match):
            moved = True
            if not self.asker.plain:
                player = titled(turn.player, turn.bot)
                told = " ".join(map(str, self.ui.events_text(turn.events, self.match.config)))
                self.asker.tell(say("{player}: {told}", player=player, told=told))
        if moved:
            self._save()
        return moved

    def _offer_to_send_the_end(self) -> None:
        """By mail the others have not seen how it ended."""
        entries = self._mail_entry(None)
        if entries:
            done = _entry(say("Leave it at that"), _stop)
            self._choose(say("The game is over."), [done, *entries], ())

    def _whose_turn(self) -> int:
        """Several players may be awaited; they move one after the other."""
        waiting = self.match.game.to_move(self.match.state)
        return self.seat if self.seat in waiting else waiting[0]

    def is_secret(self) -> bool:
        """Tell whether people sit here who must not see each other's secrets."""
        return self.seat is None and len(self.match.people) > 1 and self._has_secrets()

    def _has_secrets(self) -> bool:
        secrets = self.ui.secrets
        return secrets is not None and secrets.there_are(self.match.state)

    def _hand_over(self, seat: int) -> None:
        """Clear the screen and wait until the right player sits in front of it."""
        self._at_the_keyboard = None
        self.asker.wipe()
        self.asker.put_above(self.ui.above(self.match.replay, None, seat))
        player = self.match.players[seat]
        question = say("Hand the keyboard to {player}.", player=player)
        here = _entry(say("Go on as {player}", player=player), lambda: self._sit_down(seat))
        entries = [here, *self._mail_entry(seat), *self._undo_entry(), self._stop_entry()]
        self._choose(question, entries, self._rules("secret"))

    def _sit_down(self, seat: int) -> None:
        self._at_the_keyboard = seat

    def _take_turn(self, seat: int) -> None:
        """Offer what a player can do. Where there is one thing to do, begin with it at once."""
        self._look(seat)
        offer = self.ui.offer(self.match, seat, self.asker)
        moves = self._moves(seat, offer.entries)
        if offer.at_once and self._do(moves[0].value):
            return
        others = [
            *self._undo_entry(),
            *self._mail_entry(seat),
            *self._other_entries(seat),
            *self._hint_entry(seat),
            self._stop_entry(),
        ]
        self._choose(offer.question, [*moves, *others], offer.rules)

    def _moves(self, seat: int, offered: Sequence[Offered]) -> list[Entry]:
        """Return what plays the moves that the game offers."""
        return [
            _entry(one.label, partial(self._play_what_is_chosen, seat, one.moves))
            for one in offered
        ]

    def _play_what_is_chosen(self, seat: int, moves: Callable[[], Sequence[str]]) -> None:
        self._play(seat, *moves())

    def _rules(self, about: str) -> tuple[str, ...]:
        return commands_of(self.match.game.meta.id).rules[about]

    def _wait(self, seat: int) -> None:
        """Stop after the own turn: by mail, somebody else is next."""
        self._look(seat)
        waiting = ", ".join(self.match.to_move())
        question = say(
            "It is {player}'s turn. Send {file} to {player}.", player=waiting, file=self.match.path
        )
        meanwhile = self.ui.meanwhile(self.match, seat, self.asker)
        entries = [*self._moves(seat, meanwhile), self._stop_entry()]
        # Never the first, which a key pressed once too often chooses: nothing brings a mail back.
        entries += [*self._mail_entry(None), *self._undo_entry()]
        # Nobody can play a sealed game for others: their keys are elsewhere.
        others_too = self.is_user and self.match.replay.sealed is None
        if others_too and not (self.asker.plain and self._has_secrets()):
            entries.append(_entry(say("Play for all at this keyboard"), self._play_for_all, _ALL))
        again = say("Read the file again: it has come back")
        entries.append(_entry(again, self._read_again, _READ))
        entries += self._other_entries(seat)
        self._choose(question, entries, (R_UNDO,))

    def _play_for_all(self) -> None:
        """From now on everybody plays here. Whoever is next is asked to take the keyboard."""
        self.seat = None
        self.is_user = False
        self._at_the_keyboard = None

    def _choose(self, question: Sentence, entries: list[Entry], rules: tuple[str, ...]) -> None:
        """Let somebody choose what to do, and do it."""
        self._do(self.asker.choose(question, entries, rules=rules, back=False))

    def _do(self, action: Action) -> bool:
        """Do something and return True, or False if the player backed out of it or it is refused:
        what is refused and begun at once again would never end.
        """
        try:
            action()
        except CancelledError:
            return False
        except IllegalMoveError as error:
            self._explain(error)
            return False
        return True

    def _look(self, seat: int) -> None:
        self.asker.put_above(self.ui.above(self.match.replay, seat, seat))

    def _undo_entry(self) -> list[Entry]:
        """Offer to take back the last turn, to whom it belongs."""
        game = self.match.replay
        seat = self._last_mover()
        place = last_of_people(game.record.bots, game.steps, standing=True)
        refused = check_whole_undo(game.record, game.steps, seat)
        if place < 0 or self.seat not in (None, seat) or refused:
            return []
        label = say(
            "Take back {player}'s turn: {move}",
            player=self.match.players[seat],
            move=self.ui.in_short(game.steps[place]),
        )
        return [_entry(label, lambda: self._undo_if_sure(seat), _UNDO)]

    def _undo_if_sure(self, seat: int) -> None:
        """Take back a turn: nothing at the keyboard brings it back."""
        question = say(
            "Take back {player}'s turn? The record will show that.",
            player=self.match.players[seat],
        )
        if self.asker.confirm(question, rules=(R_UNDO,)):
            self._undo(seat)

    def _last_mover(self) -> int:
        steps = self.match.replay.steps
        place = last_of_people(self.match.record.bots, steps)
        return steps[place].seat if place >= 0 else self._whose_turn()

    def _other_entries(self, seat: int) -> list[Entry]:
        return [
            _entry(
                say("Look: the table, the story, the scores"),
                lambda: self._look_around(seat),
                _LOOK,
            ),
            _entry(say("Type a move, or ask why it is not legal"), lambda: self._type(seat), _TYPE),
        ]

    def _hint_entry(self, seat: int) -> list[Entry]:
        """Offer a hint, where somebody gives them and the players have not agreed on none."""
        replay = self.match.replay
        if hinting.coach_for(replay) is None or hinting.refusal(replay):
            return []
        label = say("A hint: which moves look best, and why")
        if self.match.record.hints == HINTS_TOLD:
            player = self.match.players[seat]
            label = say(
                "A hint: which moves look best. The record will tell that {player} took one",
                player=player,
            )
        return [_entry(label, lambda: self._hint(seat), _HINT)]

    def _hint(self, seat: int) -> None:
        """Think, write down that a hint was taken if that is told, and show it."""
        replay, plain = self.match.replay, self.asker.plain
        refused = hinting.cannot_choose(replay, seat)
        coach = hinting.coach_for(replay)
        if refused or coach is None:
            self._tell(refused or hinting.no_coach(self.match.game.meta.title))
            return
        if self.match.record.hints == HINTS_TOLD and not self._is_hint_wanted(seat):
            return
        try:
            found = hinting.think(replay, seat, coach, count=_HINTED)
        except KeyboardInterrupt:
            return
        if not found.moves:
            self._tell(hinting.unknown(found))
            return
        if hinting.note(self.match, seat):
            self._save()

        def told(screen: Screen) -> list[Line]:
            if not plain:
                return hinting.lines_of(found, screen.width, with_commands=False)
            sentences = hinting.sentences_of(found, with_commands=False)
            return [line for one in sentences for line in wrapped(str(one), screen.width)]

        self.asker.show(told)

    def _is_hint_wanted(self, seat: int) -> bool:
        """Ask before the record tells for good that a hint was taken."""
        player = self.match.players[seat]
        question = say("Take a hint? The record will tell that {player} took one.", player=player)
        return self.asker.confirm(question)

    def _mail_entry(self, seat: int | None) -> list[Entry]:
        """Offer to send the game to whoever is next, where a mail server and addresses are known.

        ``seat`` is who could also play here; somebody who goes on needs no mail.
        """
        from porto_cli.cli.mail import would_get_it

        writer = self._last_mover() if self.seat is None else self.seat
        players = () if seat == writer else would_get_it(self.match.replay, writer)
        if not players:
            return []
        label = say("Send the game by mail to {players}", players=", ".join(players))
        return [_entry(label, lambda: self._send(writer, players), _MAIL)]

    def _send(self, writer: int, players: Sequence[str]) -> None:
        """Send the game and stop; if that fails, say why and go on. Nothing brings a mail back."""
        from porto_cli.cli.mail import send_game

        question = say("Send the game by mail to {players} now?", players=", ".join(players))
        if not self.asker.confirm(question):
            return
        if not self.match.is_saved():
            self._tell(
                say(
                    "{file} was changed by somebody else meanwhile, and nothing was sent. The file "
                    "is read again.",
                    file=self.match.path,
                )
            )
            self._read_again()
            return
        try:
            self.sent = send_game(self.match.replay, writer)
        except PortoError as error:
            for sentence in error.sentences:
                self._tell(sentence)
        else:
            raise StoppedError

    def _stop_entry(self) -> Entry:
        return _entry(say("Stop: the game is saved in {file}", file=self.match.path), _stop, _STOP)

    def _look_around(self, seat: int) -> None:
        """Show what does not fit above the questions. Secrets are shown to ``seat`` only."""
        replay, ui, plain = self.match.replay, self.ui, self.asker.plain

        def whole(screen: Screen) -> list[Line]:
            if not plain:
                return ui.table_text(replay, seat, screen)
            sentences = ui.table_sentences(replay, seat)
            return [line for one in sentences for line in wrapped(str(one), screen.width)]

        choices: list[Choice[Text]] = [
            Choice(_line(say("The whole table")), whole),
            Choice(
                _line(say("The story of the game")),
                lambda screen: ui.log_text(replay, screen.width),
            ),
            Choice(
                _line(say("Where all VP come from")),
                lambda screen: ui.score_text(replay, seat, screen.width, plain=plain),
            ),
        ]
        while True:
            self.asker.show(self.asker.choose(say("What do you want to look at?"), choices))

    def _type(self, seat: int) -> None:
        """Play a move that is typed, or explain what is wrong with it and ask again."""
        example = commands_of(self.match.game.meta.id).example
        question = say("Type a move, like: {example}", example=example)
        text = ""
        while True:
            text = self.asker.write(question, lambda typed: None, text)
            if not text:
                return
            try:
                if text.casefold() == "undo":
                    self._undo(self._last_mover() if self.seat is None else self.seat)
                else:
                    self._play(seat, text)
                return
            except InvalidMoveError as error:
                self._tell(error.sentence)
            except IllegalMoveError as error:
                self._explain(error)

    def _tell(self, sentence: Sentence) -> None:
        self.asker.show(lambda screen: wrapped(str(sentence), screen.width))

    def _explain(self, error: IllegalMoveError) -> None:
        """Tell which rules a move breaks, and what these rules are."""
        rules = dict.fromkeys(violation.rule for violation in error.violations)

        def explained(screen: Screen) -> list[Line]:
            lines: list[Line] = []
            for violation in error.violations:
                lines += wrapped(str(violation), screen.width, style=BOLD)
            return [*lines, [], *advice(rules, screen.width, self.ui.legend)]

        self.asker.show(explained)

    def _play(self, seat: int, *moves: str) -> None:
        """Play a move and write the record.

        Raises IllegalMoveError, InvalidMoveError, CancelledError.
        """
        match = self.match
        real = match.record.secrecy == TABLE
        came_up = self.ui.asked_chance(self.asker, None) if real else None
        match.play(*moves, player=match.players[seat], came_up=came_up)
        self._save()

    def _undo(self, seat: int) -> None:
        """Take back the last turn of a player and write the record. Raises IllegalMoveError."""
        self.match.undo(self.match.players[seat])
        self._save()

    def _save(self) -> None:
        """Write the record; if that fails, ask what to do about it."""
        while True:
            try:
                notices = self.match.save()
            except FileError as error:
                self.asker.put_above(None)
                choices = [
                    Choice(_line(say("Try again")), False),
                    Choice(_line(say("Read the file again, without this turn")), True),
                ]
                if self.asker.choose(error.sentence, choices, back=False) and self._read_again():
                    return
            else:
                for notice in notices:
                    self._tell(notice)
                return

    def _read_again(self) -> bool:
        """Go on with what the file holds now; if that cannot be, say why and return False."""
        assert self.match.path is not None
        try:
            found = load(self.match.path, keys_here)
        except PortoError as error:
            for sentence in error.sentences:
                self._tell(sentence)
            return False
        if (found.game, found.players) != (self.match.game, self.match.players):
            self._tell(
                say(
                    "{file} holds another game now, with {players}. Stop here, and start it with "
                    "'porto play'.",
                    file=self.match.path,
                    players=", ".join(found.players),
                )
            )
            return False
        self.match = found
        return True


def _stop() -> NoReturn:
    raise StoppedError


def _line(label: Sentence) -> Line:
    return [(str(label), PLAIN)]


def _entry(label: Sentence, action: Action, key: str = "") -> Entry:
    return Choice(_line(label), action, key=key)
