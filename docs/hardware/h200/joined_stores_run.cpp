// Stores that follow each other closely. `hits`: which of the words a lane stored can be read in its L1 (1), which are fetched from L2 (0).
// `counts`: a launch for each case, in the order of the lines printed, to be counted with
//   ncu --metrics lts__t_requests_srcunit_tex_op_write.sum,lts__t_sectors_srcunit_tex_op_write.sum
//   nvcc -o joined_stores_run joined_stores_run.cpp -lcuda && ./joined_stores_run joined_stores.cubin hits|counts
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#define CHECK(x) do { CUresult e = (x); if (e) { fprintf(stderr, "error %d at %d\n", e, __LINE__); exit(2); } } while (0)
typedef unsigned long long u64;
typedef unsigned u32;
struct Places { int at[8]; };
bool counting; std::vector<char> file; CUdeviceptr data, out; size_t place;
// The code of a kernel in the file, as pairs of words.
static u64* code(std::vector<char>& f, const std::string& name, size_t* count) {
  u64 table = *(u64*)&f[0x28]; unsigned short n = *(unsigned short*)&f[0x3c], names = *(unsigned short*)&f[0x3e];
  auto section = [&](int i) { return &f[table + 64 * i]; };
  u64 strings = *(u64*)(section(names) + 24);
  for (int i = 0; i < n; i++) if (".text." + name == &f[strings + *(u32*)section(i)]) { *count = *(u64*)(section(i) + 32) / 16; return (u64*)&f[*(u64*)(section(i) + 24)]; }
  exit(3);
}
static int stall(u64* c) { return c[1] >> 41 & 15; }
static void stall(u64* c, int cycles) { c[1] = c[1] & ~(31ull << 41) | (u64)cycles << 41 | (u64)(cycles < 12) << 45; }
// Runs stores at `at`, `distance` cycles apart, and says which can be read in L1; counting, once, by `threads` whose lanes and warps are so many bytes apart.
static std::string run(int width, std::vector<int> at, std::vector<int> distance, int threads = 1, int lane = 0, int warp = 0, int reader = 0) {
  std::vector<char> f = file; size_t count; std::string name = "stores" + std::to_string(width);
  u64* c = code(f, name, &count);
  std::vector<u64*> stores; for (size_t i = 0; i < count && stores.size() < 8; i++) if ((c[2 * i] & 0xfff) == 0x986) stores.push_back(c + 2 * i);
  Places p; std::vector<int> used;
  size_t k = 0;
  for (size_t s = 0; s < at.size(); s++) {
    p.at[k] = at[s]; used.push_back(k);
    int left = s < distance.size() ? distance[s] : 1;
    for (bool first = true; left > 0 && k < 7 || first; first = false) {
      if (!first) { p.at[k] = 0; stores[k][0] |= 0xfull << 12; }
      int between = 0;
      if (k < 7) for (u64* i = stores[k] + 2; i < stores[k + 1]; i += 2) { between += stall(i); }
      int mine = left - between; if (mine > 15) mine = 15; if (mine < 1) mine = 1;
      stall(stores[k], mine); left -= mine + between; k++;
      if (k > 7) break;
    }
  }
  for (; k < 8; k++) { p.at[k] = 0; stores[k][0] |= 0xfull << 12; }
  CUmodule m; CUfunction fn; CHECK(cuModuleLoadData(&m, f.data())); CHECK(cuModuleGetFunction(&fn, m, name.c_str()));
  std::string r;
  for (int w : at) {
    int rounds = 8; CUdeviceptr base = data + place; place = (place + rounds * 69888 + 65536) % (800u << 20) & ~4095ull;
    void* args[] = {&base, &p, &lane, &warp, &reader, &w, &rounds, &out};
    CHECK(cuLaunchKernel(fn, 1, 1, 1, threads, 1, 1, 0, 0, args, 0)); CHECK(cuCtxSynchronize());
    u32 t[8]; CHECK(cuMemcpyDtoH(t, out, sizeof t)); int hits = 0; for (u32 x : t) hits += x < 150;
    r += hits == 8 ? '1' : hits == 0 ? '0' : '?';
    if (counting) break;
  }
  CHECK(cuModuleUnload(m));
  return r;
}
static void count(const char* name, int width, std::vector<int> at, int d, int threads = 1, int lane = 0, int warp = 0) {
  run(width, at, std::vector<int>(at.size() - 1, d), threads, lane, warp);
  printf("%s,%d,%zu,%d,%d,%d,%d\n", name, width, at.size(), d, threads, lane, warp);
}
static void counts() {
  std::vector<int> distances = {1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 24, 30, 40};
  for (int w : {4, 8, 16}) for (int d : distances) {
    count("two", w, {0, w}, d); if (d <= 15) { count("four", w, {0, w, 2 * w, 3 * w}, d); count("in turn", w, {0, 128, w, 128 + w}, d); count("three in turn", w, {0, 128, 256, w, 128 + w, 256 + w}, d); }
    if (d <= 15) count("eight lines", w, {0, w}, d, 32, 32); if (d <= 15 && w == 8) { count("eight lines", w, {0, 8, 16, 24}, d, 32, 32); count("eight lines of four warps", w, {0, 8, 16, 24}, d, 128, 32, 1024); count("eight lines of eight warps", w, {0, 8, 16, 24}, d, 256, 32, 1024); }
  }
  for (int lane : {2176, 2180}) for (int lanes : {2, 4, 8, 16, 32}) for (int d : {1, 4, 8, 10, 11, 14, 18, 22, 26, 30, 34, 40, 48, 60, 80, 100}) count("a line of each lane", 4, {0, 4}, d, lanes, lane);
  for (int d : {1, 2, 4, 8, 11, 15}) { count("bytes", 1, {0, 1, 2, 3}, d, 32, 4); count("bytes of four warps", 1, {0, 1, 2, 3}, d, 128, 4, 128); count("bytes of 32 warps", 1, {0, 1, 2, 3}, d, 1024, 4, 128); count("line by halves", 8, {0, 128}, d, 16, 8); }
  for (int warps : {2, 4, 8, 16, 32}) { count("a lane of each warp", 4, {0}, 1, 32 * warps, 0, 4); count("a lane of each warp", 8, {0}, 1, 32 * warps, 0, 8); count("columns", 4, {0}, 1, 32 * warps, 2048, 4); count("columns", 8, {0}, 1, 32 * warps, 2048, 8); count("lanes of a line", 4, {0}, 1, 32 * warps, 128 / 4, 4); }
}
int main(int argc, char** argv) {
  std::ifstream in(argv[1], std::ios::binary); file.assign(std::istreambuf_iterator<char>(in), {});
  CUdevice dev; CUcontext ctx; CHECK(cuInit(0)); CHECK(cuDeviceGet(&dev, 0)); CHECK(cuDevicePrimaryCtxRetain(&ctx, dev)); CHECK(cuCtxSetCurrent(ctx));
  CHECK(cuMemAlloc(&data, 1 << 30)); CHECK(cuMemsetD8(data, 0, 1 << 30)); CHECK(cuMemAlloc(&out, 4096));
  counting = std::string(argv[2]) == "counts";
  if (counting) { counts(); return 0; }
  for (int w : {4, 8, 16}) {
    for (auto at : std::vector<std::vector<int>>{{0, w}, {0, 64}, {0, 128}, {0, 0}, {64, 0}}) {
      printf("two,%d,%d %d,", w, at[0], at[1]); for (int d = 1; d <= 40; d++) printf(" %d:%s", d, run(w, at, {d}).c_str()); printf("\n");
    }
    for (int a = 1; a <= 15; a += 2) { printf("three,%d,first %d,", w, a); for (int b = 1; b <= 15; b++) printf(" %d:%s", b, run(w, {0, w, 2 * w}, {a, b}).c_str()); printf("\n"); }
    printf("four,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, w, 2 * w, 3 * w}, {d, d, d}).c_str()); printf("\n");
    printf("six,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, w, 2 * w, 3 * w, 4 * w, 5 * w}, {d, d, d, d, d}).c_str()); printf("\n");
    printf("eight,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, w, 2 * w, 3 * w, 4 * w, 5 * w, 6 * w, 7 * w}, {d, d, d, d, d, d, d}).c_str()); printf("\n");
    printf("lines in turn,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, 128, w, 128 + w}, {d, d, d}).c_str()); printf("\n");
    printf("three lines in turn,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, 128, 256, w, 128 + w, 256 + w}, {d, d, d, d, d}).c_str()); printf("\n");
    printf("after another line,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {128, 0, w}, {d, d}).c_str()); printf("\n");
    if (w < 16) for (int lanes : {2, 4, 8, 16, 32}) for (int reader = 0; reader < lanes; reader += lanes - 1) for (int lane : {2176, 2176 + w}) {
      printf("lines %d, %d apart, line %d,%d,", lanes, lane, reader, w); for (int d = 1; d <= 100; d += d < 24 ? 1 : 4) printf(" %d:%s", d, run(w, {0, w}, {d}, lanes, lane, 0, reader).c_str()); printf("\n");
    }
    printf("before another line,%d,", w); for (int d = 1; d <= 15; d++) printf(" %d:%s", d, run(w, {0, w, 128}, {d, d}).c_str()); printf("\n");
  }
}
