def entry(post):
    return {'title': post['title']}
