from web.cache import Cache
from web.sessions import Sessions

now = [0.0]
sessions = Sessions(Cache(lambda: now[0]))
token = sessions.open("ada")
now[0] = 1200.0
assert sessions.user(token) == "ada", "logged out after 20 minutes"
now[0] = 2900.0
assert sessions.user(token) == "ada"
now[0] = 4800.0
assert sessions.user(token) is None
