from phone import Contacts, Dialer

if (number := (card := Contacts().card("Ole"))["mobile"]) == "":
    number = card["landline"]
print(Dialer().ring(number=number)["log"])
