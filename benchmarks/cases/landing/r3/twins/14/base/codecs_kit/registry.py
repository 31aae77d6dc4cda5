"""Codecs by name.  The order of registration is the order of preference of the server."""


class UnknownCodec(LookupError):
    pass


class Registry:
    def __init__(self):
        self._codecs = {}

    def register(self, name, encode, decode):
        if name in self._codecs:
            raise ValueError(f"{name} is registered already")
        self._codecs[name] = (encode, decode)

    def __iter__(self):
        return iter(self._codecs)

    def __len__(self):
        return len(self._codecs)

    def encode(self, name, data):
        return self._find(name)[0](data)

    def decode(self, name, data):
        return self._find(name)[1](data)

    def _find(self, name):
        try:
            return self._codecs[name]
        except KeyError:
            raise UnknownCodec(name) from None
