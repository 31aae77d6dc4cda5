from agents.counter import latest
def show():
    return latest()
