# Written by rocport port from pytorch.Dockerfile: docker build -f pytorch.rocm.Dockerfile; run with --device=/dev/kfd --device=/dev/dri --group-add video
# rocport: was FROM nvcr.io/nvidia/pytorch:24.03-py3: AMD image with PyTorch; pin a tag with the versions of Python and PyTorch that you need
FROM --platform=linux/amd64 rocm/pytorch:latest AS base
# rocport: was TORCH_CUDA_ARCH_LIST=8.0 9.0: PyTorch builds extensions for the AMD GPUs in PYTORCH_ROCM_ARCH
ARG PYTORCH_ROCM_ARCH="gfx90a;gfx942"
# rocport: was CUDA_HOME=/usr/local/cuda: ROCm is in /opt/rocm
# rocport: was PATH=/usr/local/cuda/bin:$PATH: ROCm is in /opt/rocm
ENV CUDA_HOME=/opt/rocm PATH=/opt/rocm/bin:$PATH
# rocport: requirements.txt has a sibling for ROCm
COPY requirements-rocm.txt /tmp/requirements.txt
# rocport: not on ROCm: tensorrt: TensorRT runs on NVIDIA GPUs only; the AMD engine is MIGraphX, which ONNX Runtime also uses
RUN <<EOF
set -e
pip install -r /tmp/requirements.txt
pip install pip
EOF
FROM base
# rocport: was TORCHINDUCTOR_MAX_AUTOTUNE=1: autotuning hangs or takes very long on ROCm
# rocport: was --extra-index-url=https://download.pytorch.org/whl/cu124: the wheels for ROCm are in a separate index
# rocport: was torch>=2.4: the wheels for ROCm come from the PyTorch index; for newer versions, pip would install a CUDA build
RUN export TORCHINDUCTOR_MAX_AUTOTUNE=0 && python3 -m pip install --extra-index-url=https://download.pytorch.org/whl/rocm6.4 "torch>=2.4,<=2.9.1" # comment
HEALTHCHECK CMD nvidia-smi
