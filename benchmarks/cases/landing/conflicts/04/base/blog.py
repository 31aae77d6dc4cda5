from util import slugify


def url(title):
    return '/posts/' + slugify(title)
