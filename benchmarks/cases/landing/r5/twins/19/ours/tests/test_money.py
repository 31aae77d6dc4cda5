import pytest

from money.quote import quote
from money.rates import rate


def test_quote():
    assert quote(100, "usd") == pytest.approx(91.08)


def test_unknown():
    with pytest.raises(KeyError):
        rate("XXX")
