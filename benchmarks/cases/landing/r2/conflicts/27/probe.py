import columns
assert columns.column("a b") == "a_b_id"
