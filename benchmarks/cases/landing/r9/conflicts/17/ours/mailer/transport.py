def connect(settings, smtp_class):
    return smtp_class(settings["smtp.host"], settings["smtp.port"],
                      timeout=settings["smtp.timeout"])
