"""The games that porto plays, a package each."""
