from boxes import Box
from status import StatusPage

print(Box("a", now=lambda: 5.0).heartbeat()["seq"])
print(StatusPage().row("<b>", up_seconds=3661.0)["html"])
