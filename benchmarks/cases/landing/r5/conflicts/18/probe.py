from bank.accounts import Accounts

a = Accounts()
a.deposit("ann", 10)
a.transfer("ann", "bo", 3)
assert (a.balance("ann"), a.balance("bo")) == (7, 3)
