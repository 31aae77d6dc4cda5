# hand a document on to somebody else
from acl import LEVELS, Forbidden


async def share(acl, user, doc, target, action="read"):
    if user == target:
        return "noop"
    if not acl.allowed(user, doc, "share"):
        raise Forbidden(doc)
    acl.grant(target, doc, LEVELS[action])
    return "shared"


async def share_all(acl, user, docs, target):
    done = []
    for doc in docs:
        try:
            await share(acl, user, doc, target)
        except Forbidden:
            continue
        done.append(doc)
    return done
