// A sparse matrix by a vector: a thread per row, and a wave per row.
#include "../check.h"

__global__ void by_thread(const int *start, const int *column, const float *value, const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int e = start[row]; e < start[row + 1]; e++) sum += value[e] * x[column[e]];
  y[row] = sum;
}

__global__ void by_wave(const int *start, const int *column, const float *value, const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float sum = 0;
  for (int e = start[row] + lane; e < start[row + 1]; e += 64) sum += value[e] * x[column[e]];
  for (int offset = 32; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int rows = 600;
  Random random(31);
  std::vector<int> start = {0}, column;
  std::vector<float> value, x(rows);
  for (auto &v : x) v = random.unit() - 0.5f;
  for (int r = 0; r < rows; r++) {
    int count = r % 50 == 0 ? 200 : random.next() % 20;
    for (int e = 0; e < count; e++) {
      column.push_back(random.next() % rows);
      value.push_back(random.unit());
    }
    start.push_back(column.size());
  }
  Device<int> dstart(start), dcolumn(column);
  Device<float> dvalue(value), dx(x), dy(rows), dz(rows);
  by_thread<<<blocks(rows, 128), 128>>>(dstart.data, dcolumn.data, dvalue.data, dx.data, dy.data, rows);
  by_wave<<<blocks(rows * 64, 256), 256>>>(dstart.data, dcolumn.data, dvalue.data, dx.data, dz.data, rows);
  std::vector<float> y = dy.get(), z = dz.get();
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int e = start[r]; e < start[r + 1]; e++) sum += static_cast<double>(value[e]) * x[column[e]];
    expect_near(y[r], sum, 1e-4, "y", r);
    expect_near(z[r], sum, 1e-4, "z", r);
  }
  std::puts("spmv: right");
}
