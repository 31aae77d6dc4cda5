from census.nodes import Census, Map

for town in ("Ulm", "Au"):
    print(town, Map().shade(population=Census().row(town)["inhabitants"])["shade"])
