from login.account import Account
from login.service import Service

service = Service([Account("ada", "pw")])
service.reset("ada", "pw", "better")
assert service.login("ada", "better").name == "ada"
