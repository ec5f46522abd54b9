"""How Porto is shown and asked for."""
