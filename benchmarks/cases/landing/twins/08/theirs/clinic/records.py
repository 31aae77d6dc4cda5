def load(line):
    name, phone, due = line.split(';')
    return {
        'name': name,
        'phone': phone,
        'due': due,
    }
