"""The cryptography of sealed and signed games: bytes in, bytes out.

No file, no YAML, no terminal and no game is known here. What is hidden is a *pile* of things,
numbered from 0; some seats get some of them, which nobody else may learn. The protocol, with every
tag and byte, is described in porto-sealed(7); an independent program in the tests is written from
that page.

Importing a module of this package loads libsodium, which takes longer than replaying a game: do it
in sealed and signed games only.
"""
