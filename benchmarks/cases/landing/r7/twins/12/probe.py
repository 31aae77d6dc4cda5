from greenhouse.alerts import check
from greenhouse.settings import load

sent = []
assert check(load(), -2, lambda *a: sent.append(a)), "no alert at -2 degrees"
assert len(sent) == 1
