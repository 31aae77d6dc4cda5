from parsers import ByteParser
from store import Store

print(Store().reserve(capacity=ByteParser().parse("one\ntwo")["size"])["doubled"])
