import audit, login
assert "Hello ann" in login.log_in("ann")
