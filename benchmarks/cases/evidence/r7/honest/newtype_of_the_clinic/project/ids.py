from typing import NewType

PatientId = NewType("PatientId", str)
