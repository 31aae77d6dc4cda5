import people


def salutation(full, formal=True):
    if formal:
        _, last = people.split_name(full)
        return f'Dear {last},'
    return f'Hi {people.split_name(full)[0]},'
