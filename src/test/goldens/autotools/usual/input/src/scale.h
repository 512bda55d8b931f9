#ifndef SCALE_H
#define SCALE_H
#ifdef __cplusplus
extern "C" {
#endif
int scale(float *x, int n, float by);
int scale_gpu(float *x, int n, float by);
#ifdef __cplusplus
}
#endif
#endif
