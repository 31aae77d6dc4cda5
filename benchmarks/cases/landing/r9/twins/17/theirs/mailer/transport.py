def connect(settings, smtp_class):
    return smtp_class(settings["smtp.host"], settings["smtp.port"],
                      timeout=settings["smtp.timeout"])


def hook(settings, post, message):
    return post(message, timeout=settings["http.timeout"])
