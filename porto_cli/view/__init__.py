"""What a seat may see: the one exit from the state of a game to people and programs.

Everything that is shown, as text, picture or JSON, is made of what these modules return, and
they return nothing that is face down, nor the private contracts of anybody but the seat that
asks, until the game is over. What they return is plain data: names instead of integers.

``table``      the table as it stands, or as it stood after an earlier turn
``observation``  the same for a program that plays: table and legal moves of a seat
``preview``    what moves would lead to, as far as it can be known
``options``    the legal moves, what they would score, the contracts that they could fulfill
``next_step``  who can do what now, and the command to type
``story``      turn by turn what happened, and where each VP came from
``progress``   what a private contract can still bring
``reckoning``  who is ahead and why; after the end, each private contract house by house
"""

from porto_cli.view.next_step import what_next

__all__ = ["what_next"]
