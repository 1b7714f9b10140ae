"""Makes energy.csv of what energy.sh measured: energy_counts.py ISA_TABLES [EARLIER.csv] DIR... > energy.csv

Each DIR has rows.csv of energy.sh and energy.sass of `cuobjdump -sass energy` (or energy.sass.gz). Where kernels were measured several times, each is a row.
Rows of EARLIER.csv, which this script wrote before, come first; a micro-kernel of a DIR without energy.sass has the loop that it has there.
A micro-kernel's row says in `counts` what one launch does: instructions of its loop in the machine code, by the pipes of ISA_TABLES
(isa/src/main/resources/dev/warpline/isa/sass), and the traffic that energy.cu states. Other rows have a trace of the same name."""
import collections, csv, gzip, os, re, sys

SMS = 132
OPS = "FFMA FADD FMUL IMAD IADD LOP3 SHF PRMT IMNMX FMNMX SELP MOV HFMA2 BFMA2 EX2 RSQ SIN LG2 F2I I2F F2F16 POPC DP4A SHFL VOTE REDUX IMADHI ISETP".split()
PURE = "fmul imnmx fmnmx ex2 rsq sin lg2 f2i i2f f2f16 popc redux shfl".split()
NAMED = {"imad_wide": "_Z4wide", "ffma_const": "_Z10ffma_const", "branch": "_Z8branches", "barrier": "_Z8barriers", "ldc": "_Z3ldc", "dfma": "_Z3dblILi0E", "dadd": "_Z3dblILi1E", "imad_hi": "_Z3aluILi26E",
         "dram_copy128": "_Z7copy128", "dram_sectors": "_Z7sectors", "bulk_l2": "_Z4bulk", "bulk_dram": "_Z4bulk", "sleep": "_Z8sleeping", "sleep_full": "_Z8sleeping"}
MMA = {"mma_f16": 0, "mma_f16_zero": 0, "mma_f16h": 1, "mma_bf16": 2, "mma_tf32": 3, "mma_s8": 4, "mma_f64": 5}
WG = {"wgmma_f16": 0, "wgmma_bf16": 1, "wgmma_tf32": 2, "wgmma_e4m3": 3, "wgmma_s8": 4}
MEMORY = {"lds32": 0, "lds64": 1, "lds128": 2, "sts32": 3, "sts128": 4, "reds": 5}
GLOBAL = {"l2_read32": 0, "l2_read128": 1, "l2_sectors": 2, "l2_write128": 3, "l2_red": 4, "l2_atom": 5, "dram_read128": 1, "dram_write128": 3}
TRAFFIC = {"sharedPass": {"memory.sharedPass": 1}, "l1Sector": {"memory.l1Sector": 1}, "copySector": {"memory.copySector": 1},
           # half of the sectors of a large region are in the other partition
           "l2Read": {"memory.l2Read": 1, "memory.networkSector": 1, "memory.l2Far": 0.5}, "l2Write": {"memory.l2Write": 1, "memory.networkSector": 1, "memory.l2Far": 0.5},
           "l2Atomic": {"memory.l2Atomic": 1, "memory.networkSector": 1, "memory.l2Far": 0.5},
           # a stream opens a row for about 1200 bytes of it, as in the model
           "dramRead": {"memory.dramRead": 1, "memory.dramRow": 1 / 1200}, "dramWrite": {"memory.dramWrite": 1, "memory.dramRow": 1 / 1200}, "dramRow": {"memory.dramRow": 1}}
TORCH = "torch_mm_bf16_512 torch_sdpa_flash add_bcast bmm_fp16 cross_entropy dropout gather_torch layer_norm mm_fp16_skinny softmax".split()


def pipes(folder):
    table = {}
    def read(name):
        for line in open(os.path.join(folder, name + ".tsv")):
            cells = line.rstrip("\n").split("\t")
            if line.startswith("#") or cells[0] == "name": continue
            if cells[0] == "inherits": read(cells[1])
            else: table[cells[0]] = cells[2]
    read("hopper")
    return table


