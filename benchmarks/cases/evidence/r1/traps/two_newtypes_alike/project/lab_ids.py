from typing import NewType

CaseId = NewType("CaseId", str)
