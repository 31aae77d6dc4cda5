from agents.counter import STATS
def show():
    return "{0.total}".format(STATS)
