from bank import Bank
from sepa import Sepa

bank = Bank()
account = bank.iban()
if account["sandbox_iban"].startswith("DE00"):
    account = bank.live()
print(Sepa().debit(iban=account.get("live_iban") or account["sandbox_iban"])["order"])
