from clinic.records import load


def recipients(lines):
    people = [load(x) for x in lines]
    return [p.get('phone') for p in people if p.get('phone')]
