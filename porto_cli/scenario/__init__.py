"""Scenarios: a position, what is done there, and what must follow (porto-scenario(5)).

``positions``     what a game has to offer for it
``expectations``  what a case of any game can ask
``runner``        scenario files: loading and running them
``excerpt``       a turn of a running game as a scenario
"""
