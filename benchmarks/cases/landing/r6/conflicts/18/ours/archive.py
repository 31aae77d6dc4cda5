from text import slug


def file_name(post, year):
    return "%d_%s.txt" % (year, slug(post.title))
