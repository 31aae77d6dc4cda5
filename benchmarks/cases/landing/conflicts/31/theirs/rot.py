import codecs

from codecs2 import Codec


class Rot13(Codec):
    def encode(self, text):
        return codecs.encode(text, 'rot13')
