import pytest
from logparse import LogError, parse_line


def test_reason():
    with pytest.raises(LogError) as caught:
        parse_line("2024-01-05 LOUD hello")
    assert caught.value.reason == "unknown level"