def loops(file):
    """Instructions of the longest loop of each function, and how many warps' turns of energy.cu it makes."""
    code, name = {}, None
    for line in gzip.open(file, "rt") if file.endswith(".gz") else open(file):
        m = re.search(r"Function : (\S+)", line)
        if m: name = m.group(1); code[name] = []; continue
        m = re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+ )?([A-Z0-9_.x]+)(.*?);", line)
        if m and name: code[name].append((int(m.group(1), 16), m.group(2), m.group(3)))
    out = {}
    for name, ins in code.items():
        best = None
        for pc, op, rest in ins:
            m = re.search(r"0x([0-9a-f]+)", rest)
            if op.startswith("BRA") and m and int(m.group(1), 16) < pc:
                t = int(m.group(1), 16)
                if best is None or pc - t > best[1] - best[0]: best = (t, pc)
        if best: out[name] = [(o, r) for p, o, r in ins if best[0] <= p <= best[1]]
    return out


def event(op, rest, pipe):
    words = op.split(".")
    kind = pipe.get(words[0], "ALU")
    if kind == "FMA": return "lane.fp32", 1
    if kind == "FMA_HEAVY":
        if "WIDE" in words or "HI" in words: return "lane.wideMultiply", 1
        simple = words[0] not in ("IMAD", "IDP") or set(words) & {"MOV", "SHL", "IADD", "U32", "X"}
        return ("lane.alu" if simple else "lane.multiply"), 1
    if kind == "FP16": return ("lane.alu" if "-RZ, RZ" in rest else "lane.half"), 1
    if kind == "LSU": return ("lane.shuffle" if words[0] in ("SHFL",) else "lane.loadStore"), 1
    if kind in ("TENSOR", "GMMA"): return None, 0
    one = {"FP64": "lane.fp64", "XU": "lane.special", "UNIFORM": "warp.uniform", "BRANCH": "warp.control", "MISC": "warp.control", "TMA": "warp.control", "CONSTANT": "warp.constant"}.get(kind, "lane.alu")
    return one, 1


def registers(op, rest):
    """How many 32-bit registers a lane reads, each once; none for products of the tensor cores."""
    words, operands = op.split("."), [o.strip() for o in re.split(r",(?![^\[]*\])", rest)]
    stores = words[0] in ("ST", "STG", "STS", "STL", "RED", "REDG")
    results = 0 if stores else 2 if words[0] in ("SHFL", "ATOM", "ATOMG", "ATOMS") and operands[0].startswith("P") else 1
    double = words[0] in ("DFMA", "DADD", "DMUL", "DSETP")
    data = 4 if "128" in words else 2 if "64" in words else 1
    read = set()
    for i, o in enumerate(operands[results:]):
        for m in re.finditer(r"(?<![A-Z])R(\d+)(\.64)?", o):
            wide = 2 if m.group(2) or double or "WIDE" in words and i == 2 else data if stores and "[" not in o else 1
            read |= set(range(int(m.group(1)), int(m.group(1)) + wide))
    return len(read)


def function(name, code):
    base = re.sub(r"_(zero|lanes\d+|sms\d+|warps\d+)$", "", name)
    if base.startswith("chain"): key = "_Z5chain"
    elif name in NAMED: key = NAMED[name]
    elif name in MMA: key = "_Z3mmaILi%dE" % MMA[name]
    elif base.startswith("wgmma_"): key = "_Z2wgILi%dELi%s" % (WG[base.rsplit("_n", 1)[0]], base.rsplit("_n", 1)[1] + "E")
    elif name.split("_")[0] in MEMORY: key = "_Z6sharedILi%dE" % MEMORY[name.split("_")[0]]
    elif name in GLOBAL: key = "_Z6globalILi%dE" % GLOBAL[name]
    elif name.startswith("l1_"): key = "_Z4hitsILi%dE" % {"l1_32": 0, "l1_128": 1, "l1_sectors": 2}[name]
    elif base in PURE: key = "_Z4pureILi%dE" % [o.lower() for o in OPS].index(base)
    elif base in [o.lower() for o in OPS]: key = "_Z3aluILi%dE" % [o.lower() for o in OPS].index(base)
    else: return None
    found = [c for f, c in code.items() if f.startswith(key)]
    return found[0] if found else None


