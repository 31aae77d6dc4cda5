def greet(directory, name):
    person = directory.find(name)
    if person is None:
        return "Hello, stranger"
    return "Hello, " + person["name"]
