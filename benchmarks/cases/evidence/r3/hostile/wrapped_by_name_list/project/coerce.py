import functools

UPPER = {"book": ["barcode"]}


def install(cls):
    for name, fields in UPPER.items():
        setattr(cls, name, _wrap(getattr(cls, name), fields))
    return cls


def _wrap(method, fields):
    @functools.wraps(method)
    def call(self, **kwargs):
        for field in fields:
            kwargs[field] = kwargs[field].upper()
        return method(self, **kwargs)
    return call
