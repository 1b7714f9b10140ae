"""What a transformer is made of beside products: norm, softmax, embedding, dropout-free activations, reductions, sort, index."""
import torch
from torch_common import show, values

x = values(64, 512, seed=1)
show("softmax", torch.softmax(x, -1))
show("layer_norm", torch.nn.functional.layer_norm(x, (512,)))
show("gelu", torch.nn.functional.gelu(x))
show("silu", torch.nn.functional.silu(x.half()))
show("embedding", torch.nn.functional.embedding(torch.arange(64).cuda() * 3, values(256, 64, seed=2)))
show("cumsum", torch.cumsum(x, 1))
show("topk", torch.topk(x, 8).values)
show("sort", torch.sort(x.view(-1)[:4096]).values)
show("where", torch.where(x > 0, x.sin(), x.cos()))
show("mean", x.mean(0))
show("argmax", x.argmax(1).float())
show("cat", torch.cat([x, x * 2], 1).transpose(0, 1).contiguous())
