from typing import NewType

Handle = NewType("Handle", str)
