"""Two streams that overlap: products on one, elementwise work and copies on the other."""
import torch
from torch_common import show, values

a, b = values(256, 256, dtype=torch.float16, scale=0.05, seed=1), values(256, 256, dtype=torch.float16, scale=0.05, seed=2)
big = values(1 << 18, seed=3)
host = torch.randn(1 << 17).pin_memory()
one, two = torch.cuda.Stream(), torch.cuda.Stream()
torch.cuda.synchronize()
with torch.cuda.stream(one):
    c = a
    for _ in range(4):
        c = c @ b
with torch.cuda.stream(two):
    d = host.cuda(non_blocking=True)
    e = torch.sigmoid(big) * big
    f = e.sum() + d.exp().mean()
torch.cuda.synchronize()
show("c", c)
show("f", f)
