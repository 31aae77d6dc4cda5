from badges import Badge, Members

for no in (1, 2):
    m = Members().get(no)
    print(Badge().emboss(shown_as=m["nick"] or m["full"])["badge"])
