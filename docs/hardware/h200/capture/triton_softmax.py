"""Softmax of rows in Triton."""
import torch
import triton
import triton.language as tl
from torch_common import show, values


@triton.jit
def softmax(out, source, columns, block: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, block)
    x = tl.load(source + row * columns + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out + row * columns + at, e / tl.sum(e, 0), mask=at < columns)


x = values(128, 781)
y = torch.zeros_like(x)
softmax[(128,)](y, x, 781, block=1024)
show("y", y)
