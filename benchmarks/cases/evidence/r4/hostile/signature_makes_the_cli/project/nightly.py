import shlex

from build import Build
from cli import call
from publish import Publish

print(Publish().publish(folder=Build().compile("a")["target_dir"])["said"])
print(call(Publish().publish, shlex.split("--folder /srv/www"))["said"])
