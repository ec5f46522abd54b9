"""Many games at once: what players make of a new game, or of a running one.

``simulation``  what a game has to offer for it
``loop``        playing the games, here or elsewhere
``tally``       the sum of many games
``report``      the sum as a table, and each game as rows or JSON
"""
