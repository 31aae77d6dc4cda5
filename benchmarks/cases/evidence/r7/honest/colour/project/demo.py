from printer import Printer

print(Printer().ink("#FFF"))
