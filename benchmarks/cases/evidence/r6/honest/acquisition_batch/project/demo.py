from campaign import Campaign
from robot import Robot

print(len(Campaign(batch_quantity=5).recommend()["points"]))
print(Robot().load(2))
