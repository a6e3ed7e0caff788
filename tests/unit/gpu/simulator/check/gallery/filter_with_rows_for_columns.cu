// A filter of 5 rows and 3 columns whose rows are taken to be 5 wide. No guard helps: the thread has a pixel.
// launch: grid 30 block 40 float[1200] float[15] float[1200]=empty 30 40 5 3
// expect: out_of_bounds filter[16] thread (0,0,0)
// says: Look at how the index is computed
__global__ void correlation(const float* image, const float* filter, float* out, int rows, int columns, int filter_rows, int filter_columns) {
    int row = blockIdx.x, column = threadIdx.x;
#ifdef REPAIRED
    int width = filter_columns;
#else
    int width = filter_rows;
#endif
    float sum = 0;
    for (int i = 0; i < filter_rows; ++i)
        for (int j = 0; j < filter_columns; ++j) {
            int y = row + i - filter_rows / 2, x = column + j - filter_columns / 2;
            if (y >= 0 && y < rows && x >= 0 && x < columns) sum += filter[i * width + j] * image[y * columns + x];  // first
        }
    out[row * columns + column] = sum;
}
