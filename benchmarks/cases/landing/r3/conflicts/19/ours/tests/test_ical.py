import pytest

from rooms.db import connect
from rooms.ical import BadLine, take_over
from rooms.usage import usage


def test_take_over():
    connection = connect()
    assert take_over(connection, ["blue,2024-05-01,8,10", "blue, 2024-05-01,9,10", "red,2024-05-01,8,12"]) == (2, 1)
    assert usage(connection) == {"blue": 2, "red": 4}


def test_bad():
    with pytest.raises(BadLine, match="line 1"):
        take_over(connect(), ["blue,2024-05-01,8"])
