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
