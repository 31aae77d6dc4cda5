from typing import NewType

Isbn = NewType("Isbn", str)
