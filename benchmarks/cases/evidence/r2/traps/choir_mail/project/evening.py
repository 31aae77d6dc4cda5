from choir import PhoneChain, Roster

everybody = Roster().voice(voice="alto")["singers"].split(",")
for who in everybody:
    print(PhoneChain().call(singer=who)["dialled"])
