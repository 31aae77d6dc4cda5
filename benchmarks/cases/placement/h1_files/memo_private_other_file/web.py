from agents import counter
def show():
    counter._MEMO[3] = 7
