from contacts import Contact, Group
from mailing import recipients


def test_recipients():
    ann, bob = Contact("Ann", "ann@example.org"), Contact("Bob", "bob@example.org")
    assert recipients([Group("choir", ann, bob), Group("board", bob)]) == [ann, bob]
