from tally import tally

counts, skipped = tally(["Traceback", "2024-01-05 INFO up"])
assert (counts["INFO"], skipped) == (1, 1)
