from club.members import Member, Roll
from club.privacy import erase


def test_erase_blanks_every_record():
    ada = Member("a@x.org", "Ada", notes=["likes chess"])
    old = Member("a@x.org", "Ada", lapsed=True)
    assert erase(Roll([ada, old]), "a@x.org") == 2
    assert old.email == ada.email == ""
    assert ada.notes == []
