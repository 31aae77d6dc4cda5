from podium import top3
assert top3([5, 0, 9, 1, 7]) == [5, 7, 9]
