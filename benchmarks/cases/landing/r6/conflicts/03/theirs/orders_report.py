from csvout import to_csv


def orders_report(orders):
    rows = [{"id": o["id"], "total": o["total"]} for o in orders]
    return to_csv(rows)
