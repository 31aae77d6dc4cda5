from unittest.mock import Mock

from cinema import Usher, evening


def test_call():
    usher = Mock(spec=Usher)
    evening(usher)
    usher.seat.assert_called_once_with(seats=["A1", "A2"])
