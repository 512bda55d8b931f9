#!/bin/sh
nvcc -DCUB_WRAPPED_NAMESPACE=app -c scan.cu  # want: CUB-NAMESPACE
