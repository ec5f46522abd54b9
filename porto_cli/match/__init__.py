"""Games in progress: records, replay, moves, signatures, and several copies of a game."""
