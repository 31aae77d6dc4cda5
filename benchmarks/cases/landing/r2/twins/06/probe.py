import stats
assert stats.count_good(["1", "x"]) == 1
