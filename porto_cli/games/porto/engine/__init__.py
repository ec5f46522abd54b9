"""The rules of Porto, pure."""
