from stats import size
assert size('a')
