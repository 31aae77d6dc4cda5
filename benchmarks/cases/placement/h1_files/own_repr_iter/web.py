import copy
from agents.counter import STATS
def show():
    return copy.deepcopy(STATS)
