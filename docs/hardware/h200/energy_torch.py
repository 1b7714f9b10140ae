"""Loops library kernels (PyTorch) and reads the board's power, rows as energy.cu writes them. usage: energy_torch.py METER.so"""
import ctypes, os, sys
import torch
import torch.nn.functional as F

meter = ctypes.CDLL(sys.argv[1])
meter.meter_now.restype = ctypes.c_double
meter.meter_row.argtypes = [ctypes.c_char_p, ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_char_p]
meter.meter_start.argtypes = [ctypes.c_char_p]
WARM, LENGTH = float(os.environ.get("WARM", 0.6)), float(os.environ.get("LENGTH", 1.2))


def loop(name, call, counts=""):
    meter.meter_start(name.encode())
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
        stream.synchronize()
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(); call(); call(); b.record(); b.synchronize()
        many = max(1, min(500, int(4 / (a.elapsed_time(b) / 2))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(many):
            call()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as p:
        call()
        torch.cuda.synchronize()
    names = [e.name for e in p.events() if e.device_type == torch.autograd.DeviceType.CUDA]
    print(name, names, file=sys.stderr)
    events = [torch.cuda.Event() for _ in range(3)]
    begin, start, done, counted, k = meter.meter_now(), 0, 0, 0, 0
    with torch.cuda.stream(stream):
        for e in events:
            graph.replay(); e.record()
        while True:
            events[k].synchronize()
            t = meter.meter_now()
            if not start and t - begin >= WARM:
                start, counted = t, done
            done += 1
            if start and t - start >= LENGTH:
                break
            graph.replay(); events[k].record()
            k = (k + 1) % 3
    torch.cuda.synchronize()
    meter.meter_row(name.encode(), start, t, (done - 1 - counted) * many / (t - start), counts.encode())


torch.manual_seed(1)
R = lambda *s, t=torch.float32: torch.randn(*s, device="cuda").to(t)
H, B = torch.float16, torch.bfloat16
with torch.no_grad():
    a, b = R(1024, 512, t=B), R(512, 1024, t=B)
    loop("torch_mm_bf16_512", lambda: torch.mm(a, b))
    q, k, v = (R(1, 8, 1024, 64, t=H) for _ in range(3))
    def attention():
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
            return F.scaled_dot_product_attention(q, k, v)
    loop("torch_sdpa_flash", attention)
    x, y = R(1024, 1024), R(1024, 1)
    loop("add_bcast", lambda: x + y)
    p, r = R(32, 128, 64, t=H), R(32, 64, 128, t=H)
    loop("bmm_fp16", lambda: torch.bmm(p, r))
    c = R(512, 4096)
    loop("cross_entropy", lambda: torch.log_softmax(c, 1))
    loop("dropout", lambda: torch.native_dropout(x, 0.5, True))
    index = torch.randint(0, 1024, (1024, 512), device="cuda")
    loop("gather_torch", lambda: torch.gather(x, 1, index))
    h, w, s = R(2048, 1024, t=H), R(1024, t=H), R(1024, t=H)
    loop("layer_norm", lambda: F.layer_norm(h, (1024,), w, s))
    m, n = R(16, 2048, t=H), R(2048, 2048, t=H)
    loop("mm_fp16_skinny", lambda: torch.mm(m, n))
    loop("softmax", lambda: torch.softmax(x, 1))
    N = 8192
    for name, t, kind in (("bf16", B, "tensorBf16"), ("f16", H, "tensorF16")):
        a1, b1 = R(N, N, t=t), R(N, N, t=t)
        loop("matmul_8192_" + name, lambda: torch.mm(a1, b1), f"{kind}={N**3:.6g}")
    z = torch.zeros(N, N, device="cuda", dtype=B)
    loop("matmul_8192_bf16_zero", lambda: torch.mm(z, z), f"tensorBf16={N**3:.6g}")
    a2, b2 = R(4096, 4096), R(4096, 4096)
    loop("matmul_4096_fp32", lambda: torch.mm(a2, b2), f"fp32={4096**3:.6g}")
    torch.backends.cuda.matmul.allow_tf32 = True
    loop("matmul_4096_tf32", lambda: torch.mm(a2, b2), f"tensorTf32={4096**3:.6g}")
    big, other = R(1 << 28), torch.empty(1 << 28, device="cuda")
    loop("copy_1GiB", lambda: other.copy_(big), f"dramRead={1 << 30};dramWrite={1 << 30}")
