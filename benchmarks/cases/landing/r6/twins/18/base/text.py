def title_case(text):
    return " ".join(word.capitalize() for word in text.split())


def initials(text):
    return "".join(word[0].upper() for word in text.split())


def shorten(text, limit):
    if len(text) <= limit:
        return text
    return text[:limit - 1].rstrip() + "~"
