"""The table as a picture: houses along the river, and what lies on the table below.

``paper``    pictures as pieces of SVG, text that fits and is escaped
``shapes``   what is drawn again and again: floors, roofs, cards, boats
``scene``    the houses, and the river with the score track
``board``    the cards, contracts and supplies
``seats``    what each player has
``chart``    the scores over the rounds
"""
