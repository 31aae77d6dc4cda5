from web import hooks
from web.router import dispatch

assert dispatch("/hooks/payment", '{"order": 5, "state": "paid"}') == (200, "ok"), dispatch("/hooks/payment", "{}")
