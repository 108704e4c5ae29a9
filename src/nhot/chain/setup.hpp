// Which kernel and engine a model and its moves get, and which fit together.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nhot/chain/chain.hpp"
#include "nhot/model/custom_kernel.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/model/model.hpp"
#include "nhot/model/sparse_kernel.hpp"

namespace nhot {

using IntegerKernel = SparseKernel<std::int32_t>;
using RealKernel = SparseKernel<double>;

using AnyKernel =
    std::variant<std::shared_ptr<const IntegerKernel>, std::shared_ptr<const RealKernel>,
                 std::shared_ptr<const DenseKernel>, std::shared_ptr<const RbmKernel>,
                 std::shared_ptr<const CustomKernel>>;

/// Names of the kernels, in the order of AnyKernel.
inline constexpr std::string_view kernel_names[] = {"integer", "real", "dense", "rbm", "custom"};

/// Engines that work with a kernel, the default first; on a grouped shell there are fewer.
std::vector<std::string> engines_for(std::string_view kernel, bool grouped = false);

/// Everything that the chains of one request share.
class ChainSetup {
 public:
  /// `kernel` names the kernel where the model allows several. InputError when the model does not
  /// allow it, or the engine does not work with it.
  ChainSetup(const Model& model, std::shared_ptr<const Shell> shell, std::string_view move,
             double beta, std::string_view kernel = "auto");

  const AnyKernel& kernel() const { return kernel_; }
  std::string_view kernel_name() const { return kernel_names[kernel_.index()]; }
  /// The engine; the first one, where engine=auto may switch.
  const std::string& engine() const { return engine_; }
  const std::string& move() const { return move_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Why the moves do not reach every state; empty when they do.
  const std::string& unreachable_reason() const { return unreachable_reason_; }

  /// A chain with any source of draws.
  template <DrawSource Draws>
  std::unique_ptr<AnyChain> make(Draws draws, const Bits& start) const {
    return std::visit(
        [&](const auto& kernel) { return make_with(kernel, std::move(draws), start); }, kernel_);
  }

  /// The same with the type of kernel(). Defined in make_chain.hpp, which takes long to compile:
  /// only the files that instantiate chains include it.
  template <class Kernel, DrawSource Draws>
  std::unique_ptr<AnyChain> make_with(std::shared_ptr<const Kernel> kernel, Draws draws,
                                      const Bits& start) const;

 private:
  void choose_engine(const Model& model, const std::vector<MoveText>& texts,
                     std::string_view kernel);
  void note_rounding(const FixedPoint& fixed_point);
  void add_flips(std::vector<MoveText>& texts) const;
  bool suits_dense(const QuadraticModel& model) const;
  void choose_bits(const Model& model, std::size_t moves);
  std::string_view choose_kernel(const Model& model) const;
  void build_kernel(const Model& model, std::string_view name);

  std::shared_ptr<const Shell> shell_;
  double beta_;
  std::vector<WeightedMove> moves_;
  std::string move_;
  std::string engine_;
  bool adaptive_ = false;  // starts with engine_ and may switch
  std::vector<std::string> notes_;
  std::string unreachable_reason_;
  Grid grid_;
  AnyKernel kernel_;
};

}  // namespace nhot
