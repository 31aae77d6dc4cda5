from cal.invite import Invite


def test_sorted():
    assert Invite().compose(attendees=["b", "a"])["to"] == "a@corp.test; b@corp.test"
