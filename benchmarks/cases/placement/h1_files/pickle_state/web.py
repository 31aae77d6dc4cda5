import pickle
from agents.counter import STATS
def save():
    open("x", "wb").write(pickle.dumps(STATS))
