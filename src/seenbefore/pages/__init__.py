"""What a page says about itself: dates with their evidence, text, addresses, and what kind of page it is. Pure."""
