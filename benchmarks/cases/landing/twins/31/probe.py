from rot import Rot13
assert Rot13().encode('a') == 'n'
