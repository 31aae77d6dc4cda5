import pytest

from checkout import quote
from salestax import rate_for, tax_on


@pytest.mark.parametrize("state, rate", [("OR", 0.0), ("MT", 0.0), ("CA", 7.25), ("TX", 5.0)])
def test_rates(state, rate):
    assert rate_for({"city": "Somewhere", "state": state}) == rate


def test_tax_is_rounded_to_cents():
    assert tax_on(1010, {"city": "Albany", "state": "NY"}) == 40


def test_quote_includes_tax():
    q = quote([1000], "94103", find_place=lambda code: {"city": "San Francisco", "state": "CA"})
    assert q["tax"] == 72
    assert q["total"] == 1572
