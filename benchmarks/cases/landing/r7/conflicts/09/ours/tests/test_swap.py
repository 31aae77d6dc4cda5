import pytest

from seedbank.desk import swap
from seedbank.store import Store


def test_failed_swap_changes_nothing(tmp_path):
    s = Store(tmp_path / "seeds.db")
    with s.unit():
        s.save("rye", 5)
    with pytest.raises(ValueError):
        swap(s, "oats", "rye", 20)
    assert s.grams("oats") == 0
