from optimizer import Optimizer
from sweep import Sweep


def test_every_point_descends():
    sweep = Sweep()
    for number in range(len(sweep)):
        drawn = sweep.draw(number)
        assert Optimizer().descend(lr=drawn["learning_rate"])["x"] < 1


def test_half_is_one_step():
    assert Optimizer(8.0).descend(lr=0.5)["x"] == 0
