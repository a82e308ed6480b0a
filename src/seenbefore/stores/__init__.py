"""Where records, sightings, keys and decisions are kept: one protocol, several stores."""
