from tickets import Ticket


def test_title():
    assert Ticket('x').title == 'x'
