from history import History
from repeat import bang_bang
h = History()
h.add('a')
h.add('b')
assert bang_bang(h) == 'b'
