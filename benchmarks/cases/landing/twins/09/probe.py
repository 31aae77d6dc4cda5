from quote import quote
assert quote(1) == 96
