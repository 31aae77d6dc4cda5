from typing import NewType

UserId = NewType("UserId", int)
AccountId = NewType("AccountId", int)
