from checkout import quote

assert quote([1000], "97201")["tax"] == 0, quote([1000], "97201")
assert quote([1000], "94103")["tax"] == 72, quote([1000], "94103")
