from ledgerlib.ledger import Ledger
from ledgerlib.statement import Statement


def german(text):
    return float(text.replace(".", "").replace(",", "."))


for text in ("2024-01-03 1.234,50", "2024-01-04 7,00"):
    line = Statement().line(text)
    print(Ledger().post(date=line["date"], amount=german(line["amount"]))["entry"])
