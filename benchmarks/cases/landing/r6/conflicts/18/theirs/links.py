import text


def link(post):
    return "/posts/" + text.slug(post.title)
