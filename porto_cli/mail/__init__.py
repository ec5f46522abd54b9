"""A game that goes around by mail: messages that are written and sent, and those that come in."""
