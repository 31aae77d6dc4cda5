from mine import Cart


class BigCart(Cart):
    LIMIT = 500

    def fill(self, kg):
        return {"load": super().fill(kg=kg * 2)["load"]}
