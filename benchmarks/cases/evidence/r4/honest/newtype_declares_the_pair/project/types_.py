from typing import NewType

TrackId = NewType("TrackId", int)
Seconds = NewType("Seconds", int)
