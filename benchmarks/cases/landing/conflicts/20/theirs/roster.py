def add(roster, name):
    roster.append(name)
    return roster
