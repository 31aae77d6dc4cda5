from audit import AUTH_TO_AUDIT, Audit
from auth import Auth

seen = Auth().login("al")
print(Audit().note(**{AUTH_TO_AUDIT[k]: v for k, v in seen.items() if k in AUTH_TO_AUDIT})["line"])
