"""What an order that cannot be read was probably meant to be: how people say it elsewhere.

Nothing is read in this way. What somebody has typed is written again in the words of orders,
and proposed if that is an order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from porto_cli.abilities import Orders
from porto_cli.core.message import InvalidMoveError, Sentence, enumerated, say
from porto_cli.game import Game


class Habit(NamedTuple):
    """A way to say something that orders say otherwise."""

    said: re.Pattern[str]
    instead: str
    """What an order says in place of it, as :func:`re.sub` has it."""
    hint: Sentence


def _habit(said: str, instead: str, hint: Sentence) -> Habit:
    return Habit(re.compile(said, re.IGNORECASE | re.VERBOSE), instead, hint)


_NONE = say(
    "'none' takes back all of your orders; after the word for a decision, it takes back the order "
    "for that."
)
_LIST = say(
    "'porto order FILE' lists your orders, 'porto order FILE KIND' says what an order for that "
    "decision can be, and 'porto help order' explains orders."
)
_SCOPE = say(
    "The first word of an order says how long it stands: once, which can be left out, round or "
    "always."
)
_TURN = say("The word for every decision is 'turn'.")
_IF = say("A condition begins with 'if', and follows the choice that it is for.")
_ELSE = say("Between two choices there is ', else'.")
_ANY = say(
    "'any' is the first possible move that has the words after 'any', and none of the words after "
    "'but'."
)
_COUNTED = say("A condition on a number says 'at least', 'at most', 'is there' or 'is gone'.")
_PLAYS = say("A condition on what a player does says 'plays', and then words of the move.")

_VERBS = "build | draw | load | place | sell | store"

_HABITS = (
    _habit(r"^ (?: list | show | status | help | \?+ ) $", "", _LIST),
    _habit(
        r"""^ (?: cancel | clear | delete | forget | off | remove | revoke | stop | take \s back )
        (?: \s (?: all | everything | it | my | of | the | orders? | for ) )* (?: \s (\w+) )?
        (?: \s orders? )? $""",
        r"\1 none",
        _NONE,
    ),
    _habit(
        r"^ (\w+) \s (?: cancel | delete | nothing | off | remove | stop ) $", r"\1 none", _NONE
    ),
    _habit(
        r"""^ (.*?) ,? \s* \b (?: forever | from \s now \s on | permanently
        | (?: each | every ) \s (?: round | time ) | for \s the \s rest \s of \s the \s game
        | until \s i \s .* ) ,? \s* (.*) $""",
        r"always \1 \2",
        _SCOPE,
    ),
    _habit(
        r"""^ (.*?) ,? \s* \b (?: for \s | in \s )? (?: the \s rest \s of \s )?
        (?: this | the ) \s round \b ,? \s* (.*) $""",
        r"round \1 \2",
        _SCOPE,
    ),
    _habit(
        r"(?: ^ | ,? \s ) (?: the \s )? (?: next (?: \s time )? | (?: just | only ) \s once ) \b",
        " ",
        _SCOPE,
    ),
    _habit(r",? \s (?: until | till ) \b .* $", "", _SCOPE),
    _habit(
        r"^ ( (?: (?: once | round | always ) \s )? ) (?: every | all ) (?: thing | \s turns? "
        r"| \s decisions? ) \s (?= \S )",
        r"\1turn ",
        _TURN,
    ),
    _habit(
        r"""(?<! \S ) (?: when | while | provided | as \s (?: long | soon ) \s as | in \s case )
        (?! \S )""",
        "if",
        _IF,
    ),
    _habit(
        r"^ ( (?: [\w-]+ \s ){0,2}? ) (if \s .+?) (?: \s? [:,] | \s then ) \s (?! else ) (.+) $",
        r"\1\3 \2",
        _IF,
    ),
    _habit(r"\b unless \s ([\w-]+) \s is \s there \b", r"if \1 is gone", _IF),
    _habit(r"\b unless \s ([\w-]+) \s is \s gone \b", r"if \1 is there", _IF),
    _habit(r",? \s (?: or \s (?: less | fewer ) ) \b", " or less", _COUNTED),
    _habit(r"([\w-]+) \s (\d+) \s or \s (?: less | fewer ) \b", r"\1 at most \2", _COUNTED),
    _habit(r"([\w-]+) \s (\d+) \s or \s more \b", r"\1 at least \2", _COUNTED),
    _habit(r"\b i \s have \s at \s (least | most) \s (\d+) \s ([\w-]+)", r"\3 at \1 \2", _COUNTED),
    _habit(r"\b is \s at \s (least | most)", r"at \1", _COUNTED),
    _habit(
        r"\b is \s (?: empty | missing | taken | not \s (?: available | left | there) )",
        "is gone",
        _COUNTED,
    ),
    _habit(r"\b is \s (?: available | free | left | still \s there )", "is there", _COUNTED),
    _habit(rf"\b ({_VERBS}) s \b", r"plays \1", _PLAYS),
    _habit(r"\b (?: chooses | gets | picks | takes ) \b", "plays", _PLAYS),
    _habit(r"\b passes \b", "plays pass", _PLAYS),
    _habit(
        r"\b (?: any (?: thing )? | all | everything ) \s (?: but \s not | but | except | not "
        r"| without ) (?! \S )",
        "any but",
        _ANY,
    ),
    _habit(r"(?<! \S ) (?: except | not ) (?! \S )", "any but", _ANY),
    _habit(r"(?<! \S ) (?: anything | whatever ) (?! \S )", "any", _ANY),
    _habit(
        r"""\s? ,? \s (?: and \s then | if \s not | or \s else | or (?! \s (?: less | more ) \b )
        | otherwise | then ) (?: \s else )? ,? \s""",
        ", else ",
        _ELSE,
    ),
    _habit(r"\s? , (?! \s? else \b | $ ) \s?", ", else ", _ELSE),
    _habit(rf"(?<! \S ) ({_VERBS}) \s any (?! \S )", r"any \1", _ANY),
    _habit(rf", \s else \s ({_VERBS}) (?= , | $ )", r", else any \1", _ANY),
)
"""One is applied after the other. What is longer comes before what it contains."""

_SCOPED = re.compile(r"((?:(?:once|round|always) )?)(?:turn )?(.*)", re.IGNORECASE)


def meant(
    text: str,
    game: Game,
    orders: Orders[Any, Any, Any],
    kinds: Sequence[str],
    read: Callable[[str], str],
) -> list[Sentence]:
    """Say what an order that cannot be read was probably meant to be; nothing if that is unknown.

    ``read`` returns an order in canonical form, or raises InvalidMoveError; ``kinds`` are those of
    the decisions that it can be for.
    """
    said, hints = " ".join(text.split()), list[Sentence]()
    for habit in _HABITS:
        again = " ".join(habit.said.sub(habit.instead, said).split())
        if again != said:
            said, hints = again, [*hints, habit.hint]
    known = {*game.ui.names, *orders.kinds}
    for word in said.split():
        verb = game.commands.synonyms.get(word.lower())
        if verb and word.lower() not in known:
            said = re.sub(rf"(?<!\S){re.escape(word)}(?!\S)", verb, said)
            hints.append(say("In a move, {word!r} is {verb!r}.", word=word, verb=verb))
    hints = [hint for nth, hint in enumerate(hints) if hint not in hints[:nth]]
    scoped = _SCOPED.fullmatch(said)
    assert scoped is not None
    scope, rest = scoped.groups()
    found, faults = _read_all([said] if hints else [], read)
    if not found and rest.partition(" ")[0].lower().rstrip(":,") not in ("", *orders.kinds):
        found, _ = _read_all([f"{scope}{kind} {rest}" for kind in kinds], read)
        if found and not hints:
            hints.append(say("Say which decision the order is for."))
    if found:
        return [*hints, say("Did you mean: {orders}?", orders=enumerated(found, "or"))]
    return [*hints, *faults] if said else hints


def _read_all(
    texts: Sequence[str], read: Callable[[str], str]
) -> tuple[list[str], tuple[Sentence, ...]]:
    """Return those that are orders, and why the last of the others is none."""
    found, faults = list[str](), tuple[Sentence, ...]()
    for text in texts:
        try:
            found.append(read(text))
        except InvalidMoveError as error:
            faults = error.sentences
    return found, faults
