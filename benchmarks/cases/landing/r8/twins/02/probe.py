import asyncio

from acl import Acl, Forbidden
from sharing import share, share_all

acl = Acl({("ann", "plan"): 4, ("bob", "plan"): 1})
try:
    asyncio.run(share(acl, "bob", "plan", "eve"))
except Forbidden:
    pass
else:
    raise SystemExit("bob, a reader, shared the plan")
assert asyncio.run(share(acl, "ann", "plan", "dan")) == "shared"
assert asyncio.run(share_all(acl, "dan", ["plan"], "eve")) == []
assert acl.level("eve", "plan") == 0
