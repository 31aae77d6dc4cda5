from schema import fresh
from totals import biggest
assert biggest(fresh())
