"""Porto."""
