import pytest

from accounts import Team
from audit import Audit


def test_close_frees_the_seat_and_forgets():
    team = Team(1)
    audit = Audit(team)
    account = team.open("ann", "ann@x.org", "123")
    with pytest.raises(ValueError):
        team.open("bob", "bob@x.org")
    team.close("ann")
    assert team.free_seats == 1
    assert (account.closed, account.email, account.phone) == (True, "", "")
    assert audit.lines == ["closed ann"]
