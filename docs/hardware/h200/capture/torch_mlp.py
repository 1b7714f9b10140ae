"""One training step of a small network: forward, loss, backward, optimiser."""
import torch
from torch import nn
from torch_common import show, values

net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 256), nn.GELU(), nn.Linear(256, 10)).cuda()
optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3)
x, y = values(64, 128), (torch.arange(64) % 10).cuda()
for step in range(2):
    loss = nn.functional.cross_entropy(net(x), y)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
show("loss", loss)
