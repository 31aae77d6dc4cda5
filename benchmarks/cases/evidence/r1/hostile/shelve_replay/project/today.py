from gate import Gate, Rfid

gate = Gate()
gate.replay()
print(gate.let_in(card=Rfid().tap()["tag"])["inside"])
