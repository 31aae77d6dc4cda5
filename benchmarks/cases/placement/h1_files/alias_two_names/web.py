from agents.counter import SHARED
def show():
    return len(SHARED)
