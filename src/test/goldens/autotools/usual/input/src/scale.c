#include "config.h"

#include "scale.h"

int scale(float *x, int n, float by)
{
#ifdef HAVE_CUDA
    return scale_gpu(x, n, by);
#else
    for (int i = 0; i < n; i++)
        x[i] *= by;
    return 0;
#endif
}
