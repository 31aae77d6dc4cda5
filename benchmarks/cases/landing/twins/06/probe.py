import health
assert health.ping().deadline >= 5
