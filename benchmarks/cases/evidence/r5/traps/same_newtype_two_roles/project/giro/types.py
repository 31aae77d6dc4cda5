from typing import NewType

Account = NewType("Account", str)
