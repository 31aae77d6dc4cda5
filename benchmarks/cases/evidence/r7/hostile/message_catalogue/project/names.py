"""What the panels call it: what the lift calls it. One thing each."""
SAME_THING = {"riders": "persons"}


def upgrade(shown):
    return {SAME_THING.get(name, name): value for name, value in shown.items()}
