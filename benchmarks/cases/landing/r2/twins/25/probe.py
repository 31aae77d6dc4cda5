import two
assert two.treble(2) == 6
