from agents.counter import known
def show():
    return known()
