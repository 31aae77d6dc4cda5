from nvr import Nvr
from updater import Updater

info = Nvr().info("h")
print(Updater().check(applicationVersion=info.applicationVersion)["update"], info.minimum_version)
