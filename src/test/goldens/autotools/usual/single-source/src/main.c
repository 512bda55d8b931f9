#include "config.h"

#include <stdio.h>

#include "scale.h"

int main(void)
{
    float x[3] = {1, 2, 3};
    int error = scale(x, 3, 2);
#if defined(__HIP_PLATFORM_AMD__) /* rocport */
#if (defined(HAVE_CUDA) || defined(HAVE_ROCM)) && !defined(QUIET)
    printf("gpu ");
#endif
#else /* rocport */
#if defined(HAVE_CUDA) && !defined(QUIET)
    printf("gpu ");
#endif
#endif /* rocport */
    printf("%d %g %g %g\n", error, x[0], x[1], x[2]);
    return error;
}
