import functools


def positive(*names):
    def around(method):
        @functools.wraps(method)
        def call(self, *args, **kwargs):
            for name in names:
                if kwargs.get(name, 0) < 0:
                    return {"booked": 0}
            return method(self, *args, **kwargs)
        return call
    return around
