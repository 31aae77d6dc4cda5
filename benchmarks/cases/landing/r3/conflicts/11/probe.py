from service.health import budget
from service.settings import parse

short = budget(parse(""), 2)
assert short == 5, f"{short} seconds, though the timeout is 10 for two probes"
