def dsn(vault, host, name):
    return "postgres://%s:%s@%s/%s" % (
        vault.read("db-user"), vault.read("db-password"), host, name)
