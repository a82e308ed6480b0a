"""Text features, all pure: cleaning, fingerprints, titles and their figures, exact overlap."""
