def entry(post, with_id=False):
    out = {'title': post['title']}
    if with_id:
        from util import clamp
        out['id'] = clamp(len(post['title']), 1, 99)
    return out
