// The fields of descriptors are those of ROCR's image runtime for gfx11 and gfx12. Texels lie in rows without gaps,
// planes and levels one after another, which only the device has to know.
#include "image.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "error.h"

namespace rocport {
namespace {

// Types of images in descriptors.
constexpr unsigned LINE = 8, PLANE = 9, VOLUME = 10, CUBE = 11, LINES = 12, PLANES = 13;
constexpr size_t MOST_TEXELS = 16384;  // in a row or column
constexpr size_t MOST_PLANES = 8192;

/** An image in memory. */
struct Shape {
  uintptr_t address = 0;
  hipChannelFormatDesc channels = {};
  unsigned type = PLANE;
  size_t width = 1, height = 1, depth = 1;  // depth: planes or layers
  size_t pitch = 1;                         // texels from row to row
  unsigned levels = 1;
  unsigned firstLevel = 0, lastLevel = 0;
  size_t firstLayer = 0;

  size_t count() const { return static_cast<size_t>((channels.x > 0) + (channels.y > 0) + (channels.z > 0) + (channels.w > 0)); }
  size_t texel() const { return count() * static_cast<size_t>(channels.x) / 8; }
  bool layered() const { return type > VOLUME; }
};

struct Format {
  unsigned number;  // in descriptors
  unsigned type;    // of HSA's images
};

/** Numbers of formats: of one channel, of two and of four. */
struct Row {
  hipChannelFormatKind kind;
  int bits;
  bool normalized;
  unsigned type;
  unsigned numbers[3];
};

constexpr Row ROWS[] = {{hipChannelFormatKindUnsigned, 8, true, 2, {1, 14, 42}},
                        {hipChannelFormatKindSigned, 8, true, 0, {2, 15, 43}},
                        {hipChannelFormatKindUnsigned, 8, false, 11, {5, 18, 46}},
                        {hipChannelFormatKindSigned, 8, false, 8, {6, 19, 47}},
                        {hipChannelFormatKindUnsigned, 16, true, 3, {7, 23, 51}},
                        {hipChannelFormatKindSigned, 16, true, 1, {8, 24, 52}},
                        {hipChannelFormatKindUnsigned, 16, false, 12, {11, 27, 55}},
                        {hipChannelFormatKindSigned, 16, false, 9, {12, 28, 56}},
                        {hipChannelFormatKindFloat, 16, false, 14, {13, 29, 57}},
                        {hipChannelFormatKindUnsigned, 32, false, 13, {20, 48, 61}},
                        {hipChannelFormatKindSigned, 32, false, 10, {21, 49, 62}},
                        {hipChannelFormatKindFloat, 32, false, 15, {22, 50, 63}}};
constexpr unsigned SRGB[] = {64, 65, 66};
constexpr unsigned ORDERS[] = {1, 3, 8};  // R, RG, RGBA

/** 0 to 2 for one, two and four channels of one size. */
unsigned channelsIndex(const hipChannelFormatDesc& desc) {
  bool two = desc.y > 0, four = desc.z > 0 || desc.w > 0;
  require(desc.x > 0 && (!two || desc.y == desc.x) && (!four || (two && desc.z == desc.x && desc.w == desc.x)));
  return four ? 2 : two ? 1 : 0;
}

Format formatOf(const hipChannelFormatDesc& desc, bool normalized, bool srgb) {
  unsigned index = channelsIndex(desc);
  bool converts = normalized && desc.f != hipChannelFormatKindFloat;
  for (const Row& row : ROWS) {
    if (row.kind == desc.f && row.bits == desc.x && row.normalized == converts) {
      bool light = srgb && row.normalized && row.kind == hipChannelFormatKindUnsigned && row.bits == 8;
      return {light ? SRGB[index] : row.numbers[index], row.type};
    }
  }
  fail(hipErrorInvalidValue);
}

Shape shapeOf(const hipArray& array) {
  Shape shape;
  shape.address = reinterpret_cast<uintptr_t>(array.data);
  shape.channels = array.channels;
  shape.width = array.width;
  shape.height = array.rows();
  shape.depth = array.planes();
  shape.pitch = array.width;
  if (array.flags & hipArrayCubemap) {
    shape.type = CUBE;
  } else if (array.flags & hipArrayLayered) {
    shape.type = array.height ? PLANES : LINES;
  } else {
    shape.type = array.depth ? VOLUME : array.height ? PLANE : LINE;
  }
  return shape;
}

Shape shapeOf(const hipResourceDesc& resource) {
  switch (resource.resType) {
    case hipResourceTypeArray:
      require(isArray(resource.res.array.array));
      return shapeOf(*resource.res.array.array);
    case hipResourceTypeMipmappedArray: {
      hipMipmappedArray_const_t array = resource.res.mipmap.mipmap;
      require(isArray(array));
      Shape shape = shapeOf(levelsOf(array)[0]);
      shape.levels = array->max_mipmap_level + 1;
      shape.lastLevel = array->max_mipmap_level;
      return shape;
    }
    case hipResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      Shape shape;
      shape.address = reinterpret_cast<uintptr_t>(plane.devPtr);
      shape.channels = plane.desc;
      channelsIndex(plane.desc);
      shape.width = plane.width;
      shape.height = plane.height;
      require(plane.devPtr && plane.width && plane.height && plane.pitchInBytes % shape.texel() == 0);
      shape.pitch = plane.pitchInBytes / shape.texel();
      require(shape.pitch >= shape.width && shape.pitch <= MOST_TEXELS);
      return shape;
    }
    default:
      fail(hipErrorInvalidValue);
  }
}

hipChannelFormatDesc channelsOf(hipResourceViewFormat format) {
  require(format >= hipResViewFormatUnsignedChar1 && format <= hipResViewFormatFloat4, hipErrorNotSupported);
  constexpr Row KINDS[] = {{hipChannelFormatKindUnsigned, 8, false, 0, {}},  {hipChannelFormatKindSigned, 8, false, 0, {}},
                           {hipChannelFormatKindUnsigned, 16, false, 0, {}}, {hipChannelFormatKindSigned, 16, false, 0, {}},
                           {hipChannelFormatKindUnsigned, 32, false, 0, {}}, {hipChannelFormatKindSigned, 32, false, 0, {}},
                           {hipChannelFormatKindFloat, 16, false, 0, {}},    {hipChannelFormatKindFloat, 32, false, 0, {}}};
  unsigned number = format - hipResViewFormatUnsignedChar1;
  const Row& kind = KINDS[number / 3];
  int second = number % 3 > 0 ? kind.bits : 0, others = number % 3 > 1 ? kind.bits : 0;
  return {kind.bits, second, others, others, kind.kind};
}

void apply(const hipResourceViewDesc& view, Shape& shape) {
  if (view.format != hipResViewFormatNone) {
    size_t before = shape.texel();
    shape.channels = channelsOf(view.format);
    require(shape.texel() == before);
  }
  require(view.firstMipmapLevel <= view.lastMipmapLevel && view.lastMipmapLevel < shape.levels);
  shape.firstLevel = view.firstMipmapLevel;
  shape.lastLevel = view.lastMipmapLevel;
  if (shape.layered()) {
    require(view.firstLayer <= view.lastLayer && view.lastLayer < shape.depth);
    // The places of levels follow from the number of layers, which is that of the last one in the descriptor.
    require(shape.levels == 1 || view.lastLayer == shape.depth - 1, hipErrorNotSupported);
    shape.firstLayer = view.firstLayer;
    shape.depth = view.lastLayer + 1;
  }
}

/** Which components a result has: x, y, z, w, and where the format has none 0, and 1 for w. */
uint32_t selection(unsigned index) {
  constexpr uint32_t SELECTIONS[] = {4 | 1 << 9, 4 | 5 << 3 | 1 << 9, 4 | 5 << 3 | 6 << 6 | 7 << 9};
  return SELECTIONS[index];
}

uint32_t u32(size_t value) { return static_cast<uint32_t>(value); }

bool isRdna4(const std::string& arch) { return arch.rfind("gfx12", 0) == 0; }

/** The descriptor of an image. */
void describe(const std::string& arch, const Shape& shape, Format format, ImageWords& words) {
  require(shape.width <= MOST_TEXELS && shape.height <= MOST_TEXELS && shape.depth <= MOST_PLANES);
  require(shape.address % 256 == 0);  // hipDeviceProp_t::textureAlignment
  unsigned index = channelsIndex(shape.channels);
  uint32_t width = u32(shape.width - 1), height = u32(shape.height - 1);
  bool flat = shape.type == LINE || shape.type == PLANE;
  uint32_t depth = u32(flat ? shape.pitch - 1 : shape.depth - 1);
  uint32_t high = u32(shape.address >> 40) & 0xff;
  words.image[0] = u32(shape.address >> 8);
  if (isRdna4(arch)) {
    words.image[1] = high | (shape.levels - 1) << 12 | format.number << 17 | shape.firstLevel << 25 | (width & 3) << 30;
    words.image[3] = selection(index) | shape.lastLevel << 15 | shape.type << 28;
  } else {
    words.image[1] = high | (shape.levels - 1) << 16 | format.number << 20 | (width & 3) << 30;
    words.image[3] = selection(index) | shape.firstLevel << 12 | shape.lastLevel << 16 | shape.type << 28;
  }
  words.image[2] = width >> 2 | height << 14;
  words.image[4] = depth | u32(shape.firstLayer) << 16;
  words.channelType = format.type;
  words.channelOrder = ORDERS[index];
  words.width = u32(shape.width);
}

/** The descriptor of linear memory, which is a buffer. */
void describe(const hipResourceDesc& resource, const hipTextureDesc& texture, ImageWords& words) {
  const auto& linear = resource.res.linear;
  Shape shape;
  shape.channels = linear.desc;
  unsigned index = channelsIndex(linear.desc);
  Format format = formatOf(linear.desc, texture.readMode == hipReadModeNormalizedFloat, false);
  auto address = reinterpret_cast<uintptr_t>(linear.devPtr);
  size_t width = linear.sizeInBytes / shape.texel();
  require(address && width && width <= UINT32_MAX && address % shape.texel() == 0);
  words.image[0] = u32(address);
  words.image[1] = u32(address >> 32) | u32(shape.texel()) << 16;
  words.image[2] = u32(width);
  words.image[3] = selection(index) | format.number << 12;
  words.channelType = format.type;
  words.channelOrder = ORDERS[index];
  words.width = u32(width);
}

/** A mode of HIP as a mode of the hardware; coordinates that count texels are only clamped. */
uint32_t clampOf(hipTextureAddressMode mode, bool normalized) {
  switch (mode) {
    case hipAddressModeWrap: return normalized ? 0 : 2;
    case hipAddressModeMirror: return normalized ? 1 : 2;
    case hipAddressModeClamp: return 2;
    case hipAddressModeBorder: return 6;
  }
  fail(hipErrorInvalidValue);
}

uint32_t steps(float level, float least, float most, uint32_t mask) {
  float inside = std::isnan(level) ? 0 : std::clamp(level, least, most);
  return static_cast<uint32_t>(static_cast<int32_t>(std::lround(inside * 256))) & mask;
}

/** The number of a border color; hipErrorNotSupported if the hardware has none of that kind without a table. */
uint32_t borderOf(const hipTextureDesc& texture, size_t channels) {
  bool zeros = true, ones = true;
  for (size_t c = 0; c < channels; c++) {
    zeros &= texture.borderColor[c] == 0;
    ones &= texture.borderColor[c] == 1;
  }
  if (zeros) return 0;
  if (ones) return 2;
  const float* color = texture.borderColor;
  require(channels == 4 && color[0] == 0 && color[1] == 0 && color[2] == 0 && color[3] == 1, hipErrorNotSupported);
  return 1;
}

void sample(const std::string& arch, const hipTextureDesc& texture, const Shape& shape, ImageWords& words) {
  bool normalized = texture.normalizedCoords != 0;
  bool border = false;
  for (unsigned axis = 0; axis < 3; axis++) {
    words.sampler[0] |= clampOf(texture.addressMode[axis], normalized) << (3 * axis);
    border |= texture.addressMode[axis] == hipAddressModeBorder;
  }
  words.sampler[0] |= (normalized ? 0u : 1u) << 15;
  uint32_t linear = texture.filterMode == hipFilterModeLinear;
  unsigned bits = isRdna4(arch) ? 13 : 12;
  uint32_t mask = (1u << bits) - 1;
  uint32_t levels = 0, bias = 0;
  words.sampler[1] = mask << bits;
  if (shape.levels > 1) {
    levels = texture.mipmapFilterMode == hipFilterModeLinear ? 2 : 1;
    bias = steps(texture.mipmapLevelBias, -31, 31, 0x3fff);
    words.sampler[1] = steps(texture.minMipmapLevelClamp, 0, 15, mask) | steps(texture.maxMipmapLevelClamp, 0, 15, mask) << bits;
  }
  words.sampler[2] = bias | linear << 20 | linear << 22 | (linear ? 2u : 1u) << 24 | levels << 26;
  words.sampler[3] = (border ? borderOf(texture, shape.count()) : 0) << 30;
}

}  // namespace

bool hasImages(const std::string& arch) { return arch.rfind("gfx11", 0) == 0 || arch.rfind("gfx12", 0) == 0; }

ImageWords textureWords(const std::string& arch, const hipResourceDesc& resource, const hipTextureDesc& texture,
                        const hipResourceViewDesc* view) {
  ImageWords words;
  if (resource.resType == hipResourceTypeLinear) {
    require(view == nullptr);
    describe(resource, texture, words);
    return words;
  }
  Shape shape = shapeOf(resource);
  if (view) apply(*view, shape);
  bool normalized = texture.readMode == hipReadModeNormalizedFloat;
  bool floats = normalized || shape.channels.f == hipChannelFormatKindFloat;
  require(floats || texture.filterMode == hipFilterModePoint);
  describe(arch, shape, formatOf(shape.channels, normalized, texture.sRGB != 0), words);
  sample(arch, texture, shape, words);
  return words;
}

ImageWords surfaceWords(const std::string& arch, const hipResourceDesc& resource) {
  require(resource.resType == hipResourceTypeArray);
  ImageWords words;
  Shape shape = shapeOf(resource);
  describe(arch, shape, formatOf(shape.channels, false, false), words);
  return words;
}

}  // namespace rocport
