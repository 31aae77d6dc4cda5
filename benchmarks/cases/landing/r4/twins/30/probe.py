import console

console.ITEMS[:] = ["buy milk"]
assert console.run("count") == "1"
