#include "config.h"

#include "scale.h"

int scale(float *x, int n, float by)
{
#if defined(HAVE_CUDA) || defined(HAVE_ROCM)
    return scale_gpu(x, n, by);
#else
    for (int i = 0; i < n; i++)
        x[i] *= by;
    return 0;
#endif
}
