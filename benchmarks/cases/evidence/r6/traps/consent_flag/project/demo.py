from accounts import Profile

from tracker import Tracker

print(Profile().load("u1")["country"])
print(Tracker().record("u1", True))
