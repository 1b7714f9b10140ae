"""An attention block in bf16, forward and backward."""
import torch
from torch import nn
from torch_common import show, values


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(batch, length, width))


block = Attention(128, 2).cuda().bfloat16()
x = values(1, 128, 128, dtype=torch.bfloat16).requires_grad_()
y = block(x)
y.float().square().mean().backward()
show("y", y)
show("dx", x.grad)
