from pay_terminal import Price, Terminal

p = Price().get()
p["euros"] *= 100
print(Terminal().debit(amount=p["euros"])["screen"])
