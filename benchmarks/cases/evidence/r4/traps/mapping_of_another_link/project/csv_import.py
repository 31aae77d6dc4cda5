"""Columns of the partner's file. Their ref is our order id."""
PARTNER_COLUMNS = {"ref": "order_id", "sum": "total"}


def rows(lines):
    head = lines[0].split(",")
    for line in lines[1:]:
        yield {PARTNER_COLUMNS.get(k, k): v for k, v in zip(head, line.split(","))}
