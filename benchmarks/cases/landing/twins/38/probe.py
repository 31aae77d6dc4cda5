import dump
assert dump.dump(['a', 'b'])
