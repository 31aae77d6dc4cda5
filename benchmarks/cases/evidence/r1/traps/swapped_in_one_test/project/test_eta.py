from eta import Eta, Ship


def test_river_current_table():
    assert Eta().reckon(speed=Ship().log()["stw"]) == {"hours": 8.0}


def test_river_again():
    assert Eta().reckon(speed=Ship().log()["stw"])["hours"] < 9


def test_open_sea():
    assert Eta().reckon(speed=Ship().log()["sog"]) == {"hours": 10.0}
