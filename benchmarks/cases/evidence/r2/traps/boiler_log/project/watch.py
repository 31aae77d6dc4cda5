from alarm import Alarm
from boiler import Boiler

seen = Boiler().poll()
print(Alarm().judge(bar=seen["now_bar"] or seen["last_bar"])["ring"])
