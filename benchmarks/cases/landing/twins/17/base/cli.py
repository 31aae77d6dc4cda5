from library import search


def show(prefix):
    return '\n'.join(search(prefix))
