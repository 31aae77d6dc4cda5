from crm.people import add_person


def import_people(file, text):
    """One name a line; returns how many lines held a name."""
    count = 0
    for line in text.splitlines():
        if line.strip():
            add_person(file, line.strip())
            count += 1
    return count
