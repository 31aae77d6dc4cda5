from mailer.patience import Patience
from mailer.settings import load

assert Patience(load(), tries=2).pauses() == [10]
assert Patience(load(["smtp.timeout = 3"]), tries=2).pauses() == [3]
