import watch
assert watch.slow(0, 5) is False
