from gym import Gym

gym = Gym()
for member in ["eve", "bob", "eve"]:
    present = gym.enter(member_id=member)["present"]
print(present)
