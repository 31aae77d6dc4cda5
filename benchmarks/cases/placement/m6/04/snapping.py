from shapes import Point

TOLERANCE = 1.5


def snap(point: Point, tolerance: float = TOLERANCE, anchors: list[Point] = []) -> Point:
    """Pull the point to the nearest anchor, or make it one."""
    best = min(anchors, key=point.distance, default=None)
    if best is not None and point.distance(best) <= tolerance:
        return best
    anchors.append(point)
    return point


def hull(points: list[Point]) -> list[Point]:
    todo = sorted(set(points))
    if len(todo) < 3:
        return todo

    def half(sequence) -> list[Point]:
        chain: list[Point] = []
        for p in sequence:
            while len(chain) > 1 and chain[-1].minus(chain[-2]).cross(p.minus(chain[-2])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(todo) + half(reversed(todo))
