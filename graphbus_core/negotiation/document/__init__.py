"""The document negotiation: issue by issue, in turns, to one agreed text (seed 004)."""
