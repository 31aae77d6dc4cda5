from audit import JOURNAL
from vault import Vault

vault = Vault()
for amount in (50, 400):
    vault.withdraw(amount)
print(JOURNAL)
