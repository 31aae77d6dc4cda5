import router
from greeter import Greeter
from login import Login

router.route("/", Greeter().welcome)
session = Login().verify("ada:secret")
context = {"username": session["user"], "lang": "en"}
print(router.call("/", context)["page"])
