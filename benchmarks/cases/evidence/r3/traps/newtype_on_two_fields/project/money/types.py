from typing import NewType

AccountId = NewType("AccountId", str)
