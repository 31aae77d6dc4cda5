from pager import Pager
from ward import Ward

doctors = [Ward().team(bed) for bed in range(3)]
print(Pager().page(code=next((d.badge for d in doctors if d.free), 0))["sent"])
