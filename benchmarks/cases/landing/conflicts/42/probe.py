from simulate import simulate
assert simulate(4) == 4
