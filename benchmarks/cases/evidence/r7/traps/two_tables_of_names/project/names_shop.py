"""Our names and those of the bank, as the shop sees it."""
BANK_NAMES = {"ref": "order_no"}
