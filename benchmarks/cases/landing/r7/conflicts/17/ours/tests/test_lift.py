from unittest.mock import Mock

from access.lift import Lift


def test_lift_asks_for_the_badge():
    badges = Mock()
    badges.is_allowed.side_effect = lambda badge, floor: badge == "ann"
    lift = Lift(badges)
    assert lift.call("ann", 3)
    assert not lift.call("bob", 4)
    assert lift.queue == [3]
