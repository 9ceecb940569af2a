#include "talweg/formats/picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_set>

#include "canvas.h"
#include "colour_ramp.h"
#include "label_layout.h"
#include "png.h"
#include "stroke_font.h"
#include "surface_image.h"
#include "talweg/base/status_macros.h"

namespace talweg::formats {
namespace {

constexpr double kMapLength = 1200;  // pixels, of the longer side
constexpr double kLeastMapSide = 48;
constexpr double kLeastWidth = 640;  // room for the legend
constexpr double kMargin = 24;
constexpr double kTitleHeight = 52;
constexpr double kLegendHeight = 84;

constexpr Colour kPaper = {255, 255, 255};
constexpr Colour kInk = {33, 33, 33};
constexpr Colour kFrame = {117, 117, 117};
constexpr Colour kBlankMap = {236, 239, 241};
constexpr Colour kPath = {229, 28, 35};
constexpr Colour kPathCasing = {255, 255, 255};
constexpr Colour kPoint = {255, 255, 255};
constexpr Colour kPointRim = {20, 20, 20};

constexpr double kPathWidth = 2.6;
constexpr double kCasingWidth = 5.4;
constexpr double kPointRadius = 5;

// ---- Layout -------------------------------------------------------------------

// Height of a cell over its width, on the ground.
double CellAspect(const SurfaceFrame& frame) {
  if (!frame.has_geotransform) return 1;
  double width = frame.geotransform.cell_width();
  if (frame.crs.kind() == v1::CRS_KIND_GEOGRAPHIC) {
    const Cell middle{frame.shape.rows / 2, frame.shape.cols / 2};
    const double latitude = frame.geotransform.CellCentre(middle).y;
    // A degree of longitude shrinks towards the poles.
    width *= std::max(0.1, std::cos(latitude * 3.14159265358979323846 / 180));
  }
  return std::clamp(frame.geotransform.cell_height() / width, 0.125, 8.0);
}

MapPlacement PlaceMap(const SurfaceFrame& frame) {
  const double cols = static_cast<double>(frame.shape.cols);
  const double rows = static_cast<double>(frame.shape.rows) * CellAspect(frame);
  const double scale = kMapLength / std::max(rows, cols);
  const double width = std::max(std::round(cols * scale), kLeastMapSide);
  const double height = std::max(std::round(rows * scale), kLeastMapSide);
  MapPlacement placement;
  placement.shape = frame.shape;
  const double indent = std::floor(std::max(0.0, kLeastWidth - width) / 2);
  placement.box = {kMargin + indent, kTitleHeight, kMargin + indent + width, kTitleHeight + height};
  const auto& gt = frame.geotransform.coefficients();
  if (frame.has_geotransform && gt[2] == 0 && gt[4] == 0) {
    placement.flip_rows = gt[5] > 0;
    placement.flip_cols = gt[1] < 0;
  }
  return placement;
}

// ---- Map ----------------------------------------------------------------------

void DrawSurface(Canvas& canvas, const MapPlacement& placement, const std::vector<float>& samples,
                 const Stretch& stretch) {
  const int left = static_cast<int>(placement.box.left);
  const int top = static_cast<int>(placement.box.top);
  const int width = static_cast<int>(placement.box.right) - left;
  for (size_t i = 0; i < samples.size(); ++i) {
    const int x = static_cast<int>(i) % width;
    const int y = static_cast<int>(i) / width;
    const double friction = static_cast<double>(samples[i]);
    canvas.Set(left + x, top + y,
               std::isnan(friction) ? kImpassableColour : RampColour(stretch.Position(friction)));
  }
}

void DrawFrame(Canvas& canvas, const PixelBox& box) {
  const PixelPoint corners[] = {
      {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
  for (int i = 0; i < 4; ++i) canvas.StrokeSegment(corners[i], corners[(i + 1) % 4], 1, kFrame);
}

// Each step of all paths once: paths between many points share most of theirs.
class DistinctSteps {
 public:
  explicit DistinctSteps(const Shape& shape) : shape_(shape) {}

  // False when the step was there before, in either direction.
  bool Add(const Cell& from, const Cell& to) {
    const auto a = static_cast<uint64_t>(ToIndex(shape_, from));
    const auto b = static_cast<uint64_t>(ToIndex(shape_, to));
    // A surface has fewer than 2^32 cells.
    return seen_.insert(std::min(a, b) << 32 | std::max(a, b)).second;
  }

 private:
  Shape shape_;
  std::unordered_set<uint64_t> seen_;
};

void DrawPaths(Canvas& canvas, const MapPlacement& placement,
               const std::vector<std::vector<Cell>>& paths) {
  if (paths.empty()) return;
  Coverage casing(placement.box);
  Coverage core(placement.box);
  DistinctSteps steps(placement.shape);
  for (const std::vector<Cell>& path : paths) {
    for (size_t i = 1; i < path.size(); ++i) {
      if (!steps.Add(path[i - 1], path[i])) continue;
      const PixelPoint from = placement.CentreOf(path[i - 1]);
      const PixelPoint to = placement.CentreOf(path[i]);
      casing.AddSegment(from, to, kCasingWidth);
      core.AddSegment(from, to, kPathWidth);
    }
  }
  canvas.Paint(casing, kPathCasing);
  canvas.Paint(core, kPath);
}

void DrawMarker(Canvas& canvas, const PixelPoint& centre) {
  canvas.FillDisc(centre, kPointRadius + 1.6, kPointRim);
  canvas.FillDisc(centre, kPointRadius - 0.4, kPoint);
  canvas.FillDisc(centre, 1.6, kPointRim);
}

constexpr double kPlatePadding = 4;

// A pale plate with round ends behind a label.
void DrawPlate(Canvas& canvas, const PixelBox& box) {
  const double radius = (box.bottom - box.top) / 2;
  const double middle = box.top + radius;
  const double inset = std::min(radius, (box.right - box.left) / 2) - 2;
  Coverage plate({box.left - 3, box.top - 1, box.right + 3, box.bottom + 1});
  plate.AddSegment({box.left + inset, middle}, {box.right - inset, middle}, 2 * radius);
  canvas.Paint(plate, kPaper, 0.86);
}

void DrawPoints(Canvas& canvas, const MapPlacement& placement,
                const std::vector<PicturePoint>& points) {
  std::vector<PixelBox> markers;
  for (const PicturePoint& point : points) {
    const PixelPoint centre = placement.CentreOf(point.cell);
    DrawMarker(canvas, centre);
    markers.push_back({centre.x - kPointRadius, centre.y - kPointRadius, centre.x + kPointRadius,
                       centre.y + kPointRadius});
  }
  LabelLayout layout(placement.box, markers);
  constexpr double kCapHeight = 11;
  for (const PicturePoint& point : points) {
    constexpr size_t kLongestLabel = 24;
    const std::string label = point.label.size() > kLongestLabel
                                  ? point.label.substr(0, kLongestLabel) + "..."
                                  : point.label;
    const auto box = layout.Place(placement.CentreOf(point.cell),
                                  TextWidth(label, kCapHeight) + 2 * kPlatePadding,
                                  kCapHeight + 2 * kPlatePadding);
    if (!box) continue;
    DrawPlate(canvas, *box);
    DrawText(canvas, {box->left + kPlatePadding, box->bottom - kPlatePadding}, label,
             {.cap_height = kCapHeight, .colour = kInk});
  }
}

// ---- Legend -------------------------------------------------------------------

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

constexpr double kLegendText = 10;

void DrawLegendText(Canvas& canvas, const PixelPoint& origin, std::string_view text) {
  DrawText(canvas, origin, text, {.cap_height = kLegendText, .colour = kInk});
}

// The ramp with its frictions; the right edge of what was drawn.
double DrawRamp(Canvas& canvas, const PixelPoint& top_left, const Stretch& stretch) {
  constexpr int kWidth = 280;
  constexpr int kHeight = 14;
  const int left = static_cast<int>(top_left.x);
  const int top = static_cast<int>(top_left.y);
  for (int x = 0; x < kWidth; ++x) {
    const Colour colour = RampColour(static_cast<double>(x) / (kWidth - 1));
    for (int y = 0; y < kHeight; ++y) canvas.Set(left + x, top + y, colour);
  }
  DrawFrame(canvas, {top_left.x, top_left.y, top_left.x + kWidth, top_left.y + kHeight});
  for (const double position : {0.0, 0.5, 1.0}) {
    const std::string text = Short(stretch.Friction(position));
    const double x = top_left.x + position * kWidth - position * TextWidth(text, kLegendText);
    DrawLegendText(canvas, {x, top_left.y + kHeight + 8 + kLegendText}, text);
  }
  const std::string caption = stretch.logarithmic ? "friction (log scale)" : "friction";
  DrawLegendText(canvas, {top_left.x + kWidth + 10, top_left.y + 12}, caption);
  return top_left.x + kWidth + 10 + TextWidth(caption, kLegendText);
}

void DrawLegend(Canvas& canvas, const Picture& picture, const PixelPoint& top_left,
                const Stretch& stretch) {
  double x = top_left.x;
  if (picture.cells) {
    x = DrawRamp(canvas, top_left, stretch) + 28;
    canvas.FillBox({x, top_left.y, x + 22, top_left.y + 14}, kImpassableColour);
    DrawLegendText(canvas, {x + 30, top_left.y + 12}, "impassable");
    // The lower row: under the swatch.
  }
  const double y = picture.cells ? top_left.y + 30 : top_left.y + 7;
  canvas.StrokeSegment({x, y}, {x + 22, y}, kCasingWidth, kFrame);
  canvas.StrokeSegment({x, y}, {x + 22, y}, kPathWidth + 1.2, kPathCasing);
  canvas.StrokeSegment({x, y}, {x + 22, y}, kPathWidth, kPath);
  DrawLegendText(canvas, {x + 30, y + 5}, "path");
  const double marker_x = x + 30 + TextWidth("path", kLegendText) + 28;
  DrawMarker(canvas, {marker_x, y});
  DrawLegendText(canvas, {marker_x + 14, y + 5}, "point");
}

// The title, made smaller when it is long.
void DrawTitle(Canvas& canvas, const std::string& title) {
  double cap_height = 16;
  const double room = canvas.width() - 2 * kMargin;
  const double width = TextWidth(title, cap_height);
  if (width > room) cap_height = std::max(8.0, cap_height * room / width);
  DrawText(canvas, {kMargin, kTitleHeight - 18}, title, {.cap_height = cap_height, .colour = kInk});
}

}  // namespace

absl::Status WritePicture(const std::string& path, const Picture& picture,
                          const Provenance& provenance, OutputSet& outputs) {
  const MapPlacement placement = PlaceMap(picture.frame);
  const double map_width = placement.box.right - placement.box.left;
  Canvas canvas(static_cast<int>(std::max(map_width, kLeastWidth) + 2 * kMargin),
                static_cast<int>(placement.box.bottom + kLegendHeight), kPaper);
  Stretch stretch;
  if (picture.cells) {
    const std::vector<float> samples = SampleFriction(*picture.cells, placement);
    stretch = MakeStretch(samples);
    DrawSurface(canvas, placement, samples, stretch);
  } else {
    canvas.FillBox(placement.box, kBlankMap);
  }
  DrawPaths(canvas, placement, picture.paths);
  DrawFrame(canvas, placement.box);
  DrawPoints(canvas, placement, picture.points);
  DrawTitle(canvas, picture.title);
  DrawLegend(canvas, picture, {kMargin, placement.box.bottom + 22}, stretch);
  TALWEG_RETURN_IF_ERROR(WritePng(canvas, outputs.Stage(path)));
  return WriteSidecar(path, provenance, outputs);
}

}  // namespace talweg::formats
