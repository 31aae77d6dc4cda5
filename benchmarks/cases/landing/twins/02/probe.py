import billing
assert billing.pages_billed('3-7') in (5, True)
