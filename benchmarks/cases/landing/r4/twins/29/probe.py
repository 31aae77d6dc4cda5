from signup import signup

assert signup({"name": "Ann", "mail": "ann@example.org"})[0] == 201
assert signup({"name": "", "mail": "bob"})[0] == 400
