import pytest

from accounts import Team


def test_listeners_never_see_personal_data():
    team, seen = Team(2), []
    team.on_close.append(lambda account: seen.append((account.email, account.phone)))
    team.open("ann", "ann@x.org", "123")
    team.close("ann")
    assert seen == [("", "")]


def test_close_twice():
    team = Team(2)
    team.open("ann", "ann@x.org")
    team.close("ann")
    with pytest.raises(ValueError):
        team.close("ann")
    assert team.free_seats == 2
