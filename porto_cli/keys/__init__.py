"""Data of one user outside of records: the key, and the journal of what it has signed.

All of it is in one folder that nobody else can read.
"""
