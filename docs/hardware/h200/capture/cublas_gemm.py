"""Matrix products by cuBLAS: fp32, tf32, fp16, bf16, fp8, fp64."""
import torch
from torch_common import show, values

a, b = values(256, 256, seed=1), values(256, 256, seed=2)
show("fp32", a @ b)
torch.backends.cuda.matmul.allow_tf32 = True
show("tf32", a @ b)
torch.backends.cuda.matmul.allow_tf32 = False
for dtype in (torch.float16, torch.bfloat16):
    left, right = values(512, 256, dtype=dtype, seed=3), values(256, 512, dtype=dtype, seed=4)
    show(str(dtype), left @ right)
left = values(256, 256, seed=5).to(torch.float8_e4m3fn)
right = values(256, 256, seed=6).to(torch.float8_e4m3fn).t()
one = torch.ones((), device="cuda")
show("fp8", torch._scaled_mm(left, right, scale_a=one, scale_b=one, out_dtype=torch.bfloat16))
show("fp64", values(128, 128, dtype=torch.float64, seed=7) @ values(128, 128, dtype=torch.float64, seed=8))
