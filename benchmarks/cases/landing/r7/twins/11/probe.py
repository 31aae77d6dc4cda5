from ferry import tariff

before = tariff.quote("A", 10, ["car"])
tariff.raise_surcharges(10)
after = tariff.quote("A", 10, ["car"])
assert after == before + 220, (before, after)
