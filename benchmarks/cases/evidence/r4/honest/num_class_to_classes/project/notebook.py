# %% [markdown]
# A tiny net
# %%
from images import Images
from model import Model

# %%
scan = Images().scan("data")
net = Model().build(num_class=scan["num_classes"])
# %%
print(net["shape"], scan["samples"])
