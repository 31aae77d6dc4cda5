from agents.store import ALL
def show():
    return len(ALL)
