"""Helpers of the PyTorch programs that are captured on the H200: inputs made on the host, results printed as a sum."""
import torch

torch.manual_seed(1)
torch.backends.cuda.matmul.allow_tf32 = False
torch.use_deterministic_algorithms(True, warn_only=True)


def values(*shape, dtype=torch.float32, scale=1.0, seed=0):
    """Random numbers from the host, so that no kernel is needed to make them."""
    generator = torch.Generator().manual_seed(seed + 1)
    return (torch.randn(*shape, generator=generator) * scale).to(dtype).cuda()


def show(name, tensor):
    host = tensor.detach().float().cpu()
    print(name, float(host.double().sum()), float(host.double().abs().max()))
