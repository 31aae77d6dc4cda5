from site_ import Layout, Site

for theme in ("dark", "light"):
    layout = Layout().choose(theme)
    print(Site().build(out_dir=layout["folder"])["written"])