# What energy.cu states that is also a count of the loop, one for each micro-kernel: it tells how many times an earlier row's turns a launch made.
STATED = {"tensorF16": "tensor.f16 tensor.groupF16", "tensorBf16": "tensor.f16 tensor.groupF16", "fp32": "lane.fp32", "imad": "lane.multiply", "fp64": "lane.fp64", "sharedPass": "memory.sharedPass",
          "l2Read": "memory.l2Read", "l2Write": "memory.l2Write", "l1Sector": "memory.l1Sector", "branch": "warp.control"}


def scaled(stated, earlier):
    """Instructions of a launch's loop by those of a launch of the same code that made other turns."""
    counts = dict((k, float(v)) for k, v in (c.split("=") for c in earlier["counts"].split(";")))
    name, field = next((n, f) for n, fields in STATED.items() if n in stated for f in fields.split() if f in counts)
    return {k: v * stated[name] / counts[field] for k, v in counts.items() if k.startswith(("warp.", "lane."))}


def main(tables, arguments):
    pipe = pipes(tables)
    rows = [row for file in arguments if file.endswith(".csv") for row in csv.DictReader(open(file))]
    before = {row["workload"]: row for row in rows}
    for folder in (a for a in arguments if not a.endswith(".csv")):
        run = os.path.basename(folder.rstrip("/"))
        file = next((f for f in (folder + "/energy.sass", folder + "/energy.sass.gz") if os.path.exists(f)), None)
        code = loops(file) if file else {}
        for row in csv.DictReader(open(folder + "/rows.csv")):
            name, stated = row["kernel"], dict(c.split("=") for c in row["counts"].split(";") if c)
            stated = {k: float(v) for k, v in stated.items()}
            launches, seconds = float(row["launches"]), float(row["seconds"])
            if name.startswith("idle"): group, counts, launches = "idle", {}, 0
            elif name in PRODUCTS:   # what feeds the tensor cores is left out: they alone are at the power limit
                group, counts = "library", {"tensor.groupF16": stated.get("tensorBf16", stated.get("tensorF16")), "power.smW": SMS * seconds / launches}
            elif name.startswith(("matmul_", "copy_1GiB")): group, counts = "library", {}
            elif stated:
                loop = function(name, code)
                if loop is None and name not in before or "turn" not in stated and not name.startswith("bulk"): continue
                if loop is None: counts = scaled(stated, before[name])
                else:
                    per = collections.Counter()
                    scale = stated.get("turn", 1)
                    lanes = stated.get("lanes", 32 * scale) / scale
                    for op, rest in loop:
                        e, n = event(op, rest, pipe)
                        per["warp.issue"] += 1
                        if e:
                            per[e] += n * (lanes if e.startswith("lane.") else 1)
                            per["lane.register"] += registers(op, rest) * lanes
                    if name.startswith("barrier"): scale /= 4   # unrolled by four
                    if name.startswith("sleep"): scale /= 16
                    counts = {k: v * scale for k, v in per.items()}
                if name.startswith("bulk"): counts = {}
                for k, v in stated.items():
                    for e, f in TRAFFIC.get(k, {}).items(): counts[e] = counts.get(e, 0) + f * v
                    if k.startswith("tensor"):
                        kind = {"tensorF16": "F16", "tensorBf16": "F16", "tensorTf32": "Tf32", "tensorS8": "Int8", "tensorF8": "F8", "tensorF64": "F64"}[k]
                        e = "tensor.group" + kind if name.startswith("wgmma") else "tensor." + kind[0].lower() + kind[1:]
                        counts[e] = counts.get(e, 0) + v
                # a line has four sectors; single sectors of random lines are asked for one by one
                sectors = sum(stated.get(k, 0) for k in ("l2Read", "l2Write", "l2Atomic"))
                if sectors: counts["memory.l2Request"] = sectors / (1 if name == "dram_sectors" else 4)
                if name in ("dram_copy128", "dram_sectors"):
                    counts["memory.l1Sector"] = stated["l2Read"]
                if name in ("l2_write128", "l2_red", "l2_atom", "dram_write128"): counts.pop("memory.l1Sector", None)
                if name == "bulk_l2": counts.pop("memory.l2Far")   # weak reads find copies in the near partition
                sms = re.search(r"_sms(\d+)$", name)
                counts["power.smW"] = (int(sms.group(1)) if sms else SMS) * seconds / launches
                group = "arithmetic" if not re.match(r"(chain|branch|sleep|barrier|ldc|mma|wgmma|lds|sts|reds|l1_|l2_|dram|bulk)", name) else re.match(r"(chain|branch|sleep|barrier|ldc|mma|wgmma|lds|sts|reds|l1_|l2_|dram|bulk)", name).group(1)
                group = {"chain": "control", "branch": "control", "sleep": "control", "barrier": "control", "ldc": "control", "mma": "tensor", "wgmma": "tensor", "lds": "shared", "sts": "shared", "reds": "shared", "l1_": "l1", "l2_": "l2", "dram": "dram", "bulk": "dram"}.get(group, group)
            else:
                counts = {}
                group = "torch" if name in TORCH else "hopper" if name in ("bulk_stream", "tile_scale", "wgmma_s1", "wgmma_s2", "wgmma_s4") else "programs" if name in GENERAL else "suite"
            n = launches if launches > 0 else 1
            rows.append(dict(zip(COLUMNS, [name, group, "", "", run, "%.0f" % launches, "%.6e" % (seconds / n), "%.6e" % (float(row["joules"]) / n), row["watts"], row["sm_mhz"], row["temp_last"], row["reasons"], ";".join("%s=%.6g" % kv for kv in counts.items())])))
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    out.writeheader()
    kernel = lambda row: (row["workload"], row["group"])
    times = collections.Counter((kernel(row), row["run"]) for row in rows)
    runs = collections.Counter(k for k, run in times)
    for row in rows:
        row["use"] = use(*kernel(row))
        # every kernel counts alike, and of a kernel every measurement
        row["weight"] = "%.4g" % (WEIGHTS.get(row["group"], 1) / runs[kernel(row)] / times[kernel(row), row["run"]] if row["use"] == "fit" else 1)
        out.writerow(row)


