def entry(post, with_id=False):
    out = {'title': post['title']}
    if with_id:
        from util import slugify
        out['id'] = slugify(post['title'])
    return out
