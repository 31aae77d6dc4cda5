from hub import Hub
from accounts import Accounts
from mailer import Mailer
h = Hub()
m = Mailer(h)
a = Accounts(h)
a.register('x@y')
a.delete('x@y')
assert m.sent == ['x@y']
