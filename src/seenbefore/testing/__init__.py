"""What tests of this package, and of stores written elsewhere, are built from.

``contract`` is the behavior every store must show, ``builders`` make model values with sensible
defaults, ``clock`` stands still until it is asked, ``faults`` breaks a database on purpose.
"""
