from booth import Booth
from lottery import Lottery

booth = Booth()
for seed in range(1, 5):
    drawn = Lottery().draw(seed)
    booth.note({"ball": drawn["number"], "colour": drawn["colour"]})
print(booth.slips[0], booth.best())
