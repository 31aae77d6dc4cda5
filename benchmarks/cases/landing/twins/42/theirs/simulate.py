import engine


def simulate(n):
    e = engine.running()
    while e.step() < n:
        pass
    return e.t
