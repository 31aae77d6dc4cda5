from pump import Pump


def test_run(forecast):
    assert Pump().run(throughput=forecast["flow"])["hz"] == 35.0
