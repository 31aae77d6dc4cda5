SEEN = "%(badge_no)s came through door %(door)d"
