LAST = 0
def put(n: int) -> int:
    global LAST
    LAST = n
    return LAST
def get() -> int:
    return LAST
