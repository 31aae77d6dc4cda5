import importlib
import pkgutil

STEPS = {}


def step(number):
    """Register a schema step; steps run in the order of their numbers."""
    def keep(func):
        STEPS[number] = func
        return func
    return keep


def upgrade(conn):
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    done = conn.execute("PRAGMA user_version").fetchone()[0]
    for number in sorted(STEPS):
        if number > done:
            STEPS[number](conn)
            conn.execute(f"PRAGMA user_version = {number}")
