"""Puerto Rico for people and programs: as text, as sentences, as JSON.

All that is shown of a table is made from an :class:`~..engine.observation.Observation`, which
has nothing that the asking seat may not see; what happened is made from events. Nothing here
reads a record, writes a file or knows a terminal.

``phrases`` has the words that several modules share, ``event_text`` says what happened,
``table_text`` and ``plain`` show the table, ``move_list`` the legal moves, ``next_step`` what
can be done, ``history`` and ``log_text`` the story, ``scoring`` and ``score_text`` the
reckoning; ``json`` has all of it for programs. ``svg`` is the table as a picture, made of the
panels in ``picture``; ``html`` the picture with the same in words, ``film`` and ``log_html`` the
game to be stepped through.
"""
