from unittest import mock

import pytest

from brewery import batch


def standing_at(rate):
    return mock.Mock(flow=mock.Mock(return_value=rate))


def test_open_for():
    assert batch.open_for(standing_at(30), 15) == 30


def test_stopped():
    with pytest.raises(batch.LineStopped):
        batch.open_for(standing_at(0), 15)


def test_valve_is_closed_whatever_happens():
    valve = mock.Mock()
    with pytest.raises(KeyboardInterrupt):
        batch.fill(valve, standing_at(30), 1, mock.Mock(side_effect=KeyboardInterrupt))
    valve.close.assert_called_once_with()
