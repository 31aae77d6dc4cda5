from greenhouse.climate import windows_open
from greenhouse.settings import load


def test_windows():
    cfg = load()
    assert windows_open(cfg, 25, False) == 0
    assert windows_open(cfg, 35, False) == 100
    assert windows_open(cfg, 35, True) == 20
