import export
assert export.row([2, 3]) == "2;5"
