def title_case(text):
    return " ".join(word.capitalize() for word in text.split())


def initials(text):
    return "".join(word[0].upper() for word in text.split())


def shorten(text, limit):
    if len(text) <= limit:
        return text
    return text[:limit - 1].rstrip() + "~"


def slug(text):
    """For file names: letters and digits only, the rest becomes _."""
    return "".join(c if c.isalnum() else "_" for c in text)
