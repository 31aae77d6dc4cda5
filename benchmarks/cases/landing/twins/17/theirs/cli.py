from library import search


def count_line(prefix):
    return f'{sum(1 for _ in search(prefix))} found'


def show(prefix):
    return '\n'.join(search(prefix))
