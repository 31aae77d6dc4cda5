from nightly import nightly
assert nightly({'a': 90, 'b': 1}) == '1 deleted, 1 kept'
