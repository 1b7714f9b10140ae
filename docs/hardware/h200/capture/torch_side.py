"""Side streams: sums along rows in two streams, copies from and to pinned memory in a third."""
import torch
from torch_common import show, values

a, b = values(16, 32768, seed=1), values(16, 32768, seed=2)
host, back = torch.zeros(1 << 20).pin_memory(), torch.zeros(1 << 20).pin_memory()
there = torch.zeros(1 << 20, device="cuda")
one, two, copies = (torch.cuda.Stream() for _ in range(3))
torch.cuda.synchronize()
for _ in range(2):
    now = torch.cuda.current_stream()
    for stream in (one, two, copies):
        stream.wait_stream(now)
    with torch.cuda.stream(copies):
        there.copy_(host, non_blocking=True)
        back.copy_(there, non_blocking=True)
    with torch.cuda.stream(one):
        for _ in range(3):
            a = a.cumsum(1)
    with torch.cuda.stream(two):
        for _ in range(3):
            b = b.cumsum(1)
    for stream in (one, two, copies):
        now.wait_stream(stream)
    a, b = a * 0.001 + b * 0.001, b * 0.5
torch.cuda.synchronize()
show("a", a)
