"""Games in progress: records, replay, moves, and several copies of a game."""
