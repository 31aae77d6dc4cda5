import doctest

import gate

print(doctest.testmod(gate))
