def invite(directory, name, group):
    if name in directory:
        person = directory.find(name)
    else:
        person = directory.add(name)
    if group not in person["groups"]:
        person["groups"].append(group)
    return person
