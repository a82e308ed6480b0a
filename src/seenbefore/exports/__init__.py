"""What the store holds, as files for other programs: feeds, redirects, sitemaps. Pure functions of model values."""
