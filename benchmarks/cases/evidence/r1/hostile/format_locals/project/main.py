from greeter import Greeter, Lobby

e = Lobby().enter()
print(Greeter().greet(server=e["guild"], member=e["member"])["text"])
