from operator import not_

from siren import Panel, Siren

print(Siren().arm(muted=not_(Panel().state()["enabled"]))["db"])
