"""Safe fetching: one door to the network for feeds, pages and images."""
