import engine


def simulate(n):
    e = engine.Engine()
    while e.step() < n:
        pass
    return e.t
