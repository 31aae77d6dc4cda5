from rescue.beacon import Beacon
from rescue.lifeboat import Lifeboat

heard = dict(Beacon().alert(16))
heard["vessel"] = heard.pop("craft")
print(Lifeboat().launch(**heard)["log"])
