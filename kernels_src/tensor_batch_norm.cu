// Batch norm, for the module `tensor`. x is seen as (batch, channels, pixels); mean, variance,
// weight and bias are (channels). Sums have one block of 256 threads per channel: launch {channels,
// 256}.

// The sum of what the threads of a block hold, in all of them.
__device__ float block_sum(float value, float* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    const float sum = shared[0];
    __syncthreads();  // before shared is used again
    return sum;
}

// Element i of a channel, counted over all images.
__device__ size_t place(int i, int channel, int channels, int pixels) {
    return (static_cast<size_t>(i / pixels) * channels + channel) * pixels + i % pixels;
}

// Mean and variance of each channel; the variance is divided by the number of elements.
extern "C" __global__ void tensor_channel_statistics(const float* x, float* mean, float* variance,
                                                     int batch, int channels, int pixels) {
    __shared__ float shared[256];
    const int channel = blockIdx.x;
    const int count = batch * pixels;
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 256) sum += x[place(i, channel, channels, pixels)];
    const float average = block_sum(sum, shared) / count;
    float squares = 0;
    for (int i = threadIdx.x; i < count; i += 256) {
        const float distance = x[place(i, channel, channels, pixels)] - average;
        squares += distance * distance;
    }
    squares = block_sum(squares, shared);
    if (threadIdx.x == 0) {
        mean[channel] = average;
        variance[channel] = squares / count;
    }
}

// y = (x - mean) / sqrt(variance + epsilon) * weight + bias, n elements. Launch:
// {(n + 255) / 256, 256}.
extern "C" __global__ void tensor_normalize(const float* x, const float* mean,
                                            const float* variance, const float* weight,
                                            const float* bias, float* y, int n, int channels,
                                            int pixels, float epsilon) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int channel = i / pixels % channels;
    const float scale = weight[channel] / sqrtf(variance[channel] + epsilon);
    y[i] = (x[i] - mean[channel]) * scale + bias[channel];
}

// dweight = sum of gradient * normalised x, dbias = sum of gradient
extern "C" __global__ void tensor_normalize_sums(const float* gradient, const float* x,
                                                 const float* mean, const float* variance,
                                                 float* dweight, float* dbias, int batch,
                                                 int channels, int pixels, float epsilon) {
    __shared__ float shared[256];
    const int channel = blockIdx.x;
    const int count = batch * pixels;
    float products = 0;
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 256) {
        const size_t at = place(i, channel, channels, pixels);
        products += gradient[at] * (x[at] - mean[channel]);
        sum += gradient[at];
    }
    products = block_sum(products, shared);
    sum = block_sum(sum, shared);
    if (threadIdx.x == 0) {
        dweight[channel] = products / sqrtf(variance[channel] + epsilon);
        dbias[channel] = sum;
    }
}

// dx, n elements; training: mean and variance depend on x as well. Launch: {(n + 255) / 256, 256}.
extern "C" __global__ void tensor_normalize_gradient(const float* gradient, const float* x,
                                                     const float* mean, const float* variance,
                                                     const float* weight, const float* dweight,
                                                     const float* dbias, float* dx, int n,
                                                     int batch, int channels, int pixels,
                                                     float epsilon, int training) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int channel = i / pixels % channels;
    const float inverse = 1 / sqrtf(variance[channel] + epsilon);
    float value = gradient[i];
    if (training) {
        const float count = batch * pixels;
        const float normalised = (x[i] - mean[channel]) * inverse;
        value -= dbias[channel] / count + normalised * dweight[channel] / count;
    }
    dx[i] = weight[channel] * inverse * value;
}
