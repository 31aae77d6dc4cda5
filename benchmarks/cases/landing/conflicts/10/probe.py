from dial import address
assert address('nope') == '127.0.0.1'
