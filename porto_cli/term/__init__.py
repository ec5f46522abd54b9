"""Paper, ink and screen, whatever is drawn."""
