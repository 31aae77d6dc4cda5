import json

from gateway import EVENTS, Gateway
from modlog import ModLog

gateway = Gateway()
print(json.dumps([gateway.message(n) for n in range(len(EVENTS))]))
print(ModLog().warn(5, "Casino!"))
