def become(session, user):
    session.user = user
    return session.whoami()
