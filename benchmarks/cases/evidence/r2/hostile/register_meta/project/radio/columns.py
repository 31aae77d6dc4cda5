class Meta(type):
    def __new__(meta, name, bases, space):
        cls = super().__new__(meta, name, bases, space)
        for field in space.get("__annotations__", {}):
            setattr(cls, field.upper(), field)
        return cls


class Columns(metaclass=Meta):
    strength: float
    station: str
