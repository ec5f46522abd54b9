"""Positions of scenarios."""
