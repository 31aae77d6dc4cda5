def become(session, user):
    session.note = user
    return session.whoami()
