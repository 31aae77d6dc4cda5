def test_together():
    from sensors import poll
    from thermo import Thermo
    assert poll([Thermo()]) == [21.5]
