from csvout import to_csv


def customers_report(customers):
    rows = []
    for c in sorted(customers, key=lambda c: c["name"]):
        rows.append({"name": c["name"], "city": c.get("city", "")})
    return to_csv(rows)
