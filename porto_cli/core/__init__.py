"""Utilities that know neither games nor terminals."""
