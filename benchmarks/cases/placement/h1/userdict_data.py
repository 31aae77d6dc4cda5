# stateful
"""userdict_data"""
from graphbus_core import GraphBusNode, subscribe


from collections import UserDict
class Book(UserDict):
    pass
BOOK = Book()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        before = len(BOOK)
        BOOK.data = {n: n for n in range(amount)}
        return before
