from agents.counter import TABLE
def show():
    return len(TABLE)
