ROWS = ("front", "middle", "back")

PREFERENCES = dict.fromkeys(ROWS, [])


def plan_for(names):
    plan = {row: [] for row in ROWS}
    for i, name in enumerate(names):
        plan[ROWS[i % len(ROWS)]].append(name)
    return plan
