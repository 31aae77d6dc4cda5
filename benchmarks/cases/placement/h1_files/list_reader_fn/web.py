from agents.counter import rows
def show():
    return rows()
