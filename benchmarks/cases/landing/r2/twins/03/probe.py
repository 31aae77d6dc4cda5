import audit, login
assert 13 in login.log_in("ann")
