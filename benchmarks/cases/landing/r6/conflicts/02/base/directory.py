class Directory:
    def __init__(self):
        self._people = {}

    def __contains__(self, name):
        return name in self._people

    def add(self, name):
        person = {"name": name, "groups": []}
        self._people[name] = person
        return person

    def find(self, name):
        return self._people.get(name)
