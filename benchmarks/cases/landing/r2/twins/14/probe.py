import letter
from account import Account
assert letter.salute(Account("Ann")) == "Dear customer with 0"
