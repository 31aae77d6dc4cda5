from exporters import exporter


@exporter("csv")
def to_csv(rows):
    return "".join(",".join(map(str, r.values())) + "\n" for r in rows)
