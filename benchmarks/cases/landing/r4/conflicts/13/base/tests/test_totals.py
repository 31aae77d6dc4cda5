from totals import total


def test_total():
    assert total(["who;amount", "# May", "ann;10.5", "", "bob;4"]) == 14.5
