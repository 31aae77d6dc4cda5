from export import Export
from till import Till


def scaled(row):
    row["amount"] *= 1000
    return row


row = scaled(Till().row())
print(Export().write(value=row["amount"])["record"])
