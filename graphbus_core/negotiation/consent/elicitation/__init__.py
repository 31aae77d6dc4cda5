"""Sealed preferences: no tables; a few comparisons are asked, and the engine alone keeps what fits them."""
