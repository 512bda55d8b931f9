#include <stdio.h>

void saxpy(int n, float a, const float *x, float *y);

int main(void)
{
    float x[2] = {1, 2}, y[2] = {10, 20};
    saxpy(2, 3, x, y);
#if defined(__HIP_PLATFORM_AMD__) /* rocport */
#if (USE_CUDA || USE_ROCM)
    printf("gpu ");
#endif
#else /* rocport */
#if USE_CUDA
    printf("gpu ");
#endif
#endif /* rocport */
    printf("%g %g\n", y[0], y[1]);
    return 0;
}
