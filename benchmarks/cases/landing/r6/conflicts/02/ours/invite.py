def invite(directory, name, group):
    person = directory.find(name)
    if person is None:
        person = directory.add(name)
    if group not in person["groups"]:
        person["groups"].append(group)
    return person
