from agents.counter import STATE
def show():
    return STATE.last
