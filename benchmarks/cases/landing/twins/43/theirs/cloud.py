def distinct(posts):
    return len({tag.label for post in posts for tag in post['tags']})
