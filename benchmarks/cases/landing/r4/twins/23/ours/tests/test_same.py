from contacts import Contact, Group


def test_same_address():
    group = Group("choir", Contact("Ann", "ann@example.org"))
    group.join(Contact("Ann B.", "Ann@example.org"))
    assert len(group.members) == 1
