"""Opening the pages behind items: what is wanted, fetching and reading it, and storing what was read."""
