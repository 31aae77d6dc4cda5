from worker import work
assert work(2) == 2
