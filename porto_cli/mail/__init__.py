"""Games by mail, out and in."""
