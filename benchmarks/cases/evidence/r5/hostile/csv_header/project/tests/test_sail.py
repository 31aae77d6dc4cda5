from sail.nodes import Log, Tracker
from sail.replay import replay


def test_replay():
    assert list(replay("data/monday.csv")) == ["N1 5.2 kn", "S2 6.0 kn"]


def test_live():
    fix = Tracker().fix(1)
    assert Log().note(buoy=fix["buoy"], knots=fix["speed_kn"])["line"] == "B1 5.5 kn"
