"""Playing at one keyboard: questions, the screen between them, and the turns of a game.

``prompt``            what a question is, whoever asks it
``menu``              a menu: what is pointed at, marked and searched for, and how it looks
``pager``             a long text: how much of it is shown
``menus``             questions as menus, on a terminal that can move its cursor
``lines``             questions as numbered lines, for other terminals and for screen readers
``alt_screen``        the second screen of the terminal, left without a trace
``grouping``          from hundreds of builds to one, step by step
``labels``            how houses, cards and builds are shown in a list
``move_prompts``      the questions that lead to a move
``chance_prompts``    what came up on a real table, asked when it is needed
``setup_prompts``     what lies on a real table at the start
``new_game_prompts``  the questions that set up a game
``board_panel``       the table as it stands above a question, as large as fits
``sides``             the houses as two tables
``news``              what has happened since the reader's last turn
``advice``            the rulings behind a question
``session``           a game from where it stands to its end
"""
