def litres(rects, per_m2=0.1):
    return sum(r.width * r.height for r in rects) * per_m2
