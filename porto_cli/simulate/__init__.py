"""Many games at once.

``simulation``  what a game has to offer for it, playing the games, and counting how they ended
``report``      that as tables, rows of CSV and JSON, and the file from which a simulation goes on
"""
