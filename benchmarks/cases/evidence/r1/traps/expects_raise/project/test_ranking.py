import pytest
from ranking import Ranking, Search


def test_a_score_is_no_rank():
    with pytest.raises(ValueError):
        Ranking().place(rank=Search().best("tea")["score"])


def test_gold():
    assert Ranking().place(rank=1) == {"medal": "gold"}
