FROM --platform=linux/amd64 nvcr.io/nvidia/pytorch:24.03-py3 AS base
ARG TORCH_CUDA_ARCH_LIST="8.0 9.0"
ENV CUDA_HOME=/usr/local/cuda PATH="/usr/local/cuda/bin:$PATH"
COPY requirements.txt /tmp/requirements.txt
RUN <<EOF
set -e
pip install -r /tmp/requirements.txt
pip install tensorrt
EOF
FROM base
RUN export TORCHINDUCTOR_MAX_AUTOTUNE=1 && python3 -m pip install --extra-index-url=https://download.pytorch.org/whl/cu124 "torch>=2.4" # comment
HEALTHCHECK CMD nvidia-smi
