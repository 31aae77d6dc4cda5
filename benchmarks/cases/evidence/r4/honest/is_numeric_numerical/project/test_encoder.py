import pytest

from encoder import OrdinalEncoder
from parameter import Parameter


@pytest.mark.parametrize("name, how", [("number", "scale"), ("colour", "ordinal")])
def test_how(name, how):
    parameter = Parameter().describe(name)
    assert OrdinalEncoder().encode(is_numeric=parameter["is_numerical"])["how"] == how
