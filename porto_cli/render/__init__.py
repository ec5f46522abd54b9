"""Views for people: the table as sentences, as text in a terminal, as pictures, as JSON.

Nothing here reads a state or a record: what is shown is what :mod:`porto_cli.view` returns.
"""
