from tickets.changelog import tickets_of


def test_tickets_of():
    assert tickets_of(["AB-1 and CD-2", "fix AB-1"]) == ["AB-1", "CD-2"]
