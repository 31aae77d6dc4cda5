"""How much of a maze can be reached from a cell."""


def reachable(grid, x, y):
    start = grid.at(x, y)
    todo, seen = [start], {start}
    while todo:
        for cell in grid.around(todo.pop()):
            if cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return len(seen)
