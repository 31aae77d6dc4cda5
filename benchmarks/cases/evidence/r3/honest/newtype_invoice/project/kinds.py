from typing import NewType

InvoiceNo = NewType("InvoiceNo", str)
