from abc import ABC, abstractmethod


class Codec(ABC):
    @abstractmethod
    def encode(self, text):
        ...


class Plain(Codec):
    def encode(self, text):
        return text
