"""The consent negotiation: advocates trade until nobody objects (seeds 001, 003)."""
