from proxy import Setter
from tank import Alarm, Tank

alarm = Alarm()
proxy = Setter(alarm.update)
for litres in (100, 900):
    gauge = Tank().gauge(litres)
    print(proxy.set_level(gauge["height"]))
print(alarm.update(level=0.1))
