from library import search


def count_line(prefix):
    return f'{len(search(prefix))} found'


def show(prefix):
    return '\n'.join(search(prefix))
