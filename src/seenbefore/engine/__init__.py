"""Where core and store meet: items in, explained decisions out."""
