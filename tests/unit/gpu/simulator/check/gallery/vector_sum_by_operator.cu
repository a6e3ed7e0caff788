// Threads add vectors to one of shared memory; operator += is no atomic operation.
// launch: grid 1 block 32 float[96] float[3]=empty
// expect: race sum[0] thread (1,0,0) against thread (0,0,0)
__device__ void operator+=(float3& a, const float3& b) {
    a.x += b.x;  // first second
    a.y += b.y;
    a.z += b.z;
}
__global__ void centre(const float* x, float* y) {
    __shared__ float3 sum;
    const int t = threadIdx.x;
    if (t == 0) sum = make_float3(0, 0, 0);
    __syncthreads();
    const float3 point = make_float3(x[3 * t], x[3 * t + 1], x[3 * t + 2]);
#ifdef REPAIRED
    atomicAdd(&sum.x, point.x);
    atomicAdd(&sum.y, point.y);
    atomicAdd(&sum.z, point.z);
#else
    sum += point;
#endif
    __syncthreads();
    if (t == 0) y[0] = sum.x, y[1] = sum.y, y[2] = sum.z;
}
