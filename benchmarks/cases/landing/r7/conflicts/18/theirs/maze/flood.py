"""How much of a maze can be reached from a cell."""


def reachable(grid, x, y):
    start = grid.at(x, y)
    todo, seen = [start], [start]
    start.visited = True
    while todo:
        for cell in grid.around(todo.pop()):
            if not getattr(cell, "visited", False):
                cell.visited = True
                todo.append(cell)
                seen.append(cell)
    for cell in seen:
        del cell.visited
    return len(seen)
