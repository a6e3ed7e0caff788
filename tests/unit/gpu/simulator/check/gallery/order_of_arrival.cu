// Sorts even before odd numbers: inside each group the first at the counter gets the first place.
// launch: grid 1 block 64 int[64] int[64]=zero int[2]=zero 64
// expect: schedule_dependence y[0]
// says: free_order
__global__ void even_before_odd(const int* x, int* y, int* counts, int n) {
    int t = threadIdx.x;
#ifdef REPAIRED
    if (t == 0)
        for (int k = 0; k < n; ++k) y[n / 2 * (x[k] % 2) + counts[x[k] % 2]++] = x[k];
#else
    if (t < n) y[n / 2 * (x[t] % 2) + atomicAdd(&counts[x[t] % 2], 1)] = x[t];
#endif
}
