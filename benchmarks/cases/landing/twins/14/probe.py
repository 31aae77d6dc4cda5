from importer import read
assert list(read(['Blue,200,90']))
