#include "friction_source.h"

namespace talweg {
namespace {

template <class T, class F>
class TypedSource final : public FrictionSource<F> {
 public:
  TypedSource(const CostSurfaceView& surface, const FrictionRule& rule)
      : cells_(surface.cells<T>()), reader_(rule) {}

  void Read(Cell start, int64_t count, F* frictions) const override {
    const T* values = &cells_(start.row, start.col);
    for (int64_t i = 0; i < count; ++i) frictions[i] = static_cast<F>(reader_(values[i]));
  }

 private:
  RasterView<const T> cells_;
  FrictionReader<T> reader_;
};

}  // namespace

bool FitsFloat(ValueType type, const FrictionRule& rule) {
  if (rule.nodata_friction &&
      static_cast<double>(static_cast<float>(*rule.nodata_friction)) != *rule.nodata_friction) {
    return false;
  }
  return type != ValueType::kUint32 && type != ValueType::kInt32 && type != ValueType::kFloat64;
}

template <class F>
std::unique_ptr<FrictionSource<F>> MakeFrictionSource(const CostSurfaceView& surface,
                                                      const FrictionRule& rule) {
  return VisitValueType(surface.value_type(), [&](auto tag) -> std::unique_ptr<FrictionSource<F>> {
    return std::make_unique<TypedSource<decltype(tag), F>>(surface, rule);
  });
}

template std::unique_ptr<FrictionSource<float>> MakeFrictionSource(const CostSurfaceView&,
                                                                   const FrictionRule&);
template std::unique_ptr<FrictionSource<double>> MakeFrictionSource(const CostSurfaceView&,
                                                                    const FrictionRule&);

}  // namespace talweg
