from bot.gateway import Gateway
from bot.greeter import Greeter

joined = Gateway().join("Lea")
print(Greeter().greet(member=joined["member"], server=joined["guild"])["text"])
