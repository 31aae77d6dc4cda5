from refund import Refund
assert Refund(5).due() == 4
