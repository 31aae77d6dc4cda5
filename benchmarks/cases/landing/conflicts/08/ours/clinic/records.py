def load(line):
    name, phone, due = line.split(';')
    return {
        'name': name,
        'contact': {'phone': phone},
        'due': due,
    }
