// A graph in the language of Graphviz, as cudaGraphDebugDotPrint writes it.
#include "runtime/client/graph.hpp"
#include "runtime/client/registry.hpp"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <map>

using namespace course::client;

namespace {

std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string size_of(const dim3& size) {
  return "(" + std::to_string(size.x) + "," + std::to_string(size.y) + "," +
         std::to_string(size.z) + ")";
}

std::string kernel_in_words(const KernelWork& work) {
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel("cudaGraphDebugDotPrint", work.function, status);
  std::string name = kernel ? kernel->name : "kernel";
  if (char* plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr)) {
    name = plain;
    std::free(plain);
  }
  return name + "\n<<<" + size_of(work.grid) + ", " + size_of(work.block) + ", " +
         std::to_string(work.shared) + ">>>";
}

std::string direction(cudaMemcpyKind kind) {
  constexpr const char* kDirections[] = {"HtoH", "HtoD", "DtoH", "DtoD"};
  return kind <= cudaMemcpyDeviceToDevice ? kDirections[kind] : "Default";
}

std::string in_words(const Work& work) {
  struct {
    std::string operator()(const EmptyWork&) const { return "EMPTY"; }
    std::string operator()(const KernelWork& w) const { return kernel_in_words(w); }
    std::string operator()(const CopyWork& w) const {
      return "MEMCPY\n(" + direction(w.kind) + ", " + std::to_string(w.width * w.height * w.depth) +
             " bytes)";
    }
    std::string operator()(const FillWork& w) const {
      return "MEMSET\n(" + std::to_string(w.width * w.element * w.height) + " bytes)";
    }
    std::string operator()(const SymbolWork& w) const {
      return "MEMCPY\n(" + std::string(w.to_symbol ? "to" : "from") + " a symbol, " +
             std::to_string(w.size) + " bytes)";
    }
    std::string operator()(const HostWork&) const { return "HOST"; }
    std::string operator()(const RecordWork&) const { return "EVENT_RECORD"; }
    std::string operator()(const WaitWork&) const { return "EVENT_WAIT"; }
    std::string operator()(const GraphWork&) const { return "GRAPH"; }
  } words;
  return std::visit(words, work);
}

// A graph and those that are its nodes, each a cluster with a number.
class Picture {
public:
  std::string of(const CUgraph_st& graph) {
    add(graph);
    return std::string("digraph") + " {\n" + text_ + "}\n";
  }

private:
  void add(const CUgraph_st& graph) {
    const auto number = std::to_string(++graphs_);
    const auto name = "graph_" + number, cluster = "cluster_" + number;
    text_ += "subgraph " + cluster + " {\nlabel=\"" + name + "\" graph[style=\"dashed\"];\n";
    std::map<const CUgraphNode_st*, std::string> names;
    for (const auto& node : graph.nodes) {
      const auto at = std::to_string(names.size());
      const auto& called = names[node.get()] = '"' + name + "_node_" + at + '"';
      const bool kernel = std::holds_alternative<KernelWork>(node->work);
      text_ += called + "[style=\"" + (kernel ? "bold" : "solid") + "\" shape=\"" +
               (kernel ? "octagon" : "rectangle") + "\" label=\"" + at + '\n' +
               in_quotes(in_words(node->work)) + "\"];\n";
    }
    for (const auto& node : graph.nodes)
      for (const auto* before : node->before)
        text_ += names[before] + " -> " + names[node.get()] + ";\n";
    text_ += "}\n";
    for (const auto& node : graph.nodes)
      if (const auto* inner = std::get_if<GraphWork>(&node->work)) add(*inner->graph);
  }

  std::string text_;
  int graphs_ = 0;
};

} // namespace

extern "C" {

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  constexpr const char* kCall = "cudaGraphDebugDotPrint";
  constexpr const char* kNotWritten = "the file could not be written";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  if (!path) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the file's name");
  const auto text = Picture().of(*graph);
  std::FILE* file = std::fopen(path, "w");
  if (!file) return fail(kCall, cudaErrorOperatingSystem, kNotWritten);
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && whole) return context_error(kCall);
  return fail(kCall, cudaErrorOperatingSystem, kNotWritten);
}

} // extern "C"
