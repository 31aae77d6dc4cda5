from audit import Audit
from sessions import is_online

a = Audit()
a.record(5, "ann", "login")
a.record(9, "ann", "logout")
assert not is_online(a, "ann")
