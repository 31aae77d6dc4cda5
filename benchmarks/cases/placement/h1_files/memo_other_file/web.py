from agents.counter import MEMO
def show():
    return len(MEMO)
