from lobby import Lift, Sign

for cm in (0, 360):
    at = Lift().where(cm)
    print(cm, Sign().show(storey=at["floor"] + 1)["text"])
