"""Playing at one keyboard: questions, the screen between them, and the turns of a game.

``asking``     what a question is, whoever asks it
``menus``      questions as menus, on a terminal that can move its cursor
``lines``      questions as numbered lines, for every other terminal and for screen readers
``stage``      the screen: drawn, cleared, left without a trace
``narrowing``  from hundreds of builds to one, step by step
``choosing``   the questions that lead to a move
``coming_up``  what came up on a real table, asked when it is needed
``dealing``    what lies on a real table at the start
``founding``   the questions that set up a game
``scene``      the table as it stands above a question, as large as fits
``advice``     the rulings behind a question
``session``    a game from where it stands to its end
"""
