from club.members import Member, Roll
from club.privacy import erase

gone = Member("z@x.org", "Zoe", lapsed=True)
erase(Roll([gone]), "z@x.org")
assert gone.name == "(erased)", gone
