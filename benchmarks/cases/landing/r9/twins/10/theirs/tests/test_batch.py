from unittest import mock

import pytest

from brewery import batch


def standing_at(rate):
    return mock.Mock(flow=mock.Mock(return_value=rate))


def test_shares():
    assert batch.shares(standing_at(30), standing_at(10), 20) == (15, 5)


def test_stopped():
    with pytest.raises(batch.LineStopped):
        batch.shares(standing_at(0), standing_at(0), 15)


def test_mixed():
    assert batch.mixed(standing_at(10), standing_at(10), 80, 20) == 50
