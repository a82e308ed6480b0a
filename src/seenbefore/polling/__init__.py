"""When to ask a source again, and how often a host may be asked: pure functions of what came back and the time."""
