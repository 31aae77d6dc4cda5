from altimeter import Altimeter
from flight import Fix
from terrain import Terrain


def test_above_the_ridge():
    fix = Fix(height=Altimeter().read()["altitude"])
    assert Terrain().clearance(height=fix.height) == {"above": 289.4}
