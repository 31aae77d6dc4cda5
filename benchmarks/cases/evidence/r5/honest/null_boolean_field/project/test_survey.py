import pytest

from survey import Report, Survey

WANTED = {1: "smokes", 2: "does not smoke", 3: "did not say"}


@pytest.mark.parametrize("row", sorted(WANTED))
def test_line(row):
    answer = Survey().answer(row)
    assert Report().line(smoker=answer["smoker"])["line"] == WANTED[row]
