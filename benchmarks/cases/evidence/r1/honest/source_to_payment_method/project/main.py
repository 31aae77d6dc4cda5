from pay.checkout import Checkout

print(Checkout().run("cus_1", 700))
