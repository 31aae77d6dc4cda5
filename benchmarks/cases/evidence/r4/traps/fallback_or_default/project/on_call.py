from pager import Pager
from triage import Triage

for ticket in ("disk full", "what?"):
    seen = Triage().assess(ticket)
    print(ticket, Pager().page(ticket=seen["ticket"], level=seen.get("severity") or 3)["call"])
