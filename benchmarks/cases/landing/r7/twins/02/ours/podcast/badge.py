"""The little number next to a show's name."""


def badge(catalogue, show, last_visit):
    fresh = catalogue.episodes(show, since=last_visit)
    count = len(fresh)
    if count == 0:
        return ""
    return "9+" if count > 9 else str(count)
