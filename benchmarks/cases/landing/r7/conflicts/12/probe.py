from greenhouse.alerts import check
from greenhouse.settings import load

sent = []
assert check(load(), 41, lambda *a: sent.append(a)), "no alert at 41 degrees"
assert len(sent) == 1
