import sys, time, torch
for n, b in ((512, 256), (2048, 2048)):
    torch.manual_seed(0)
    net = torch.nn.Sequential(*[m for _ in range(3) for m in (torch.nn.Linear(n, n), torch.nn.ReLU())], torch.nn.Linear(n, 10)).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    x = torch.randn(b, n, device="cuda"); y = torch.randint(0, 10, (b,), device="cuda")
    t = []
    for i in range(40):
        torch.cuda.synchronize(); s = time.perf_counter()
        opt.zero_grad(); torch.nn.functional.cross_entropy(net(x), y).backward(); opt.step()
        torch.cuda.synchronize(); t.append(time.perf_counter() - s)
    t = sorted(t[10:])
    print("%d: median %.2f ms, best %.2f ms, memory %d MB" % (n, t[len(t) // 2] * 1e3, t[0] * 1e3, torch.cuda.memory_reserved() >> 20), flush=True)
    del net, opt, x, y; torch.cuda.empty_cache()
