def frame(word):
    return f'{len(word):02d}{word}'.encode()
