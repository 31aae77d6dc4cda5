from census.nodes import HEADER, Census


def export():
    rows = [Census().row(town) for town in sorted(Census.ROWS)]
    return "\n".join([HEADER.replace(" ", ";"), *(";".join(map(str, r.values())) for r in rows)])
