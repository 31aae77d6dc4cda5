class State:
    last = 0
STATE = State()
