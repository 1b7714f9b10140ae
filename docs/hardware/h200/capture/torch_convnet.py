"""A small convolution net, forward and backward."""
import torch
from torch import nn
from torch_common import show, values

net = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10)).cuda()
x, y = values(8, 3, 32, 32), (torch.arange(8) % 10).cuda()
loss = nn.functional.cross_entropy(net(x), y)
loss.backward()
show("loss", loss)
