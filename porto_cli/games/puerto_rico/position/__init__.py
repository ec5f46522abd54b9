"""Positions of Puerto Rico: what the keys of a scenario file mean for this game."""
