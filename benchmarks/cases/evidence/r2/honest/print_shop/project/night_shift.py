from concurrent.futures import ThreadPoolExecutor

from printshop import Offset, Prepress

with ThreadPoolExecutor(max_workers=1) as pool:
    checked = pool.submit(Prepress().check, "poster-cmyk.pdf").result()
    running = pool.submit(Offset().run, pages=checked["sheets"], colour=checked["colour"])
    print(running.result())
