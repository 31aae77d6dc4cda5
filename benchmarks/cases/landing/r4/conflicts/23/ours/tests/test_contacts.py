from contacts import Contact, Group


def test_join_twice():
    ann = Contact("Ann", "ann@example.org")
    group = Group("choir")
    group.join(ann)
    group.join(ann)
    assert group.members == [ann]
    assert repr(ann) == "Ann <ann@example.org>"
