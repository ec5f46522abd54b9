"""Many games at once: simulations of a game, and tournaments of players.

``simulation``  what a game has to offer for it, playing the games, and counting how they ended
``tournament``  which games a tournament plays, the standings, and the games as lines of JSON
``elo``         ratings with their intervals
``report``      all of that as tables, as rows of CSV, and as JSON
"""
