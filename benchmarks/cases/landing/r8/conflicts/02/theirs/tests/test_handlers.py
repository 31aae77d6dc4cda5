import asyncio
import unittest

from acl import Acl, Forbidden
from handlers import Handlers


class TestHandlers(unittest.TestCase):
    def setUp(self):
        self.acl = Acl({("ann", "plan"): 4, ("bob", "plan"): 1})
        self.h = Handlers(self.acl, {"plan": "v1"})

    def test_read(self):
        self.assertEqual(asyncio.run(self.h.read("bob", "plan")), "v1")

    def test_edit(self):
        self.assertEqual(asyncio.run(self.h.edit("ann", "plan", "v2!")), 3)

    def test_edit_forbidden(self):
        with self.assertRaises(Forbidden):
            asyncio.run(self.h.edit("bob", "plan", "v2"))

    def test_edit_through_a_group(self):
        class Directory:
            async def groups(self, user):
                return ["staff"] if user == "bob" else []

        h = Handlers(Acl({("staff", "plan"): 3}, Directory()), {"plan": "v1"})
        self.assertEqual(asyncio.run(h.edit("bob", "plan", "v2")), 2)
        with self.assertRaises(Forbidden):
            asyncio.run(h.edit("eve", "plan", "v2"))
