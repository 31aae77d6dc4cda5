def distinct(posts):
    return len({tag for post in posts for tag in post['tags']})
