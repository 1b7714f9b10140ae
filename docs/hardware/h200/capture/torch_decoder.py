"""A decoder layer's step for one token, as a CUDA graph, replayed three times."""
import torch
from torch import nn
from torch_common import show, values

WIDTH, HEADS, LENGTH = 256, 4, 64


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.after = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.gate, self.down = (nn.Linear(*s, bias=False) for s in ((WIDTH, 512), (WIDTH, 512), (512, WIDTH)))

    def forward(self, x, keys, values_, at):
        q, k, v = self.qkv(self.before(x)).view(3, HEADS, 1, WIDTH // HEADS)
        keys.index_copy_(1, at, k)
        values_.index_copy_(1, at, v)
        score = torch.softmax(q @ keys.transpose(1, 2) * (WIDTH // HEADS) ** -0.5, -1)
        x = x + self.out((score @ values_).reshape(1, WIDTH))
        y = self.after(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


with torch.no_grad():
    layer = Layer().cuda().half()
    x = values(1, WIDTH, dtype=torch.float16)
    keys, cache = (values(HEADS, LENGTH, WIDTH // HEADS, dtype=torch.float16, seed=s) for s in (1, 2))
    at = torch.tensor([5]).cuda()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        layer(x, keys, cache, at)
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = layer(x, keys, cache, at)
        x.copy_(y)
    for _ in range(3):
        graph.replay()
    torch.cuda.synchronize()
    show("y", y)
