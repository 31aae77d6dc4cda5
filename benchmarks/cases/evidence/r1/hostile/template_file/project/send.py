from letters import Letter, School

p = School().pupil()
print(Letter().compose(last_name=p["surname"], form=p["form"])["text"])
