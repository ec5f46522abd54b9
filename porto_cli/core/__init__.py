"""What knows no game and no terminal."""