def use(name, group):
    if name in CHANGES or name.endswith("_zero") or group == "suite" and name in CONSTANTS: return "none"
    if group == "library": return "repeat" if name in PRODUCTS else "none"
    return "check" if group in ("torch", "programs") else "fit"


COLUMNS = "workload group use weight run launches seconds joules watts sm_mhz temperature reasons counts".split()
PRODUCTS = {"matmul_8192_bf16", "matmul_8192_f16"}
# From the second launch on they find another state and do other work, or their data have become zeros or infinities: no launch of the loop is like the traced one.
CHANGES = {"hash_insert": "the table is full", "sssp_relax": "distances are final", "bfs_step": "the next level", "rope": "rotates zeros", "backprop_forward": "multiplies its weights in place until they are zero", "walsh": "adds up in place until all is infinite", "merge_sort": "sorts what is sorted", "bitonic": "sorts what is sorted", "torch_sdpa_flash": "another shape than the traced one",
           # the same bits over and over
           "dram_write": "writes four numbers", "bulk_stream": "memory set to one byte", "tile_scale": "memory set to one byte", "ffma_const": "its values stand still"}
# Kernels of the suite that do one thing over and over on a few constants: the micro-kernels do the same on random operands. Energies are fitted to all others.
CONSTANTS = set("ffma_chain ffma_occ1 ffma_tput hfma2_tput dfma_tput imad_tput lop_shift_mix mixed_int_fp mufu_tput hmma_chain hmma_tput cvt_mix shfl_tput vote_match".split())
# What counts more than once in a fit: six kernels tell of device memory.
WEIGHTS = {"dram": 30}
GENERAL = set("""hotspot backprop_forward backprop_adjust srad lud_internal lud_perimeter needle gaussian_fan2 near_neighbour tree_find lavamd cfd_flux atax_row atax_col syrk correlation_mean fdtd conv_rows dct8 binomial walsh mriq
cutcp lbm sad im2col batchnorm maxpool gelu embedding adam rope wmma_bias sha_like aes_tables radix_count hash_insert compact merge_sort dp4a_gemm dgemm nn_double_div pagerank sssp_relax triad copy_bytes soa_update
insertion_local quad_switch""".split())
if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
