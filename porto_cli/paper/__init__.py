"""Documents, and what writes them: for a terminal, in plain sentences, as a page, in a mail."""
