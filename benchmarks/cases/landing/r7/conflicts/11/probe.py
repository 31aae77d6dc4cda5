from ferry import tariff

before = tariff.quote("A", 10)
tariff.raise_tariff(10)
after = tariff.quote("A", 10)
assert after == 2640 and before == 2400, (before, after)
