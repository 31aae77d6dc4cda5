from acl import Forbidden


class Handlers:
    def __init__(self, acl, docs):
        self.acl = acl
        self.docs = docs

    async def read(self, user, doc):
        if not self.acl.allowed(user, doc, "read"):
            raise Forbidden(doc)
        return self.docs[doc]

    async def edit(self, user, doc, text):
        if not self.acl.allowed(user, doc, "edit"):
            raise Forbidden(doc)
        self.docs[doc] = text
        return len(text)
