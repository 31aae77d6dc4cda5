from figures import corner
x, y = corner(3)
assert abs(x - 3) < 1e-6 or y == 0
