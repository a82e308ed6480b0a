"""Merging without losing anything: plans and undo (pure), and the one place that carries a plan out."""
