import custom
assert custom.Loud().show(["a"]) == "A"
