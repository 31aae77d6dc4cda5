"""Schema migrations: files step_*.py, each with one numbered step."""
import glob
import importlib
import os

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = {}


def step(number):
    def register(function):
        STEPS[number] = function
        return function
    return register


def load():
    for path in sorted(glob.glob(os.path.join(HERE, "step_*.py"))):
        importlib.import_module(os.path.basename(path)[:-3])


def migrate(db):
    """Run the steps that this database has not seen."""
    load()
    version = db.execute("PRAGMA user_version").fetchone()[0]
    for number in sorted(STEPS):
        if number > version:
            STEPS[number](db)
            db.execute(f"PRAGMA user_version = {number}")
