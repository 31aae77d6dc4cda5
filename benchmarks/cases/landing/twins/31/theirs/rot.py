import codecs

from codecs2 import Plain


class Rot13(Plain):
    def encode(self, text):
        return codecs.encode(super().encode(text), 'rot13')
