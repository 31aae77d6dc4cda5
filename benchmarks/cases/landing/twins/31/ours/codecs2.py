from abc import ABC, abstractmethod


class Codec(ABC):
    @abstractmethod
    def encode(self, text):
        ...

    @abstractmethod
    def decode(self, text):
        ...


class Plain(Codec):
    def encode(self, text):
        return text

    def decode(self, text):
        return text
