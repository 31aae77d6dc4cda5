from codecs_kit.builtin import standard

assert standard().preferred() == "zlib", standard().preferred()
assert standard().preferred(["plain", "zlib"]) == "zlib"
