import sizes
assert sizes.size("abc") == 3
