from text import file_slug


def file_name(post, year):
    return "%d_%s.txt" % (year, file_slug(post.title))
