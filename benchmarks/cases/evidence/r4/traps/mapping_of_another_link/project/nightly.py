from csv_import import rows
from ledger import Ledger

for row in rows(["ref,sum", "o-9,70"]):
    print(Ledger().enter(order_id=row["order_id"], total=int(row["total"]))["entry"])
