import pytest

from deployer import Deployer


class TestRoll:
    @pytest.mark.parametrize("replicas", [1, 3])
    def test_said(self, built, replicas):
        assert Deployer().roll(tag=built["image"], replicas=replicas)["said"] == f"{replicas}x app:abc"
