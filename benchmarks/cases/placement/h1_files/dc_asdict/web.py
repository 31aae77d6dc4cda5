from dataclasses import asdict
from agents.counter import STATS
def show():
    return asdict(STATS)
