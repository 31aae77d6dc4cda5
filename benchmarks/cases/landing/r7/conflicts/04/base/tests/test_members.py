from club.mailing import newsletter_addresses
from club.members import Member, Roll


def roll():
    return Roll([Member("a@x.org", "Ada"), Member("b@x.org", "Ben", lapsed=True)])


def test_newsletter_goes_to_paying_members():
    assert newsletter_addresses(roll()) == ["a@x.org"]


def test_find_by_address():
    assert [m.name for m in roll().find("a@x.org")] == ["Ada"]
