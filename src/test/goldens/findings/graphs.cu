// Graphs and captures: HIP keeps no data on edges.
#include <cuda.h>
#include <cuda_runtime.h>

void build(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t n,
           cudaGraphEdgeData *data) {
  cudaGraphNodeParams params = {};
  cudaGraphNode_t node;
  cudaGraphAddDependencies(graph, from, to, nullptr, n);           // want: ARG-GRAPH-EDGES
  cudaGraphAddDependencies(graph, from, to, n);                    // ok: ARG-GRAPH-EDGES
  cudaGraphAddNode(&node, graph, from, nullptr, n, &params);       // want: ARG-GRAPH-NODE
  cudaGraphAddNode(&node, graph, from, n, &params);                // ok: ARG-GRAPH-NODE
  cudaGraphGetEdges(graph, from, to, data, &n);                    // want: ARG-GRAPH-GET-EDGES-DATA
  cudaGraphGetEdges(graph, from, to, &n);                          // ok: ARG-GRAPH-GET-EDGES-DATA
  cudaGraphNodeGetDependencies(node, from, data, &n);              // want: ARG-GRAPH-NODE-EDGES-DATA
  cudaGraphNodeGetDependencies(node, from, &n);                    // ok: ARG-GRAPH-NODE-EDGES-DATA
}

void build(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t n, CUgraphNode node) {
  CUDA_MEMSET_NODE_PARAMS params;
  cuGraphAddDependencies(graph, from, to, nullptr, n);             // want: ARG-GRAPH-EDGES-DRIVER
  cuGraphAddDependencies(graph, from, to, n);                      // ok: ARG-GRAPH-EDGES-DRIVER
  cuGraphMemsetNodeGetParams(node, &params);                       // want: ARG-MEMSET-NODE
}

void update(cudaGraphExec_t exec, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info;                              // want: API-RUNTIME
  cudaGraphExecUpdate(exec, graph, &info);                         // want: ARG-GRAPH-UPDATE
}

void capture(cudaStream_t stream, CUstream old, cudaGraph_t *graph, cudaGraphNode_t *nodes,
             const cudaGraphEdgeData *data) {
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *deps;
  unsigned long long id;
  size_t n;
  cuStreamBeginCapture(old);                                       // want: ARG-CAPTURE-MODE
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);    // ok: ARG-CAPTURE-MODE
  cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, 1, 0);  // want: ARG-CAPTURE-DEPENDENCIES
  cudaStreamUpdateCaptureDependencies(stream, nodes, 1, 0);        // ok: ARG-CAPTURE-DEPENDENCIES
  cudaStreamGetCaptureInfo(stream, &status, &id, graph, &deps, data, &n);  // want: ARG-CAPTURE-INFO-DATA
}
