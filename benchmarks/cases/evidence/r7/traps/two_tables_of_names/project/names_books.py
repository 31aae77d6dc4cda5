"""Our names and those of the bank, as the bookkeepers see it (they won, but the shop never heard of it)."""
BANK_NAMES = {"ref": "invoice_no"}
