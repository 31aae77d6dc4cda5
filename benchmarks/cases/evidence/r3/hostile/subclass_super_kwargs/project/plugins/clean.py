from storage import Storage


class CleanStorage(Storage):
    def save(self, **kwargs):
        name = kwargs.pop("name").replace("..", "_")
        return super().save(name, **kwargs)
