from metrics.load import Load


class Fixed(Load):
    source = staticmethod(lambda: (0.5, 0.25, 1))


def test_load():
    assert Fixed().collect() == {"load.1": 0.5, "load.5": 0.25, "load.15": 1.0}


class Broken(Load):
    @staticmethod
    def source():
        raise OSError("no /proc")


def test_failures_are_counted():
    broken = Broken()
    broken.collect()
    assert broken.collect() == {"load.failures": 2.0}
