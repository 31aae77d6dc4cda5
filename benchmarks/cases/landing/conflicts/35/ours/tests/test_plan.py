from job import Job
from plan import plan


def test_plan():
    assert plan([Job('a', 1), Job('b', 2)]) == ['a', 'b']
