import letter
from account import Account
assert letter.salute(Account("Ann")) == "Dear Ann"
