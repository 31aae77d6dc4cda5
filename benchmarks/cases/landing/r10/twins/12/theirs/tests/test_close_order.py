import pytest

from accounts import Team


def test_listeners_see_the_seat_as_free():
    team, seen = Team(2), []
    team.on_close.append(lambda account: seen.append(team.free_seats))
    team.open("ann", "ann@x.org", "123")
    team.close("ann")
    assert seen == [2]


def test_close_twice():
    team = Team(2)
    team.open("ann", "ann@x.org")
    team.close("ann")
    with pytest.raises(ValueError):
        team.close("ann")
    assert team.free_seats == 2
