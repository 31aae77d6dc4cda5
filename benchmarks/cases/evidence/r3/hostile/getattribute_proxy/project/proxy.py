class Setter:
    """Setter(f).set_x(1) is f(x=1)."""

    def __init__(self, function):
        self._function = function

    def __getattr__(self, name):
        verb, _, field = name.partition("_")
        if verb != "set":
            raise AttributeError(name)
        return lambda value: self._function(**{field: value})
