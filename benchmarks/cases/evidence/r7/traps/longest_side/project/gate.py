from carrier import Carrier
from scanner import Scanner

*_, longest = sorted(Scanner().box().values())
print(Carrier().accept(longest=longest))
assert Carrier().accept(longest=max(Scanner((130, 2, 2)).box().values())) == {"accepted": False}
