"""Weekly digest of new articles."""


def compose(articles):
    """The body of a digest, one line an article, newest first."""
    newest = sorted(articles, key=lambda a: a["date"], reverse=True)
    return "\n".join(f"{a['date']}  {a['title']}" for a in newest)


def send_digest(mailer, subscribers, articles):
    """Mail the digest to every subscriber; return how many mails went out."""
    if not articles:
        return 0
    body = compose(articles)
    subject = f"{len(articles)} new article" + ("s" if len(articles) > 1 else "")
    for address in sorted(set(subscribers)):
        mailer.send(address, subject, body)
    return len(set(subscribers))
