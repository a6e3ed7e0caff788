// The larger of two numbers, element by element: c[i] = max(a[i], b[i]) for int32. Per element, two
// loads, one store and one comparison: the time is that of moving 12 bytes.
//
//   max_v1  one thread per element, as the assignment asks: 1000 blocks of 1000 threads for two
//           matrices of 1000x1000
//   max_v2  a grid-stride loop with 16-byte accesses: fewer, wider loads, and one launch shape for
//           every size
//
// The buffers hold n elements, 0 <= n < 2^31, and start at an address divisible by 16, as every
// device buffer does. c may be a or b, but not a shifted part of them.
//
// Lesson 02 asks for both ideas, so the hand-out has neither CUDA kernel: lanes::max_gpu does not
// work there, and no lesson needs it.

// BEGIN ANSWER
// Launch: blocks of any size, and at least one thread per element: {1000, 1000} for n = 1,000,000,
// in general {(n + 255) / 256, 256}.
extern "C" __global__ void max_v1(const int* a, const int* b, int* c, int n)  // a, b, c: (n)
{
    // Unsigned: the last block may reach beyond 2^31.
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(n)) c[i] = a[i] > b[i] ? a[i] : b[i];
}

__device__ int4 larger(int4 a, int4 b) {
    int4 c;
    c.x = a.x > b.x ? a.x : b.x;
    c.y = a.y > b.y ? a.y : b.y;
    c.z = a.z > b.z ? a.z : b.z;
    c.w = a.w > b.w ? a.w : b.w;
    return c;
}

// Launch: any shape gives the right result, even {1, 1}. Fast: {min((n + 1023) / 1024, 1 << 20),
// 256}.
extern "C" __global__ void max_v2(const int* a, const int* b, int* c, int n)  // a, b, c: (n)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned fours = static_cast<unsigned>(n) / 4;
    const int4* a4 = reinterpret_cast<const int4*>(a);
    const int4* b4 = reinterpret_cast<const int4*>(b);
    int4* c4 = reinterpret_cast<int4*>(c);
    for (unsigned i = thread; i < fours; i += threads) c4[i] = larger(a4[i], b4[i]);
    for (unsigned i = 4 * fours + thread; i < static_cast<unsigned>(n); i += threads)
        c[i] = a[i] > b[i] ? a[i] : b[i];  // the last n % 4
}
// END ANSWER
