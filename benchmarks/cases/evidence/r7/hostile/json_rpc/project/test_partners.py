import unittest

from rpc import handle


class Partners(unittest.TestCase):
    def test_request(self):
        text = '{"jsonrpc": "2.0", "id": 4, "method": "projector.start", "params": {"screen": 5}}'
        self.assertEqual(handle(text), {"result": {"lamp": "L5 on"}, "id": 4})
