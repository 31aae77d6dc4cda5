class Record:
    kinds = {}

    def __init_subclass__(cls):
        Record.kinds[cls.__name__.lower()] = cls.__slots__

    def __init__(self, **fields):
        for name in self.__slots__:
            object.__setattr__(self, name, fields.pop(name))
        if fields:
            raise TypeError(f"unknown: {sorted(fields)}")

    def __iter__(self):
        return ((name, getattr(self, name)) for name in self.__slots__)


class Offer(Record):
    __slots__ = ("item", "rebate")
