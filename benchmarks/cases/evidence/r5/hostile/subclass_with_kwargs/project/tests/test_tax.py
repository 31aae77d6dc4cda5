import pytest

from tax.base import Tax, Till
from tax.reduced import Reduced


@pytest.mark.parametrize("kind, tax", [(Tax, 200), (Reduced, 100)])
def test_compute(kind, tax):
    closed = Till().close(1)
    assert kind().compute(sales=closed["turnover"]) == {"tax": tax}
