import pytest

from booker import Booker
from ranker import Ranker


def test_a_score_is_not_a_probability():
    ranked = Ranker().rank("acme")
    with pytest.raises(ValueError):
        Booker().book(lead=ranked["lead"], probability=ranked["score"])


def test_books():
    assert Booker().book(lead="x", probability=0.5)["expected"] == 500
