from agents.counter import STATS
def show():
    return STATS.snapshot()
