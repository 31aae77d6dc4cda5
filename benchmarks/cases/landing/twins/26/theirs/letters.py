import people


def salutation(full, formal=True):
    first = people.split_name(full)[0]
    return f'Dear {first},' if formal else f'Hi {first},'
