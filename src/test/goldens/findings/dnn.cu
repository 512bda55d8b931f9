// cuDNN becomes MIOpen, whose calls take other arguments.
#include <cudnn.h>
#include "algorithms.h"  // kWeights, the algorithm for gradients of weights

void convolve(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
              cudnnConvolutionDescriptor_t conv, cudnnTensorDescriptor_t y, float *d, size_t n) {
  float a = 1, b = 0;
  cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  cudnnConvolutionBwdDataAlgo_t back = CUDNN_CONVOLUTION_BWD_DATA_ALGO_0;
  cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);  // want: ARG-DNN-CONVOLUTION-2D
  cudnnGetConvolutionForwardWorkspaceSize(h, x, w, conv, y, algo, &n);  // want: ARG-DNN-FORWARD-SIZE
  cudnnGetConvolutionBackwardDataWorkspaceSize(h, w, y, conv, x, back, &n);  // want: ARG-DNN-BACKWARD-DATA-SIZE
  cudnnGetConvolutionBackwardFilterWorkspaceSize(h, x, y, conv, w, kWeights, &n);  // want: ARG-DNN-BACKWARD-FILTER-SIZE
  cudnnConvolutionForward(h, &a, x, d, w, d, conv, algo, d, n, &b, y, d);  // want: ARG-DNN-CONVOLUTION
  cudnnConvolutionBackwardData(h, &a, w, d, y, d, conv, back, d, n, &b, x, d);  // want: ARG-DNN-CONVOLUTION-DATA
  cudnnConvolutionBackwardFilter(h, &a, x, d, y, d, conv, kWeights, d, n, &b, w, d);  // want: ARG-DNN-CONVOLUTION-WEIGHTS
}

void find(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
          cudnnConvolutionDescriptor_t conv, float *d, cudnnConvolutionFwdAlgoPerf_t *best) {
  int found;
  cudnnFindConvolutionForwardAlgorithmEx(h, x, d, w, d, conv, x, d, 4, &found, best, d, 64);  // want: ARG-DNN-FIND-FORWARD
}

void pool(cudnnPoolingDescriptor_t p, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan, int *v) {
  cudnnSetPooling2dDescriptor(p, mode, nan, 2, 2, 0, 0, 2, 2);  // want: ARG-DNN-POOLING-SET
  cudnnGetPooling2dDescriptor(p, &mode, &nan, v, v, v, v, v, v);  // want: ARG-DNN-POOLING-GET
  cudnnSetPoolingNdDescriptor(p, mode, nan, 3, v, v, v);  // want: ARG-DNN-POOLING-SET-ND
  cudnnGetPoolingNdDescriptor(p, 3, &mode, &nan, v, v, v, v);  // want: ARG-DNN-POOLING-GET-ND
}

void normalize(cudnnHandle_t h, cudnnLRNDescriptor_t lrn, cudnnTensorDescriptor_t x, float *d) {
  float a = 1, b = 0;
  cudnnSetLRNDescriptor(lrn, 5, 1e-4, 0.75, 2.0);  // want: ARG-DNN-LRN
  cudnnSoftmaxForward(h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &a, x, d, &b, x, d);  // want: ARG-DNN-SOFTMAX
  cudnnSoftmaxBackward(h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &a, x, d, x, d, &b, x, d);  // want: ARG-DNN-SOFTMAX-BACKWARD
}

void recur(cudnnHandle_t h, cudnnRNNDescriptor_t rnn, cudnnDropoutDescriptor_t drop, float *d,
           const cudnnTensorDescriptor_t *x, cudnnTensorDescriptor_t t, cudnnFilterDescriptor_t w) {
  int hidden, layers;
  cudnnRNNInputMode_t input;
  cudnnDirectionMode_t direction;
  cudnnRNNMode_t mode;
  cudnnRNNAlgo_t algo;
  cudnnDataType_t type;
  cudnnSetRNNDescriptor_v6(h, rnn, 64, 2, drop, input, direction, mode, algo, type);  // want: ARG-DNN-RNN-SET
  cudnnGetRNNDescriptor_v6(h, rnn, &hidden, &layers, &drop, &input, &direction, &mode, &algo, &type);  // want: ARG-DNN-RNN-GET
  float rate;
  void *states;
  unsigned long long seed;
  cudnnSetDropoutDescriptor(drop, h, 0.5f, d, 64, 1);  // want: ARG-DNN-DROPOUT
  cudnnGetDropoutDescriptor(drop, h, &rate, &states, &seed);  // want: ARG-DNN-DROPOUT-GET
  cudnnRNNBackwardWeights(h, rnn, 8, x, d, t, d, x, d, d, 64, w, d, d, 64);  // want: ARG-DNN-RNN-WEIGHTS
}
