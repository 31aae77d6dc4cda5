from agents.counter import STATS
def show():
    return f"{STATS}"
