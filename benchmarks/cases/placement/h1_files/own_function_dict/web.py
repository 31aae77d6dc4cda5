from agents.counter import report
def show():
    return report()
