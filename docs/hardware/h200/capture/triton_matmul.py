"""A matrix product with a bias and an activation in Triton."""
import torch
import triton
import triton.language as tl
from torch_common import show, values


@triton.jit
def matmul(a, b, bias, c, m, n, k, bm: tl.constexpr, bn: tl.constexpr, bk: tl.constexpr):
    rows, columns, depth = tl.program_id(0) * bm + tl.arange(0, bm), tl.program_id(1) * bn + tl.arange(0, bn), tl.arange(0, bk)
    total = tl.zeros((bm, bn), tl.float32)
    for at in range(0, k, bk):
        left = tl.load(a + rows[:, None] * k + (at + depth)[None, :])
        right = tl.load(b + (at + depth)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    total += tl.load(bias + columns)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], tl.maximum(total, 0).to(tl.float16))


a, b, bias = values(256, 256, dtype=torch.float16, seed=1), values(256, 256, dtype=torch.float16, seed=2), values(256, seed=3)
c = torch.zeros(256, 256, dtype=torch.float16, device="cuda")
matmul[(4, 4)](a, b, bias, c, 256, 256, 256, bm=64, bn=64, bk=32, num_warps=4)
show("c", c)
