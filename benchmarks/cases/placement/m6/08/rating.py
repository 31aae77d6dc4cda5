"""Elo ratings."""
K = 32
START = 1200
TITLES = [(1250, "master"), (1210, "expert"), (0, "player")]

ratings: dict[str, float] = {}


def expected(a: float, b: float) -> float:
    return 1 / (1 + 10 ** ((b - a) / 400))


def title(points: float) -> str:
    for limit, name in TITLES:
        if points >= limit:
            return name
    return "player"


def settle(table: dict[str, float], winner: str, loser: str) -> float:
    """Book a result in the table, return how many points changed hands."""
    w = table.get(winner, START)
    l = table.get(loser, START)
    gain = K * (1 - expected(w, l))
    table.update({winner: w + gain, loser: l - gain})
    return gain
