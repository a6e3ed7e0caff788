// 500 blocks where 1000 are needed: what was zero before stays zero.
// launch: grid 500 block 100 int[100000] int[100000] int[100000]=zero 100000
// repaired launch: grid 1000 block 100 int[100000] int[100000] int[100000]=zero 100000
// expect: untouched_elements c[50000]
__global__ void larger(const int* a, const int* b, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] > b[i] ? a[i] : b[i];
}
