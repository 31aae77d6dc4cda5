import bonus
assert bonus.with_bonus([]) == 5
