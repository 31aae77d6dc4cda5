import re

import shelves
from graphbus_core import GraphBusNode, subscribe


class ShelfSize(GraphBusNode):
    @subscribe('/library/size')
    def size(self, prefix: str) -> dict:
        return {prefix: len(shelves.shelf(prefix))}


class Isbn(GraphBusNode):
    pattern = re.compile(r'[0-9X]')

    def digits(self, text):
        for found in self.pattern.finditer(text.upper()):
            yield 10 if found.group() == 'X' else int(found.group())

    @subscribe('/library/isbn')
    def convert(self, text: str) -> dict:
        digits = list(self.digits(text))
        if len(digits) != 10 or sum(w * d for w, d in zip(range(10, 0, -1), digits)) % 11:
            return {'isbn10': False}
        thirteen = [9, 7, 8] + digits[:9]
        check = -sum(d * (3 if i % 2 else 1) for i, d in enumerate(thirteen)) % 10
        return {'isbn10': True, 'isbn13': ''.join(map(str, thirteen + [check]))}
