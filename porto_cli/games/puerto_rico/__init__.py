"""Puerto Rico: the base game for two to five players and the expansion of 14 buildings."""
