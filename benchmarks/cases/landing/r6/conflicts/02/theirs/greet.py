from directory import UnknownPerson


def greet(directory, name):
    try:
        person = directory.find(name)
    except UnknownPerson:
        return "Hello, stranger"
    return "Hello, " + person["name"]
