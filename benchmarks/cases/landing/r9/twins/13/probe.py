import tempfile

from vault.template import fill
from vault.vault import Vault

with tempfile.TemporaryDirectory() as folder:
    got = fill("user = ${secret:user|guest}", Vault(folder))
assert got == "user = guest", got
