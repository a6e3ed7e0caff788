// Who comes first at the counter gets the first place: another order, another result.
// launch: grid 1 block 64 int[64] int[64]=zero int[1]=zero 64
// expect: schedule_dependence y[0]
__global__ void keep_even(const int* x, int* y, int* count, int n) {
    int t = threadIdx.x;
#ifdef REPAIRED
    if (t == 0)
        for (int k = 0; k < n; ++k)
            if (x[k] % 2 == 0) y[count[0]++] = x[k];
#else
    if (t < n && x[t] % 2 == 0) y[atomicAdd(count, 1)] = x[t];
#endif
}
