from agents.counter import STATS, Stats
def show():
    match STATS:
        case Stats(n):
            return n
