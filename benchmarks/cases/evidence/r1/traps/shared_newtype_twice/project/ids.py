from typing import NewType

MemberId = NewType("MemberId", str)
