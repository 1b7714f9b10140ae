// Alignment of two sequences: a launch per diagonal of blocks.
#include "../check.h"

const int TILE = 16;

__global__ void align(const int *scores, int *matrix, int width, int diagonal, int first, int penalty) {
  __shared__ int tile[TILE + 1][TILE + 1];
  int bx = first + blockIdx.x, by = diagonal - bx;
  int x = bx * TILE, y = by * TILE, t = threadIdx.x;
  if (t == 0) tile[0][0] = matrix[y * width + x];
  tile[0][t + 1] = matrix[y * width + x + t + 1];
  tile[t + 1][0] = matrix[(y + t + 1) * width + x];
  __syncthreads();
  for (int d = 0; d < 2 * TILE - 1; d++) {
    int column = t, row = d - t;
    if (row >= 0 && row < TILE) {
      int match = tile[row][column] + scores[(y + row) * (width - 1) + x + column];
      int skip = max(tile[row][column + 1], tile[row + 1][column]) - penalty;
      tile[row + 1][column + 1] = max(match, skip);
    }
    __syncthreads();
  }
  for (int row = 0; row < TILE; row++) matrix[(y + row + 1) * width + x + t + 1] = tile[row + 1][t + 1];
}

int main() {
  const int n = 64, width = n + 1, penalty = 10, tiles = n / TILE;
  Random random(41);
  std::vector<int> scores(n * n), matrix(width * width, 0);
  for (auto &s : scores) s = static_cast<int>(random.next() % 21) - 10;
  for (int i = 0; i < width; i++) matrix[i] = matrix[i * width] = -i * penalty;
  Device<int> dscores(scores), dmatrix(matrix);
  for (int d = 0; d < 2 * tiles - 1; d++) {
    int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
    align<<<last - first + 1, TILE>>>(dscores.data, dmatrix.data, width, d, first, penalty);
  }
  for (int y = 1; y < width; y++)
    for (int x = 1; x < width; x++)
      matrix[y * width + x] = std::max(matrix[(y - 1) * width + x - 1] + scores[(y - 1) * n + x - 1],
                                       std::max(matrix[(y - 1) * width + x], matrix[y * width + x - 1]) - penalty);
  EXPECT(dmatrix.get() == matrix);
  std::puts("needleman: right");
}
