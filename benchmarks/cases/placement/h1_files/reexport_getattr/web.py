import sys
from hub import state
def show(name: str = sys.argv[1]):
    return getattr(state, name)
