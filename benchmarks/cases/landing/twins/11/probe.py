from cache import Cache
from warm import cold_keys
assert cold_keys(Cache(), ['a']) == ['a']
