from team import Team
from vault import GRANTS, Vault

print(Vault().allow(grant=GRANTS[Team().member("eve")["role"]]))
