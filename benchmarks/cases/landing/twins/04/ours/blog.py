from text import slugify


def url(title):
    return '/posts/' + slugify(title)
