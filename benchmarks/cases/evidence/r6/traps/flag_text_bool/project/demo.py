from bankform import Account, Form

print(Form().submit("name=Ana&resident=yes"))
account = Account()
print(account.open("Ana", True), account.open("Bo", False))
