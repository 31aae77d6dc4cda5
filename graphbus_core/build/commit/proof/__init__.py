"""The gates, cheapest first; each says why not."""
