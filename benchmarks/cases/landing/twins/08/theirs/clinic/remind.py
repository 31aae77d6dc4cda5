from clinic.records import load


def recipients(lines):
    people = [load(x) for x in lines]
    return [p.get('name') for p in people if p.get('name')]
