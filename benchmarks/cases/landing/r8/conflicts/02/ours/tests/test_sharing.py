import asyncio
import unittest

from acl import Forbidden
from sharing import share, share_all


class FakeAcl:
    def __init__(self, yes):
        self.yes = yes
        self.granted = []

    def allowed(self, user, doc, action):
        return doc in self.yes

    def grant(self, user, doc, level):
        self.granted.append((user, doc, level))


class TestSharing(unittest.TestCase):
    def test_share(self):
        acl = FakeAcl({"a"})
        self.assertEqual(asyncio.run(share(acl, "ann", "a", "bob", "edit")), "shared")
        self.assertEqual(acl.granted, [("bob", "a", 3)])

    def test_share_forbidden(self):
        with self.assertRaises(Forbidden):
            asyncio.run(share(FakeAcl(()), "ann", "a", "bob"))

    def test_share_all_skips(self):
        self.assertEqual(asyncio.run(share_all(FakeAcl({"b"}), "ann", ["a", "b"], "bob")), ["b"])
