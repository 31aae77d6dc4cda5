from tasks.board import board
from tasks.model import State, Task

states = list(State)
shown = board([Task(state.value, state) for state in states])
assert sum(len(names) for names in shown.values()) == len(states), shown
