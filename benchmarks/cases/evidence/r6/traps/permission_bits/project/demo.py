from shares import ModeChecker, ShareService

print(ShareService().describe("team"))
print(ModeChecker().check("tmp", 0o777))
