import doctest

import uploader

print(doctest.testmod(uploader))
