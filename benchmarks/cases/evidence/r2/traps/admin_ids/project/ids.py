from typing import NewType

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
