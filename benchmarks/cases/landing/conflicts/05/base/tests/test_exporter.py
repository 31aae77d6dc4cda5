from exporter import Exporter


def test_export():
    assert Exporter().export([(1, 2)]) == ['#', '1,2']
