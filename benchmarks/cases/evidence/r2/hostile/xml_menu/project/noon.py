from menu.board import headline, to_xml
from menu.chef import Chef
from menu.waiter import Waiter

today = Chef().propose("tue")
print(headline(to_xml(today)).upper())
print(Waiter().announce(meal=today["dish"], price=today["price"])["says"])
