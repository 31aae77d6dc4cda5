from roster import same
assert same('Dr. Bo', 'Bo')
