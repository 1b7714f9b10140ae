"""Transforms by cuFFT: complex in one dimension, real in two."""
import torch
from torch_common import show, values

show("c2c", torch.view_as_real(torch.fft.fft(torch.view_as_complex(values(64, 1024, 2, seed=1)))))
show("r2c", torch.view_as_real(torch.fft.rfft2(values(4, 128, 128, seed=2))))
show("odd", torch.view_as_real(torch.fft.fft(torch.view_as_complex(values(16, 1000, 2, seed=3)))))
