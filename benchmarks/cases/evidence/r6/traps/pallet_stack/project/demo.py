from loader import Loader
from packer import Packer

print(Packer().build(24))
print(Loader().stow(584, 2))
