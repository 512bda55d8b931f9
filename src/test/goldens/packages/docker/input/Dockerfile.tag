FROM someone/pytorch:th2.6.0-cu124-devel
RUN pip install -e .
